// Package lsptest is an editor without a screen, for tests of language servers.
package lsptest

import (
	"cmp"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/jsonrpc"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/protocol"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/text"
)

// Patience bounds whatever a test waits for.
const Patience = 90 * time.Second

// An Editor has files open. Its methods fail the test if something is wrong,
// and are for the test's goroutine alone.
type Editor struct {
	t    testing.TB
	root string
	conn *jsonrpc.Conn
	in   io.Closer
	done chan struct{} // closed when the server's stream has ended

	versions map[string]int
	texts    map[string]*text.Text

	mu       sync.Mutex
	shown    map[string]protocol.PublishDiagnostics // by URI
	seen     map[string]int                         // what else the server sent, by method
	history  []protocol.PublishDiagnostics          // all of them
	progress []protocol.Progress                    // and "create", when the editor was asked
	said     []string                               // messages for the person
	refused  []string                               // methods that are answered with an error
	changed  chan struct{}
}

// Connect begins a session with the server at the other end of the streams. Each
// of without names a group of capabilities, such as "window", that this editor
// has not got.
func Connect(t testing.TB, root string, out io.Reader, in io.WriteCloser, without ...string) *Editor {
	t.Helper()
	e := &Editor{
		t: t, root: root, conn: jsonrpc.NewConn(out, in), in: in, done: make(chan struct{}),
		versions: make(map[string]int), texts: make(map[string]*text.Text),
		shown: make(map[string]protocol.PublishDiagnostics), seen: make(map[string]int),
		changed: make(chan struct{}),
	}
	go func() {
		defer close(e.done)
		_ = e.conn.Serve(context.Background(), (*listener)(e))
	}()
	var result protocol.InitializeResult
	e.Call("initialize", map[string]any{
		"processId":        os.Getpid(),
		"rootUri":          protocol.URI(root),
		"capabilities":     capabilities(without),
		"workspaceFolders": []protocol.Folder{{URI: protocol.URI(root), Name: "root"}},
	}, &result)
	if result.Capabilities["hoverProvider"] == nil {
		t.Fatalf("the server can do %v", result.Capabilities)
	}
	e.Notify("initialized", struct{}{})
	return e
}

// capabilities returns what editors of today can do, without parts of it.
func capabilities(without []string) map[string]any {
	all := map[string]any{
		"window": map[string]any{"workDoneProgress": true},
		"workspace": map[string]any{
			"workspaceEdit":         map[string]any{"documentChanges": true},
			"didChangeWatchedFiles": map[string]any{"dynamicRegistration": true},
			"codeLens":              map[string]any{"refreshSupport": true},
			"workspaceFolders":      true,
		},
		"textDocument": map[string]any{
			"publishDiagnostics": map[string]any{"versionSupport": true, "relatedInformation": true},
			"codeAction": map[string]any{"codeActionLiteralSupport": map[string]any{
				"codeActionKind": map[string]any{"valueSet": []string{"quickfix"}},
			}},
			"hover": map[string]any{"contentFormat": []string{"markdown"}},
		},
	}
	for _, name := range without {
		delete(all, name)
	}
	return all
}

// Call sends a request and waits for its answer.
func (e *Editor) Call(method string, params, result any) {
	e.t.Helper()
	if err := e.TryCall(method, params, result); err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
}

// TryCall is Call for requests that may fail.
func (e *Editor) TryCall(method string, params, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	return e.conn.Call(ctx, method, params, result)
}

// Notify sends a notification.
func (e *Editor) Notify(method string, params any) {
	e.t.Helper()
	if err := e.conn.Notify(method, params); err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
}

// Path returns the path of a file below the root.
func (e *Editor) Path(name string) string { return filepath.Join(e.root, filepath.FromSlash(name)) }

// URI returns the address of a file below the root.
func (e *Editor) URI(name string) string { return protocol.URI(e.Path(name)) }

// Open opens a file as it is on the disk.
func (e *Editor) Open(name string) {
	e.t.Helper()
	content, err := os.ReadFile(e.Path(name))
	if err != nil {
		e.t.Fatal(err)
	}
	e.OpenText(name, string(content))
}

// OpenText opens a file that need not be on the disk.
func (e *Editor) OpenText(name, content string) {
	e.t.Helper()
	e.versions[name]++
	e.texts[name] = text.New(content)
	e.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": e.URI(name), "languageId": "go", "version": e.versions[name], "text": content,
	}})
}

// IsOpen reports whether a file is open.
func (e *Editor) IsOpen(name string) bool { return e.texts[name] != nil }

// Text returns the text of an open file.
func (e *Editor) Text(name string) string { return e.texts[name].String() }

// Replace changes the first place that has the old text, and that alone.
func (e *Editor) Replace(name, old, new string) {
	e.t.Helper()
	at := strings.Index(e.Text(name), old)
	if at < 0 {
		e.t.Fatalf("%s has no %q:\n%s", name, old, e.Text(name))
	}
	where := e.texts[name].Range(at, at+len(old))
	e.change(name, protocol.Change{Range: &where, Text: new})
}

// SetText replaces the whole text.
func (e *Editor) SetText(name, content string) {
	e.t.Helper()
	e.change(name, protocol.Change{Text: content})
}

