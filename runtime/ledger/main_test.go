package ledger_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// roleVariable makes the test program play an owner's part instead of testing.
const roleVariable = "LEDGER_TEST_ROLE"

// roles are the parts. An owner finds its directory in ledger.DirVariable and
// its arguments on its command line.
var roles = map[string]func(l *ledger.Ledger, args []string){
	"start children": startChildren,
	"append rows":    appendRows,
	"churn":          churn,
	"wait":           func(*ledger.Ledger, []string) { waitForEnd() },
}

func TestMain(m *testing.M) {
	name := os.Getenv(roleVariable)
	if name == "" {
		os.Exit(m.Run())
	}
	if err := play(name); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func play(name string) error {
	l, err := ledger.Open("", procid.Self())
	if err != nil {
		return err
	}
	role := roles[name]
	if role == nil {
		return fmt.Errorf("there is no role %q", name)
	}
	role(l, os.Args[1:])
	return nil
}

// startChildren starts as many sleeping processes as its argument says, notes
// them, says so, and waits.
func startChildren(l *ledger.Ledger, args []string) {
	for range number(args[0]) {
		child := exec.Command("sleep", "600")
		check(child.Start())
		id, err := procid.Of(child.Process.Pid)
		check(err)
		check(l.Append(ledger.Entry{Event: ledger.EventStart, Process: id, Command: child.Args}))
	}
	fmt.Println("ready")
	waitForEnd()
}

// appendRows notes as many children as its argument says, from four goroutines.
func appendRows(l *ledger.Ledger, args []string) {
	fmt.Println("ready")
	bufio.NewReader(os.Stdin).ReadString('\n') // All owners begin at once.
	var writers sync.WaitGroup
	for writer := range 4 {
		writers.Go(func() {
			for n := writer; n < number(args[0]); n += 4 {
				check(l.Append(ledger.Entry{Event: ledger.EventStart, Process: imaginary(n), Name: strings.Repeat("n", n)}))
			}
		})
	}
	writers.Wait()
	fmt.Println("done")
	waitForEnd()
}

// churn starts and ends imaginary children for ever, 50 of which live at any
// time, and tells the number of each after it was noted.
func churn(l *ledger.Ledger, _ []string) {
	for n := 0; ; n++ {
		check(l.Append(ledger.Entry{Event: ledger.EventStart, Process: imaginary(n)}))
		if n >= churning {
			check(l.Append(ledger.Entry{Event: ledger.EventExit, Process: imaginary(n - churning)}))
		}
		fmt.Println(n)
	}
}

const churning = 50

// imaginary is the n-th of many processes that there have never been.
func imaginary(n int) procid.Identity {
	return procid.Identity{Boot: procid.Self().Boot, PID: 1<<30 + n, Start: uint64(n)}
}

// An owner is a real process with a ledger.
type owner struct {
	*exec.Cmd
	id  procid.Identity
	in  io.WriteCloser
	out *bufio.Reader
}

// startOwner starts the test program in a role. The owner dies with the test.
func startOwner(t testing.TB, dir, role string, args ...string) *owner {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), roleVariable+"="+role, ledger.DirVariable+"="+dir)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	o := &owner{Cmd: cmd, in: in, out: bufio.NewReader(out)}
	t.Cleanup(o.kill)
	if o.id, err = procid.Of(cmd.Process.Pid); err != nil {
		t.Fatal(err)
	}
	return o
}

func (o *owner) kill() {
	o.Process.Kill()
	o.Wait()
}

func (o *owner) expect(t testing.TB, want string) {
	t.Helper()
	if line, err := o.out.ReadString('\n'); err != nil || line != want+"\n" {
		t.Fatalf("owner said %q, %v, want %q", line, err, want)
	}
}

func waitForEnd() { io.Copy(io.Discard, os.Stdin) }

func number(s string) int {
	n, err := strconv.Atoi(s)
	check(err)
	return n
}

// check ends an owner's part that went wrong.
func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "owner:", err)
		os.Exit(1)
	}
}

// recordOf reads the ledger and returns the record of one owner.
func recordOf(t testing.TB, dir string, id procid.Identity) ledger.OwnerRecord {
	t.Helper()
	records, err := ledger.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if r.Owner == id {
			return r
		}
	}
	t.Fatalf("there is no record of %v in %s", id, asJSON(records))
	return ledger.OwnerRecord{}
}

func processes(entries []ledger.Entry) map[procid.Identity]bool {
	found := map[procid.Identity]bool{}
	for _, e := range entries {
		found[e.Process] = true
	}
	return found
}

func asJSON(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

func waitFor(t testing.TB, what string, done func() bool) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for !done() {
		if time.Now().After(deadline) {
			t.Fatalf("waited 20 s in vain for %s", what)
		}
		time.Sleep(time.Millisecond)
	}
}

// campaign is the number of rounds: few by default, many with HOLDFAST_E2E.
func campaign(few, many int) int {
	if os.Getenv("HOLDFAST_E2E") != "" {
		return many
	}
	return few
}
