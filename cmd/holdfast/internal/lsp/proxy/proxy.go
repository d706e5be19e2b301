// Package proxy puts holdfast into the connection between an editor and its
// language server, for editors that take one server a language.
//
// What it does not merge passes as the bytes that came, so methods, fields and
// extensions that it has never heard of work. It merges
//
//   - textDocument/publishDiagnostics: each side's last word on a file stands
//     until that side says otherwise;
//   - the answers to textDocument/codeAction, codeLens and hover: the server's
//     and then ours. An answer waits for ours no longer than it takes to look up
//     what is known, except for a hover on a marker or directive. An error of the
//     server's stays one.
//
// Requests of ours have IDs of their own, and the server never sees their
// answers. When the server ends, so does the proxy, with its exit code (128 and
// the signal's number if a signal ended it), and the editor is told why.
package proxy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/check"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/child"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/jsonrpc"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/protocol"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/workspace"
)

// A Proxy stands between one editor and one server.
type Proxy struct {
	Settings func() (*check.Settings, error) // makes a new value for each module
	Command  []string                        // the server and its arguments
}

// couldNotRun is the exit code if there is no server.
const couldNotRun = 2

// drain is how long output of the server is read after its end.
const drain = time.Second

// Run starts the server and returns its exit code when it has ended. When the
// editor's stream ends, the server's does, and when ctx is done the server is
// interrupted; either way it has [child.Delay] to end before it is killed.
func (p Proxy) Run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.Command[0], p.Command[1:]...)
	cmd.Stderr = stderr
	if !p.serves() {
		cmd.Stdin, cmd.Stdout = stdin, stdout
		if err := child.Start(cmd); err != nil {
			return p.failed(stderr, err)
		}
		return exitCode(cmd.Wait())
	}
	ended, err := p.connect(ctx, cmd, stdin, stdout)
	if err != nil {
		return p.failed(stderr, err)
	}
	waited := ended()
	if reason := unexpected(waited); reason != "" {
		fmt.Fprintf(stderr, "holdfast: lsp: %s ended: %s\n", p.Command[0], reason)
	}
	return exitCode(waited)
}

// serves reports whether the server speaks the protocol, and not, as "gopls
// version", with a person.
func (p Proxy) serves() bool {
	for _, arg := range p.Command[1:] {
		if !strings.HasPrefix(arg, "-") {
			return arg == "serve"
		}
	}
	return true
}

func (p Proxy) failed(stderr io.Writer, err error) int {
	fmt.Fprintf(stderr, "holdfast: lsp: starting the server that -wrap names: %v\n", err)
	return couldNotRun
}

// connect starts the server and all that goes on between it and the editor. The
// function that it returns waits for the end of the server.
func (p Proxy) connect(ctx context.Context, cmd *exec.Cmd, stdin io.Reader, stdout io.Writer) (func() error, error) {
	serverIn, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	fromServer, toUs, err := os.Pipe() // and not StdoutPipe, which must not be read once the server has ended
	if err != nil {
		return nil, err
	}
	cmd.Stdout = toUs
	err = child.Own(cmd)
	toUs.Close()
	if err != nil {
		fromServer.Close()
		return nil, err
	}

	l := &link{
		editor: jsonrpc.NewWriter(stdout),
		server: jsonrpc.NewWriter(serverIn),
		merging: merging{
			pending: make(map[string]*pending), asking: make(map[string]func(error)), files: make(map[string]*file),
		},
	}
	l.workspace = workspace.New(l, p.Settings)
	l.workspace.Freshness = 0
	workCtx, stopWork := context.WithCancel(ctx)
	l.ctx = workCtx
	worked := make(chan struct{})
	go func() { defer close(worked); _ = l.workspace.Run(workCtx) }()
	go p.fromEditor(ctx, l, cmd, stdin, serverIn)
	passed := make(chan struct{})
	go func() { defer close(passed); l.fromServer(fromServer) }()

	return func() error {
		waited := cmd.Wait()
		_ = fromServer.SetReadDeadline(time.Now().Add(drain)) // somebody else may hold the other end
		<-passed
		fromServer.Close()
		stopWork()
		<-worked
		if reason := unexpected(waited); reason != "" && !l.leaving.Load() {
			l.Notify("window/showMessage", protocol.ShowMessage{
				Type: protocol.Error, Message: fmt.Sprintf("holdfast: %s ended: %s", p.Command[0], reason),
			})
		}
		return waited
	}, nil
}

// fromEditor passes on what the editor sends. At its end the server's input ends.
func (p Proxy) fromEditor(ctx context.Context, l *link, cmd *exec.Cmd, stdin io.Reader, serverIn io.Closer) {
	l.fromEditor(stdin)
	l.leaving.Store(true)
	serverIn.Close()
	timer := time.AfterFunc(child.Delay, func() { _ = cmd.Cancel() })
	context.AfterFunc(ctx, func() { timer.Stop() })
}

// A link is what the proxy knows of a connection.
type link struct {
	editor, server *jsonrpc.Writer
	workspace      *workspace.Workspace
	ctx            context.Context
	leaving        atomic.Bool // the editor means the server to end
	merging
}

// fromEditor reads until the stream ends or cannot be read.
func (l *link) fromEditor(stdin io.Reader) {
	for in := jsonrpc.NewReader(stdin); ; {
		header, body, err := in.Read()
		if err != nil {
			return
		}
		id, method, ok := jsonrpc.Peek(body)
		if ok && method == "" && isOurs(id) {
			l.answered(id, body)
			continue
		}
		if ok {
			l.expect(id, method, body)
		}
		if l.server.WriteRaw(header, body) != nil {
			return // the server has ended
		}
		if ok {
			l.overhear(method, body)
		}
	}
}

// overhear takes what the editor tells the server and concerns us too.
func (l *link) overhear(method string, body []byte) {
	switch {
	case method == "initialize":
		if m, err := jsonrpc.Parse(body); err == nil {
			var p protocol.InitializeParams
			if json.Unmarshal(m.Params, &p) == nil {
				l.workspace.Initialize(p.Capabilities)
			}
		}
	case method == "exit":
		l.leaving.Store(true)
	case method == "$/cancelRequest":
		l.cancel(body)
	case workspace.Listens(method):
		if m, err := jsonrpc.Parse(body); err == nil {
			_ = l.workspace.Notify(method, m.Params) // what is wrong with it, the server says
		}
	}
}

// fromServer reads until the stream ends or cannot be read.
func (l *link) fromServer(out io.Reader) {
	for in := jsonrpc.NewReader(out); ; {
		header, body, err := in.Read()
		if err != nil {
			return
		}
		id, method, ok := jsonrpc.Peek(body)
		switch {
		case ok && method == "textDocument/publishDiagnostics":
			l.theirs(header, body)
		case ok && method == "" && id != nil:
			l.answer(id, header, body)
		default:
			_ = l.editor.WriteRaw(header, body) // an editor that is gone is noticed by who reads from it
		}
	}
}

// unexpected says how a server ended that nobody had asked to, or "".
func unexpected(waited error) string {
	var exit *exec.ExitError
	if errors.As(waited, &exit) {
		return exit.ProcessState.String()
	}
	return ""
}

// exitCode is what a shell would say of a program that has ended.
func exitCode(waited error) int {
	var exit *exec.ExitError
	switch {
	case waited == nil:
		return 0
	case !errors.As(waited, &exit):
		return couldNotRun
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return exit.ExitCode()
}
