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
// the signal's number if a signal ended it), and the editor is told why. If one
// side does not speak the protocol, the server is ended.
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

// drain is how long output of the server is read after its end.
const drain = time.Second

// Run starts the server and returns its exit code when it has ended. When the
// editor's stream ends, the server's does, and the server has [child.Delay] to
// end. After that, or when ctx is done, it is interrupted, and killed another
// [child.Delay] later.
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
		return ending{waited: cmd.Wait()}.exitCode()
	}
	ended, err := p.connect(ctx, cancel, cmd, stdin, stdout)
	if err != nil {
		return p.failed(stderr, err)
	}
	end := ended()
	if reason := end.reason(); reason != "" {
		fmt.Fprintf(stderr, "holdfast: lsp: %s ended: %s\n", p.Command[0], reason)
	}
	return end.exitCode()
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
// function that it returns waits for the end of the server, which cancel brings
// about.
func (p Proxy) connect(ctx context.Context, cancel func(), cmd *exec.Cmd, stdin io.Reader, stdout io.Writer) (func() ending, error) {
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
	go l.serveEditor(ctx, cancel, stdin, serverIn)
	passed := make(chan struct{})
	go func() {
		defer close(passed)
		if l.fromServer(fromServer); l.misread.Load() != nil {
			cancel() // it would wait for somebody to read on
		}
	}()

	return func() ending {
		end := ending{waited: cmd.Wait()}
		_ = fromServer.SetReadDeadline(time.Now().Add(drain)) // somebody else may hold the other end
		<-passed
		fromServer.Close()
		stopWork()
		<-worked
		if misread := l.misread.Load(); misread != nil {
			end.misread = *misread
		}
		if reason := end.reason(); reason != "" && !l.leaving.Load() {
			l.Notify("window/showMessage", protocol.ShowMessage{
				Type: protocol.Error, Message: fmt.Sprintf("holdfast: %s ended: %s", p.Command[0], reason),
			})
		}
		return end
	}, nil
}

// A link is what the proxy knows of a connection.
type link struct {
	editor, server *jsonrpc.Writer
	workspace      *workspace.Workspace
	ctx            context.Context
	leaving        atomic.Bool           // the editor means the server to end
	misread        atomic.Pointer[error] // what was read that is not the protocol; nil if nothing was
	merging
}

// serveEditor passes on what the editor sends. At its end the server's input
// ends, and the server, if that is not enough for it.
func (l *link) serveEditor(ctx context.Context, cancel func(), stdin io.Reader, serverIn io.Closer) {
	l.fromEditor(stdin)
	l.leaving.Store(true)
	serverIn.Close()
	timer := time.AfterFunc(child.Delay, cancel)
	context.AfterFunc(ctx, func() { timer.Stop() })
}

// fromEditor reads until the stream ends or cannot be read.
func (l *link) fromEditor(stdin io.Reader) {
	for in := jsonrpc.NewReader(stdin); ; {
		header, body, err := in.Read()
		if err != nil {
			l.ended("the editor", err)
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
			l.ended("the server", err)
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

// ended notes why a stream could not be read on, if that is not just its end.
func (l *link) ended(who string, err error) {
	if errors.Is(err, jsonrpc.ErrNotFramed) {
		err = fmt.Errorf("reading from %s: %w", who, err)
		l.misread.CompareAndSwap(nil, &err)
	}
}
