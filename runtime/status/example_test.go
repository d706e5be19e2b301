package status_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/holdfast-go/holdfast/runtime/procid"
	"github.com/holdfast-go/holdfast/runtime/status"
)

func Example() {
	folder, err := os.MkdirTemp("", "status")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "status.json")

	gateway := status.New(path)
	gateway.Publish( // from anywhere, at any rate
		status.String("state", "running"),
		status.Int(status.Join("platforms", "telegram", "agents"), 3))

	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := gateway.Flush(ctx); err != nil {
		fmt.Println("not on the disk yet:", err)
	}

	document, err := status.Read(path) // by anybody
	if err != nil {
		fmt.Println(err)
		return
	}
	var agents int
	err = document.Decode("platforms/telegram/agents", &agents)
	fmt.Println("agents:", agents, err)
	id, err := document.Process(status.DefaultProcess)
	fmt.Println("alive:", id.State() == procid.Alive, err)

	err = gateway.Close(ctx, status.String("state", "stopped"), status.String("exit_reason", "SIGTERM"))
	fmt.Println("closed:", err)
	// Output:
	// agents: 3 <nil>
	// alive: true <nil>
	// closed: <nil>
}

func ExampleMarshal() {
	type store struct {
		Status string   `json:"status"`
		Tables []string `json:"tables"`
	}
	field, err := status.Marshal("session_store", store{"ok", []string{"sessions"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	folder, err := os.MkdirTemp("", "status")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	w := status.New(filepath.Join(folder, "status.json"), status.WithProcess(""))
	w.Publish(field)
	fmt.Print(w.Snapshot()) // readable before it is on the disk
	_ = w.Close(context.Background())
	// Output: {"session_store":{"status":"ok","tables":["sessions"]}}
}