func (e *Editor) change(name string, changes ...protocol.Change) {
	e.t.Helper()
	changed, err := e.texts[name].Apply(changes)
	if err != nil {
		e.t.Fatal(err)
	}
	e.texts[name] = changed
	e.versions[name]++
	version := e.versions[name]
	e.Notify("textDocument/didChange", protocol.DidChange{
		TextDocument: protocol.TextDocument{URI: e.URI(name), Version: &version}, ContentChanges: changes,
	})
}

// Save writes the file.
func (e *Editor) Save(name string) {
	e.t.Helper()
	if err := os.MkdirAll(filepath.Dir(e.Path(name)), 0o755); err != nil {
		e.t.Fatal(err)
	}
	if err := os.WriteFile(e.Path(name), []byte(e.Text(name)), 0o600); err != nil {
		e.t.Fatal(err)
	}
	e.Notify("textDocument/didSave", protocol.DidClose{TextDocument: protocol.TextDocument{URI: e.URI(name)}})
}

// Close closes the file without saving.
func (e *Editor) Close(name string) {
	e.t.Helper()
	delete(e.texts, name)
	e.Notify("textDocument/didClose", protocol.DidClose{TextDocument: protocol.TextDocument{URI: e.URI(name)}})
}

// FileChanged tells the server of a file that somebody else wrote.
func (e *Editor) FileChanged(name string) {
	e.t.Helper()
	e.Notify("workspace/didChangeWatchedFiles", protocol.DidChangeWatchedFiles{
		Changes: []protocol.FileEvent{{URI: e.URI(name), Type: 2}},
	})
}

// Version returns the version of a file's text.
func (e *Editor) Version(name string) int { return e.versions[name] }

// Actions returns the quick fixes for the first diagnostic of a source.
func (e *Editor) Actions(name, source string) []protocol.CodeAction {
	e.t.Helper()
	shown, _ := e.Shown(name)
	for _, d := range shown {
		if d.Source != source {
			continue
		}
		var actions []protocol.CodeAction
		e.Call("textDocument/codeAction", map[string]any{
			"textDocument": map[string]any{"uri": e.URI(name)},
			"range":        d.Range,
			"context":      map[string]any{"diagnostics": []any{d}},
		}, &actions)
		return actions
	}
	e.t.Fatalf("%s shows nothing of %s", name, source)
	return nil
}

// Apply carries out the action whose title begins so.
func (e *Editor) Apply(actions []protocol.CodeAction, title string) {
	e.t.Helper()
	for _, action := range actions {
		if !strings.HasPrefix(action.Title, title) || action.Edit == nil {
			continue
		}
		for _, edit := range action.Edit.DocumentChanges {
			e.applyEdit(edit)
		}
		return
	}
	e.t.Fatalf("there is no action %q among %v", title, actions)
}

func (e *Editor) applyEdit(edit protocol.DocumentEdit) {
	e.t.Helper()
	path, err := protocol.Path(edit.TextDocument.URI)
	if err != nil {
		e.t.Fatal(err)
	}
	rel, err := filepath.Rel(e.root, path)
	if err != nil {
		e.t.Fatal(err)
	}
	name := filepath.ToSlash(rel)
	if v := edit.TextDocument.Version; v == nil || *v != e.versions[name] {
		e.t.Fatalf("an edit of %s is for another version than %d", name, e.versions[name])
	}
	slices.SortFunc(edit.Edits, func(a, b protocol.TextEdit) int { // last first, so that the others stay right
		return cmp.Or(cmp.Compare(b.Range.Start.Line, a.Range.Start.Line), cmp.Compare(b.Range.Start.Character, a.Range.Start.Character))
	})
	var changes []protocol.Change
	for _, one := range edit.Edits {
		changes = append(changes, protocol.Change{Range: &one.Range, Text: one.NewText})
	}
	e.change(name, changes...)
}

// Hover returns the text shown at the first place that has the given text.
func (e *Editor) Hover(name, at string) string {
	e.t.Helper()
	offset := strings.Index(e.Text(name), at)
	if offset < 0 {
		e.t.Fatalf("%s has no %q", name, at)
	}
	var hover *protocol.Hover
	e.Call("textDocument/hover", protocol.HoverParams{
		TextDocument: protocol.TextDocument{URI: e.URI(name)}, Position: e.texts[name].Position(offset + 1),
	}, &hover)
	if hover == nil {
		return ""
	}
	return hover.Contents.Value
}

// Lenses returns the titles of the code lenses of a file, each after its line.
func (e *Editor) Lenses(name string) []string {
	e.t.Helper()
	var lenses []protocol.CodeLens
	e.Call("textDocument/codeLens", protocol.CodeLensParams{TextDocument: protocol.TextDocument{URI: e.URI(name)}}, &lenses)
	var titles []string
	for _, lens := range lenses {
		if lens.Command != nil {
			titles = append(titles, lens.Command.Title)
		}
	}
	return titles
}

// Done is closed when the server's stream has ended.
func (e *Editor) Done() <-chan struct{} { return e.done }

// Quit ends the session as an editor does that is closed.
func (e *Editor) Quit() {
	e.t.Helper()
	e.Call("shutdown", nil, nil)
	e.Notify("exit", nil)
	e.Hang()
}

// Hang ends the connection, as an editor does that has crashed.
func (e *Editor) Hang() { e.in.Close() }
