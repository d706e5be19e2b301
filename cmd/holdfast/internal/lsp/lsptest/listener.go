package lsptest

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/jsonrpc"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/protocol"
)

// A listener is the editor as the server's messages reach it.
type listener Editor

func (l *listener) Notify(method string, params json.RawMessage) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen[method]++
	switch method {
	case "textDocument/publishDiagnostics":
		p := decode[protocol.PublishDiagnostics](l.t, method, params)
		l.shown[p.URI] = p
		l.history = append(l.history, p)
	case "$/progress":
		l.progress = append(l.progress, decode[protocol.Progress](l.t, method, params))
	case "window/workDoneProgress/create":
		asked := protocol.Progress{Token: decode[protocol.ProgressToken](l.t, method, params).Token}
		asked.Value.Kind = "create"
		l.progress = append(l.progress, asked)
	}
	if strings.HasPrefix(method, "window/") {
		l.said = append(l.said, string(params))
	}
	close(l.changed)
	l.changed = make(chan struct{})
}

func decode[P any](t testing.TB, method string, data json.RawMessage) P {
	var params P
	if err := json.Unmarshal(data, &params); err != nil {
		t.Errorf("the server sent %s with %s: %v", method, data, err)
	}
	return params
}

func (l *listener) Call(method string, params json.RawMessage) func(context.Context) (any, error) {
	l.Notify(method, params)
	l.mu.Lock()
	refused := slices.Contains(l.refused, method)
	l.mu.Unlock()
	return func(context.Context) (any, error) {
		if refused {
			return nil, &jsonrpc.Error{Code: jsonrpc.InternalError, Message: "refused"}
		}
		if method == "workspace/configuration" {
			return []any{map[string]any{}}, nil
		}
		return nil, nil
	}
}

// Shown returns what is shown of a file, and of which version.
func (e *Editor) Shown(name string) (diagnostics []protocol.Diagnostic, version int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	p := e.shown[e.URI(name)]
	if p.Version != nil {
		version = *p.Version
	}
	return p.Diagnostics, version
}

// History returns all that was ever published, in its order.
func (e *Editor) History() []protocol.PublishDiagnostics {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.history)
}

// Seen returns how often the server has sent a method.
func (e *Editor) Seen(method string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.seen[method]
}

// Progress returns the kinds of all progress that was shown, by its token.
func (e *Editor) Progress() map[string][]string {
	e.mu.Lock()
	defer e.mu.Unlock()
	kinds := make(map[string][]string)
	for _, p := range e.progress {
		kinds[p.Token] = append(kinds[p.Token], p.Value.Kind)
	}
	return kinds
}

// Refuse answers a method with an error from now on.
func (e *Editor) Refuse(method string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.refused = append(e.refused, method)
}

// Until waits until the condition holds, which is looked at after every message.
func (e *Editor) Until(what string, holds func() bool) {
	e.t.Helper()
	timeout := time.After(Patience)
	for {
		e.mu.Lock()
		changed := e.changed
		e.mu.Unlock()
		if holds() {
			return
		}
		select {
		case <-changed:
		case <-e.done:
			e.t.Fatalf("waiting for %s: the server is gone", what)
		case <-timeout:
			e.mu.Lock()
			defer e.mu.Unlock()
			e.t.Fatalf("waited too long for %s; shown: %v, said: %q", what, e.shown, e.said)
		}
	}
}

// Wants waits until a file shows exactly these diagnostics of a source, each
// given as a part of "line:character category message", 0-based.
func (e *Editor) Wants(name, source string, want ...string) {
	e.t.Helper()
	e.Until(name+" to show "+strings.Join(want, ", "), func() bool {
		shown, _ := e.Shown(name)
		got := Describe(shown, source)
		return len(got) == len(want) && !slices.ContainsFunc(want, func(part string) bool {
			return !slices.ContainsFunc(got, func(text string) bool { return strings.Contains(text, part) })
		})
	})
}

// Describe returns the diagnostics of a source as [Editor.Wants] takes them.
func Describe(diagnostics []protocol.Diagnostic, source string) []string {
	var texts []string
	for _, d := range diagnostics {
		if d.Source == source {
			at, _ := json.Marshal([]int{d.Range.Start.Line, d.Range.Start.Character})
			texts = append(texts, string(at)+" "+d.Code+" "+d.Message)
		}
	}
	return texts
}

// Eventually waits until a condition holds that no message tells of.
func Eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(Patience); !holds(); {
		if time.Now().After(end) {
			t.Fatalf("waited too long for %s", what)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
