package lsp_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/jsonrpc"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/protocol"
)

// TestBytesPassUnchanged has cat for a server: what the editor sends comes back
// through both directions.
func TestBytesPassUnchanged(t *testing.T) {
	cat := program(t, "cat")
	frames := []string{
		frame("Content-Length: %d\r\n", `{"jsonrpc":"2.0","id":1,"method":"$/neverHeardOf","params":{"z":1,"a":[1.0e3, "\u00e9"]}}`),
		frame("content-type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d\r\n", `{ "params" : {} , "method":"x/y" }`),
		frame("Content-Length: %d\r\n", `{"id":"a\"b","result":{"method":"textDocument/hover","nested":{"id":7}},"extra":null}`),
		frame("Content-Length: %d\r\n", `{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":"file:///x.go","diagnostics":[],"unknown":true}}`),
		frame("Content-Length: %d\r\n", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"}{"}}`),
		frame("Content-Length: %d\r\n", `this is no JSON`),
		frame("Content-Length: %d\r\n", `[{"jsonrpc":"2.0","id":5,"method":"batch"}]`),
		frame("Content-Length: %d\r\n", ``),
		frame("Content-Length: %d\r\n", `{"jsonrpc":"2.0","method":"big","params":"`+strings.Repeat(`\\é{[`, 200_000)+`"}`),
	}
	sent := strings.Join(frames, "")
	var got, stderr bytes.Buffer
	code := command().Run(t.Context(), []string{"-wrap", cat}, strings.NewReader(sent), &got, &stderr)
	if code != 0 || got.String() != sent {
		t.Errorf("code %d, %d bytes came back of %d: %.400q, stderr %s", code, got.Len(), len(sent), got.String(), &stderr)
	}
}

func frame(header, body string) string { return fmt.Sprintf(header, len(body)) + "\r\n" + body }

// TestServersEnd passes on how the server has ended.
func TestServersEnd(t *testing.T) {
	sh := program(t, "sh")
	tests := []struct {
		script     string
		code       int
		want, shut string
	}{
		{"exit 0", 0, "", ""},
		{"exit 3", 3, "ended: exit status 3", "ended: exit status 3"},
		{"kill -9 $$", 128 + int(syscall.SIGKILL), "ended: signal: killed", "ended: signal: killed"},
		{"sleep 300 & exit 4", 4, "exit status 4", "exit status 4"}, // which holds on to the output
		{"trap '' INT; echo hello; exit 5", 5, `reading from the server: this is no message of the language server protocol: "hello"`, "is no header"},
		{"echo hello; exec cat", 2, "is no header", "is no header"}, // nobody reads what it says
	}
	for _, test := range tests {
		t.Run(test.script, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "server")
			if err := os.WriteFile(path, []byte("#!"+sh+"\n"+strings.ReplaceAll(test.script, "&", "& echo $! >"+path+".pid;")+"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			in, keep := io.Pipe() // the editor stays
			defer keep.Close()
			var stdout, stderr bytes.Buffer
			code := command().Run(t.Context(), []string{"-wrap", path}, in, &stdout, &stderr)
			if code != test.code {
				t.Errorf("exit code %d, want %d", code, test.code)
			}
			if !strings.Contains(stderr.String(), test.want) || !strings.Contains(stdout.String(), test.shut) {
				t.Errorf("stderr %q, the editor was told %q", &stderr, &stdout)
			}
			if pid, err := os.ReadFile(path + ".pid"); err == nil {
				n, _ := strconv.Atoi(strings.TrimSpace(string(pid)))
				kill(n)
			}
		})
	}
}

// TestTheEditorGoesAway ends the server.
func TestTheEditorGoesAway(t *testing.T) {
	cat := program(t, "cat")
	in, editor := io.Pipe()
	ended := make(chan int)
	go func() {
		ended <- command().Run(t.Context(), []string{"-wrap", cat}, in, io.Discard, io.Discard)
	}()
	editor.Close()
	if code := <-ended; code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// TestTheEditorIsNotUnderstood ends a server that lives on, and that without success.
func TestTheEditorIsNotUnderstood(t *testing.T) {
	cat := program(t, "cat")
	var stderr bytes.Buffer
	code := command().Run(t.Context(), []string{"-wrap", cat}, strings.NewReader("hello\n"), io.Discard, &stderr)
	if code != 2 || !strings.Contains(stderr.String(), `reading from the editor: this is no message of the language server protocol: "hello" is no header`) {
		t.Errorf("exit code %d, stderr %q", code, &stderr)
	}
}

// TestAServerThatEndsForNothing is killed when its editor has gone.
func TestAServerThatEndsForNothing(t *testing.T) {
	if os.Getenv("HOLDFAST_E2E") != "1" {
		t.Skip("HOLDFAST_E2E=1 waits twice for as long as a server may take")
	}
	sh := program(t, "sh")
	path := filepath.Join(t.TempDir(), "server")
	if err := os.WriteFile(path, []byte("#!"+sh+"\ntrap '' INT TERM\nwhile :; do sleep 1; done\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	code := command().Run(t.Context(), []string{"-wrap", path}, strings.NewReader(""), io.Discard, io.Discard)
	if want := 128 + int(syscall.SIGKILL); code != want {
		t.Errorf("exit code %d, want %d", code, want)
	}
}

// TestOtherSubcommandsOfTheServer are run as they are: "gopls version".
func TestOtherSubcommandsOfTheServer(t *testing.T) {
	echo := program(t, "echo")
	var out bytes.Buffer
	code := command().Run(t.Context(), []string{"-wrap", echo, "-v", "version"}, strings.NewReader(""), &out, io.Discard)
	if code != 0 || out.String() != "-v version\n" {
		t.Errorf("code %d, printed %q", code, &out)
	}
}

// goplsVersion is the server that the proxy is tested with.
const goplsVersion = "v0.23.0"

// gopls builds the real server. It is there only in the long form of the tests.
func gopls(t testing.TB) string {
	t.Helper()
	if path := os.Getenv("HOLDFAST_TEST_GOPLS"); path != "" {
		return path
	}
	if os.Getenv("HOLDFAST_E2E") != "1" {
		t.Skip("HOLDFAST_E2E=1 builds gopls and runs it")
	}
	path, err := builtGopls()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// builtGopls builds once for all tests. TestMain removes its folder.
var builtGopls = sync.OnceValues(func() (string, error) {
	bin, err := os.MkdirTemp(scratch, "bin")
	if err != nil {
		return "", err
	}
	cmd := exec.Command("go", "install", "golang.org/x/tools/gopls@"+goplsVersion)
	cmd.Dir, cmd.Env = bin, append(os.Environ(), "GOBIN="+bin, "GOFLAGS=", "TMPDIR="+bin)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building gopls: %w: %s", err, out)
	}
	return filepath.Join(bin, "gopls"), nil
})

// behindGopls starts a session with the real server behind the proxy.
func behindGopls(t *testing.T, path, archive string) *session {
	t.Helper()
	t.Setenv("GOPLSCACHE", t.TempDir())
	t.Setenv("GOTELEMETRY", "off")
	return start(t, archive, "-wrap", path, "serve")
}

const printfModule = loopModule + `
-- print.go --
package main

import (
	"fmt"
	"os"
)

//holdfast:loop
func show(name string) { fmt.Printf("%d\n", name); os.Remove(name) }
`

func TestGopls(t *testing.T) {
	path := gopls(t)
	t.Run("diagnostics and actions of both", func(t *testing.T) {
		s := behindGopls(t, path, printfModule)
		s.Open("print.go")
		s.Wants("print.go", "printf", "wrong type")
		s.ours("print.go", "[8,51] loop-block show runs on an event loop and waits on disk")
		s.Replace("print.go", "os.Remove(name)", `os.Remove("🙂"+name)`)
		s.Replace("print.go", "package main", "package main\n\n// A line more.")
		s.ours("print.go", "[10,51] loop-block")
		s.Apply(s.Actions("print.go", "holdfast"), "Add loop-block marker")
		s.ours("print.go", "[11,51] loop-block", "marker this loop-block marker")
		s.Replace("print.go", "why?", "the file lies on a tmpfs")
		s.ours("print.go")
		s.Wants("print.go", "printf", "wrong type")
		s.Replace("print.go", "%d", "%s")
		s.Wants("print.go", "printf")
		s.quit(0)
	})
	t.Run("hovers, lenses and methods that nobody merges", func(t *testing.T) {
		s := behindGopls(t, path, loopModule)
		s.Open("main.go")
		s.ours("main.go", onDisk)
		if got := s.Hover("main.go", "handle(event"); !strings.Contains(got, "func handle(event string)") || strings.Contains(got, "holdfast**") {
			t.Errorf("hover on code: %s", got)
		}
		s.wantHover("main.go", "//holdfast:loop", "Runs on an event loop")
		if got := s.Lenses("main.go"); !slices.Contains(got, "event loop") {
			t.Errorf("lenses: %q", got)
		}
		var definition []protocol.Location
		s.Call("textDocument/definition", protocol.HoverParams{
			TextDocument: protocol.TextDocument{URI: s.URI("main.go")}, Position: protocol.Position{Line: 4, Character: 15},
		}, &definition)
		if len(definition) != 1 || definition[0].Range.Start.Line != 9 {
			t.Errorf("definition: %v", definition)
		}
		if err := s.TryCall("gopls/neverHeardOf", nil, nil); err == nil {
			t.Error("an unknown method has an answer")
		}
		var symbols []json.RawMessage
		s.Call("workspace/symbol", map[string]string{"query": "handle"}, &symbols)
		if len(symbols) == 0 {
			t.Error("there are no symbols")
		}
		s.quit(0)
	})
	t.Run("broken code is left to gopls", func(t *testing.T) {
		s := behindGopls(t, path, loopModule)
		s.Open("main.go")
		s.ours("main.go", onDisk)
		s.Replace("main.go", "os.Remove(event)", "os.Remove(evnt)")
		s.Wants("main.go", "compiler", "undefined: evnt")
		s.ours("main.go")
		s.Replace("main.go", "evnt", "event")
		s.Wants("main.go", "compiler")
		s.ours("main.go", onDisk)
		s.quit(0)
	})
	t.Run("gopls is killed", func(t *testing.T) {
		s := behindGopls(t, path, loopModule)
		s.Open("main.go")
		s.ours("main.go", onDisk)
		pids := childrenNamed(t, "gopls")
		if len(pids) == 0 {
			t.Fatal("there is no gopls")
		}
		for _, pid := range pids {
			if err := kill(pid); err != nil {
				t.Fatal(err)
			}
		}
		if code := <-s.code; code != 128+int(syscall.SIGKILL) {
			t.Errorf("exit code %d", code)
		}
		<-s.Done()
		if s.Seen("window/showMessage") == 0 {
			t.Error("the person was not told")
		}
		s.nothingLeft("holdfast")
	})
}

func kill(pid int) error {
	process, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return process.Kill()
}

// childrenNamed returns the children of this process that run a program.
func childrenNamed(t testing.TB, name string) []int {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	lists, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, list := range lists {
		data, err := os.ReadFile(list)
		if err != nil {
			continue // the thread has ended
		}
		for field := range strings.FieldsSeq(string(data)) {
			comm, err := os.ReadFile("/proc/" + field + "/comm")
			if err != nil || name != "" && strings.TrimSpace(string(comm)) != name {
				continue
			}
			pid, err := strconv.Atoi(field)
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, pid)
		}
	}
	return pids
}

// BenchmarkProxy compares a server's answer with and without the proxy, on
// messages of two sizes. The server is cat.
func BenchmarkProxy(b *testing.B) {
	cat := program(b, "cat")
	for _, size := range []int{1_000, 300_000} {
		body := []byte(`{"jsonrpc":"2.0","id":1,"result":"` + strings.Repeat("x", size) + `"}`)
		b.Run(fmt.Sprintf("%d bytes", size), func(b *testing.B) {
			alone, through := roundTrips(b, cat), roundTrips(b, cat, "proxy")
			var a, p []time.Duration
			for b.Loop() {
				a = append(a, alone(body))
				p = append(p, through(body))
			}
			b.ReportMetric(float64(median(a).Microseconds()), "µs-alone")
			b.ReportMetric(float64(median(p).Microseconds()), "µs-proxy")
			b.ReportMetric(float64((median(p) - median(a)).Microseconds()), "µs-added")
		})
	}
}

// roundTrips returns what times one message to cat and back.
func roundTrips(b *testing.B, cat string, proxied ...string) func([]byte) time.Duration {
	var in io.WriteCloser
	var out io.Reader
	if proxied == nil {
		cmd := exec.Command(cat)
		in, _ = cmd.StdinPipe()
		out, _ = cmd.StdoutPipe()
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { in.Close(); cmd.Wait() })
	} else {
		fromEditor, toProxy, _ := os.Pipe()
		fromProxy, toEditor, _ := os.Pipe()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			command().Run(b.Context(), []string{"-wrap", cat}, fromEditor, toEditor, io.Discard)
		}()
		in, out = toProxy, fromProxy
		b.Cleanup(func() { in.Close(); <-ended })
	}
	reader, writer := jsonrpc.NewReader(out), jsonrpc.NewWriter(in)
	return func(body []byte) time.Duration {
		begin := time.Now()
		wrote := make(chan error, 1)
		go func() { wrote <- writer.Write(body) }() // which waits for a reader if the message is large
		_, _, err := reader.Read()
		if err = errors.Join(err, <-wrote); err != nil {
			b.Fatal(err)
		}
		return time.Since(begin)
	}
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}
