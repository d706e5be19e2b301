//go:build unix

package owned_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log"
	"os/exec"
	"time"

	"github.com/holdfast-go/holdfast/runtime/owned"
)

// An agent starts a dev server, which starts a compiler and a watcher of its
// own. All of it ends with Stop, and with the agent, even if that is killed.
func Example_devServer() {
	// It stands for exec.Command("npm", "run", "dev").
	server := exec.Command("sh", "-c", `sleep 1000 & echo "listening on :5173"; wait`)
	out, err := server.StdoutPipe()
	if err != nil {
		log.Fatal(err)
	}
	child, err := owned.Start(server, owned.Family("dev server"), owned.Grace(10*time.Second))
	if err != nil {
		log.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(line)

	// The compiler ends too, though the agent knows nothing of it.
	if err := child.Stop(context.Background()); err != nil {
		log.Fatal(err)
	}
	<-child.Done()
	fmt.Println("nothing is left")
	// Output:
	// listening on :5173
	// nothing is left
}

// An MCP server talks on its standard input and output. It should end when its
// input does; many do not, so Stop follows, which has a bound.
func Example_mcpServer() {
	// It stands for exec.Command("npx", "-y", "@modelcontextprotocol/server-everything", "stdio").
	server := exec.Command("sh", "-c", `while read -r request; do echo '{"jsonrpc":"2.0","id":1,"result":{}}'; done`)
	requests, err := server.StdinPipe()
	if err != nil {
		log.Fatal(err)
	}
	answers, err := server.StdoutPipe()
	if err != nil {
		log.Fatal(err)
	}
	child, err := owned.Start(server, owned.Name("everything"), owned.Family("MCP server"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Fprintln(requests, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	answer, err := bufio.NewReader(answers).ReadString('\n')
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(answer)

	requests.Close()
	if err := child.Stop(context.Background()); err != nil {
		log.Fatal(err)
	}
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":{}}
}

// A language server lives as long as its editor session, which is a context
// here. Its helpers, which do not notice the end of its input, end with it.
func Example_languageServer() {
	session, closeSession := context.WithCancel(context.Background())
	defer closeSession()

	// It stands for exec.Command("gopls", "serve").
	server := exec.Command("sh", "-c", `sleep 1000 & cat`)
	editor, err := server.StdinPipe()
	if err != nil {
		log.Fatal(err)
	}
	out, err := server.StdoutPipe()
	if err != nil {
		log.Fatal(err)
	}
	child, err := owned.Start(server, owned.Family("language server"), owned.StopWhen(session))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Fprint(editor, "Content-Length: 2\r\n\r\n{}")
	body := make([]byte, len("Content-Length: 2\r\n\r\n{}"))
	if _, err := io.ReadFull(out, body); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", body[len(body)-2:])

	closeSession()
	child.Wait()
	<-child.Done()
	fmt.Println("server and helpers have ended")
	// Output:
	// {}
	// server and helpers have ended
}
