// Package server is a language server that has nothing but holdfast to say. It
// runs beside gopls in editors that take several servers.
package server

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/check"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/jsonrpc"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/protocol"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/workspace"
)

// A Server serves one editor.
type Server struct {
	Settings func() (*check.Settings, error) // makes a new value for each module
	Version  string
}

// ErrNoShutdown says that the editor left without saying so before.
var ErrNoShutdown = errors.New("the editor ended the connection without a shutdown request")

// errExit ends a connection because the editor said so.
var errExit = errors.New("the editor said exit")

// Serve serves the editor at the other end of the streams until it says exit,
// the stream ends, or ctx is done. Reading in is not interrupted: close it.
func (s Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, end := context.WithCancelCause(ctx)
	conn := jsonrpc.NewConn(in, out)
	h := &handler{version: s.Version, conn: conn, exit: func() { end(errExit) }}
	h.workspace = workspace.New(client{conn, ctx}, s.Settings)

	worked := make(chan struct{})
	go func() {
		defer close(worked)
		end(h.workspace.Run(ctx)) // before its time, if there is no temporary folder
	}()
	served := make(chan error, 1)
	go func() { served <- conn.Serve(ctx, h) }()
	var err error
	select {
	case err = <-served:
	case <-ctx.Done():
		if err = context.Cause(ctx); err == errExit {
			<-served // what was asked before is answered, and nobody waits in a read
		}
	}
	end(err)
	<-worked
	switch {
	case err != nil && err != errExit && !errors.Is(err, context.Canceled):
		return err
	case h.hasShutDown():
		return nil
	}
	return ErrNoShutdown
}

// A client is the editor as the workspace sees it. Errors of its stream are
// noticed by who reads from it.
type client struct {
	conn *jsonrpc.Conn
	ctx  context.Context
}

func (c client) Publish(p protocol.PublishDiagnostics) {
	_ = c.conn.Notify("textDocument/publishDiagnostics", p)
}

func (c client) Notify(method string, params any) { _ = c.conn.Notify(method, params) }

func (c client) Ask(method string, params any, answered func(error)) {
	go func() {
		err := c.conn.Call(c.ctx, method, params, nil)
		if answered != nil {
			answered(err)
		}
	}()
}

// A handler is the server's side of the protocol.
type handler struct {
	version   string
	workspace *workspace.Workspace
	conn      *jsonrpc.Conn
	exit      func()

	mu       sync.Mutex
	watches  bool
	ready    bool // was initialised
	shutdown bool
}

func (h *handler) Notify(method string, params json.RawMessage) {
	switch method {
	case "initialized":
		h.watch()
	case "exit":
		h.exit()
	default:
		if err := h.workspace.Notify(method, params); err != nil {
			_ = h.conn.Notify("window/logMessage", protocol.ShowMessage{Type: protocol.Error, Message: "holdfast: " + err.Error()})
		}
	}
}

func (h *handler) Call(method string, params json.RawMessage) func(context.Context) (any, error) {
	switch {
	case method == "initialize":
		return h.initialize(params)
	case !h.isReady():
		return fail(jsonrpc.NotInitialized, "there was no initialize request")
	case h.hasShutDown():
		return fail(jsonrpc.InvalidRequest, "the server has been shut down")
	}
	switch method {
	case "shutdown":
		h.setShutDown()
		return func(context.Context) (any, error) { return nil, nil }
	case "textDocument/codeAction":
		return answer(params, func(ctx context.Context, p protocol.CodeActionParams) (any, error) {
			return orEmpty(h.workspace.Actions(ctx, p)), nil
		})
	case "textDocument/hover":
		return answer(params, func(ctx context.Context, p protocol.HoverParams) (any, error) {
			return h.workspace.Hover(ctx, p)
		})
	case "textDocument/codeLens":
		return answer(params, func(ctx context.Context, p protocol.CodeLensParams) (any, error) {
			return orEmpty(h.workspace.Lenses(ctx, p)), nil
		})
	}
	return fail(jsonrpc.MethodNotFound, "holdfast does not know "+method)
}

func answer[P any](data json.RawMessage, f func(context.Context, P) (any, error)) func(context.Context) (any, error) {
	var params P
	if err := json.Unmarshal(data, &params); err != nil {
		return fail(jsonrpc.InvalidParams, err.Error())
	}
	return func(ctx context.Context) (any, error) { return f(ctx, params) }
}

func fail(code int, message string) func(context.Context) (any, error) {
	return func(context.Context) (any, error) { return nil, &jsonrpc.Error{Code: code, Message: message} }
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// initialize takes what the editor can do at once: its next message may need it.
func (h *handler) initialize(data json.RawMessage) func(context.Context) (any, error) {
	var p protocol.InitializeParams
	if err := json.Unmarshal(data, &p); err != nil {
		return fail(jsonrpc.InvalidParams, err.Error())
	}
	h.workspace.Initialize(p.Capabilities)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ready = true
	h.watches = p.Capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration
	result := protocol.InitializeResult{
		Capabilities: map[string]any{
			"positionEncoding":   "utf-16",
			"textDocumentSync":   map[string]any{"openClose": true, "change": 2, "save": true}, // 2: incremental
			"codeActionProvider": map[string]any{"codeActionKinds": []string{protocol.QuickFix}},
			"hoverProvider":      true,
			"codeLensProvider":   map[string]any{},
		},
		ServerInfo: protocol.ServerInfo{Name: "holdfast", Version: h.version},
	}
	return func(context.Context) (any, error) { return result, nil }
}

// watch asks the editor to tell of changes to files that are not open.
func (h *handler) watch() {
	h.mu.Lock()
	watches := h.watches
	h.mu.Unlock()
	if !watches {
		return
	}
	params := protocol.Registrations{Registrations: []protocol.Registration{{
		ID: "holdfast-files", Method: "workspace/didChangeWatchedFiles",
		Options: protocol.WatchOptions{Watchers: []protocol.Watcher{
			{Pattern: "**/*.go"}, {Pattern: "**/{go.mod,go.work,holdfast.toml,holdfast.baseline}"},
		}},
	}}}
	go func() { _ = h.conn.Call(context.Background(), "client/registerCapability", params, nil) }()
}

func (h *handler) isReady() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.ready
}

func (h *handler) hasShutDown() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.shutdown
}

func (h *handler) setShutDown() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.shutdown = true
}
