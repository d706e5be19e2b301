// Package workspace judges the Go files that are open in an editor, as they are
// there, saved or not, with the engine of "holdfast check".
//
// What it knows of a file is always about one text. An edit stops a run that is
// under way, a result about older text is dropped, and a file that is closed or
// does not compile has no findings of its own any more. What is not open is not
// shown: that is for "holdfast check" to say.
//
// The folders of open files are judged together, one run of the go command at
// a time: first those that were edited, then the others, which may depend on
// them.
package workspace

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/check"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/protocol"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/text"
)

// A Client is the editor. Its methods are safe for concurrent use.
type Client interface {
	// Publish replaces what is shown of a document.
	Publish(protocol.PublishDiagnostics)
	// Notify sends a notification.
	Notify(method string, params any)
	// Ask sends a request and returns without its answer. Once that comes,
	// answered is called, with an error if the editor refuses or is gone; nil
	// is for requests whose answer does not matter.
	Ask(method string, params any, answered func(error))
}

// A Workspace is what one editor has open. It is safe for concurrent use.
type Workspace struct {
	// Freshness is how long a request waits for the result of the text at
	// hand, before there is nothing to offer. It is set before use.
	Freshness time.Duration

	client   *outbox
	settings func() (*check.Settings, error)

	mu           sync.Mutex
	capabilities protocol.ClientCapabilities
	documents    map[string]*document // by path
	pending      queue
	edits        int       // counts whatever makes a result old
	lastEdit     time.Time // zero: nothing was edited, so nothing is waited for
	lastRun      time.Duration
	stop         func()          // stops the run under way; nil if there is none
	changed      chan struct{}   // closed and replaced when a run has ended
	wake         chan struct{}   // has an element if the queue has
	said         map[string]bool // what the person was told
	problems     string          // the last ones that were logged
	probe        func(probe) (*check.Judgement, error)
}

// A document is an open file.
type document struct {
	uri     string // as the editor spells it
	path    string
	version int
	text    *text.Text
	judged  *judged // nil before the first result
	shown   bool    // the editor shows diagnostics of ours
}

// judged is what is known about one text of a document.
type judged struct {
	text     *text.Text
	findings []*finding.Finding
	accepted map[*finding.Finding]string // by the baseline, with its reason
	advice   []*finding.Finding
	entries  []*finding.Finding // what runs on a loop
	failed   bool               // the package could not be judged
}

// freshness is the default: about what a small package takes.
const freshness = 500 * time.Millisecond

// New returns a workspace with nothing open. settings makes a new value for
// each module. Nothing is judged before [Workspace.Run].
func New(client Client, settings func() (*check.Settings, error)) *Workspace {
	return &Workspace{
		Freshness: freshness,
		client:    newOutbox(client),
		settings:  settings,
		documents: make(map[string]*document),
		pending:   newQueue(),
		changed:   make(chan struct{}),
		wake:      make(chan struct{}, 1),
		said:      make(map[string]bool),
	}
}

// Initialize takes what the editor can do.
func (w *Workspace) Initialize(capabilities protocol.ClientCapabilities) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.capabilities = capabilities
}

// Notify takes a notification of the editor. It returns at once; methods that
// are of no interest are passed over.
func (w *Workspace) Notify(method string, params json.RawMessage) error {
	switch method {
	case "textDocument/didOpen":
		return take(params, w.open)
	case "textDocument/didChange":
		return take(params, w.change)
	case "textDocument/didClose":
		return take(params, w.close)
	case "textDocument/didSave":
		return take(params, w.save)
	case "workspace/didChangeWatchedFiles":
		return take(params, w.filesChanged)
	}
	return nil
}

// Listens reports whether [Workspace.Notify] has a use for the method.
func Listens(method string) bool {
	switch method {
	case "textDocument/didOpen", "textDocument/didChange", "textDocument/didClose",
		"textDocument/didSave", "workspace/didChangeWatchedFiles":
		return true
	}
	return false
}

func take[P any](data json.RawMessage, f func(P) error) error {
	var params P
	if err := json.Unmarshal(data, &params); err != nil {
		return fmt.Errorf("reading what the editor says: %w", err)
	}
	return f(params)
}

func (w *Workspace) open(p protocol.DidOpen) error {
	path, err := protocol.Path(p.TextDocument.URI)
	if err != nil || !strings.HasSuffix(path, ".go") {
		return nil // an untitled buffer, or none of Go's
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.documents[path] = &document{
		uri: p.TextDocument.URI, path: path, version: p.TextDocument.Version, text: text.New(p.TextDocument.Text),
	}
	w.dirty(filepath.Dir(path))
	return nil
}

func (w *Workspace) change(p protocol.DidChange) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	d := w.document(p.TextDocument.URI)
	if d == nil {
		return nil
	}
	changed, err := d.text.Apply(p.ContentChanges)
	if err != nil {
		return err
	}
	d.text = changed
	if p.TextDocument.Version != nil {
		d.version = *p.TextDocument.Version
	}
	w.lastEdit = time.Now()
	w.dirty(filepath.Dir(d.path))
	return nil
}

func (w *Workspace) close(p protocol.DidClose) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	d := w.document(p.TextDocument.URI)
	if d == nil {
		return nil
	}
	delete(w.documents, d.path)
	if d.shown {
		w.client.Publish(protocol.PublishDiagnostics{URI: d.uri, Diagnostics: []protocol.Diagnostic{}})
	}
	w.dirty(filepath.Dir(d.path)) // its unsaved text is gone
	return nil
}

// save judges everything again: an editor that watches no files tells no more
// of what else has changed.
func (w *Workspace) save(protocol.DidClose) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.allDirty()
	return nil
}

func (w *Workspace) filesChanged(p protocol.DidChangeWatchedFiles) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, event := range p.Changes {
		path, err := protocol.Path(event.URI)
		if err != nil {
			continue
		}
		if d := w.documents[path]; d == nil || event.Type != 2 { // the text of an open file is the editor's
			w.allDirty()
			return nil
		}
	}
	return nil
}

// document returns an open document, or nil.
func (w *Workspace) document(uri string) *document {
	path, err := protocol.Path(uri)
	if err != nil {
		return nil
	}
	return w.documents[path]
}

// dirty queues a folder whose text has changed, and after it the others, and
// ends a run about older text.
func (w *Workspace) dirty(dir string) {
	w.pending.first[dir] = true
	w.allDirty()
}

func (w *Workspace) allDirty() {
	w.edits++
	for path := range w.documents {
		w.pending.later[filepath.Dir(path)] = true
	}
	if w.stop != nil {
		w.stop()
	}
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// all returns everything that was said about the text.
func (j *judged) all() []*finding.Finding { return slices.Concat(j.findings, j.advice) }
