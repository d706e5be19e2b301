package proxy

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/jsonrpc"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/protocol"
)

// ourID begins the IDs of our requests to the editor.
const ourID = `"holdfast:`

func isOurs(id json.RawMessage) bool { return strings.HasPrefix(string(id), ourID) }

// merging is the state of what is merged.
type merging struct {
	mu      sync.Mutex
	pending map[string]*pending    // requests of the editor that we add to, by ID
	asked   int                    // our requests
	asking  map[string]func(error) // those whose answer matters, by ID

	show  sync.Mutex       // held while diagnostics are sent, so that they keep their order
	files map[string]*file // by path
}

// A pending request waits for both answers.
type pending struct {
	ours   chan json.RawMessage // one element; nil if there is nothing to add
	join   func(theirs, ours json.RawMessage) json.RawMessage
	cancel func()
}

// A file is the last word of both sides.
type file struct {
	uri    string // as the server spells it
	theirs []json.RawMessage
	ours   []protocol.Diagnostic
}

// expect begins to make our part of an answer.
func (l *link) expect(id json.RawMessage, method string, body []byte) {
	make, join := l.contribution(method)
	if make == nil || id == nil {
		return
	}
	m, err := jsonrpc.Parse(body)
	if err != nil {
		return
	}
	ctx, cancel := context.WithCancel(l.ctx)
	p := &pending{ours: newAnswer(), join: join, cancel: cancel}
	l.mu.Lock()
	l.pending[string(id)] = p
	l.mu.Unlock()
	go func() { p.ours <- make(ctx, m.Params) }()
}

func newAnswer() chan json.RawMessage { return make(chan json.RawMessage, 1) }

// contribution returns what makes our part of an answer, and what joins the two.
func (l *link) contribution(method string) (func(context.Context, json.RawMessage) json.RawMessage, func(theirs, ours json.RawMessage) json.RawMessage) {
	switch method {
	case "textDocument/codeAction":
		return part(func(ctx context.Context, p protocol.CodeActionParams) any {
			return nonEmpty(l.workspace.Actions(ctx, p))
		}), joinLists
	case "textDocument/codeLens":
		return part(func(ctx context.Context, p protocol.CodeLensParams) any {
			return nonEmpty(l.workspace.Lenses(ctx, p))
		}), joinLists
	case "textDocument/hover":
		return part(func(ctx context.Context, p protocol.HoverParams) any {
			if hover, err := l.workspace.Hover(ctx, p); err == nil && hover != nil {
				return hover
			}
			return nil
		}), joinHovers
	}
	return nil, nil
}

// part returns a function from the parameters to an encoded result, or nil if
// there is nothing to add.
func part[P any](f func(context.Context, P) any) func(context.Context, json.RawMessage) json.RawMessage {
	return func(ctx context.Context, data json.RawMessage) json.RawMessage {
		var params P
		if json.Unmarshal(data, &params) != nil {
			return nil // the server says so
		}
		result := f(ctx, params)
		if result == nil {
			return nil
		}
		encoded, err := json.Marshal(result)
		if err != nil {
			return nil
		}
		return encoded
	}
}

func nonEmpty[T any](list []T) any {
	if len(list) == 0 {
		return nil
	}
	return list
}

// answer passes on an answer of the server, together with ours if there is one.
func (l *link) answer(id json.RawMessage, header, body []byte) {
	l.mu.Lock()
	p := l.pending[string(id)]
	delete(l.pending, string(id))
	l.mu.Unlock()
	if p == nil {
		_ = l.editor.WriteRaw(header, body)
		return
	}
	go func() { // so that nothing waits behind it
		defer p.cancel()
		if merged := p.merge(<-p.ours, body); merged != nil {
			_ = l.editor.Write(merged)
			return
		}
		_ = l.editor.WriteRaw(header, body)
	}()
}

// merge returns the body with both answers, or nil if it stays as it is.
func (p *pending) merge(ours json.RawMessage, body []byte) []byte {
	var fields map[string]json.RawMessage
	if ours == nil || json.Unmarshal(body, &fields) != nil || fields["error"] != nil {
		return nil
	}
	joined := p.join(fields["result"], ours)
	if joined == nil {
		return nil
	}
	fields["result"] = joined
	return encode(fields)
}

func encode(value any) []byte {
	data, err := json.Marshal(value)
	if err != nil {
		return nil // it came from JSON, so this does not happen
	}
	return data
}

func isNull(data json.RawMessage) bool { return len(data) == 0 || string(data) == "null" }

func joinLists(theirs, ours json.RawMessage) json.RawMessage {
	if isNull(theirs) {
		return ours
	}
	var list, more []json.RawMessage
	if json.Unmarshal(theirs, &list) != nil || json.Unmarshal(ours, &more) != nil {
		return nil
	}
	return encode(append(list, more...))
}

// joinHovers puts our text under the server's.
func joinHovers(theirs, ours json.RawMessage) json.RawMessage {
	if isNull(theirs) {
		return ours
	}
	var fields map[string]json.RawMessage
	var contents protocol.Markup
	var hover protocol.Hover
	if json.Unmarshal(theirs, &fields) != nil || json.Unmarshal(ours, &hover) != nil ||
		json.Unmarshal(fields["contents"], &contents) != nil || contents.Kind == "" {
		return nil
	}
	contents.Value += "\n\n---\n\n" + hover.Contents.Value
	fields["contents"] = encode(contents)
	return encode(fields)
}

// cancel ends our part of a request that the editor wants no answer to.
func (l *link) cancel(body []byte) {
	var m struct {
		Params struct {
			ID json.RawMessage `json:"id"`
		} `json:"params"`
	}
	if json.Unmarshal(body, &m) != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.pending[string(m.Params.ID)]; p != nil {
		p.cancel()
	}
}

// theirs passes on what the server says of a file, together with ours.
func (l *link) theirs(header, body []byte) {
	var m struct {
		Params struct {
			URI         string            `json:"uri"`
			Diagnostics []json.RawMessage `json:"diagnostics"`
		} `json:"params"`
	}
	l.show.Lock()
	defer l.show.Unlock()
	if json.Unmarshal(body, &m) != nil {
		_ = l.editor.WriteRaw(header, body)
		return
	}
	f := l.file(m.Params.URI)
	f.uri, f.theirs = m.Params.URI, m.Params.Diagnostics
	if merged := f.added(body); merged != nil {
		_ = l.editor.Write(merged)
		return
	}
	_ = l.editor.WriteRaw(header, body)
}

// added returns the server's notification with our diagnostics in it, or nil if
// there are none. All its other fields stay.
func (f *file) added(body []byte) []byte {
	var fields, params map[string]json.RawMessage
	if len(f.ours) == 0 || json.Unmarshal(body, &fields) != nil || json.Unmarshal(fields["params"], &params) != nil {
		return nil
	}
	params["diagnostics"] = encode(f.both())
	fields["params"] = encode(params)
	return encode(fields)
}

func (f *file) both() []any {
	list := []any{}
	for _, d := range f.theirs {
		list = append(list, d)
	}
	for _, d := range f.ours {
		list = append(list, d)
	}
	return list
}

// file returns what is known of a file, whatever its address is spelt like.
func (l *link) file(uri string) *file {
	key, err := protocol.Path(uri)
	if err != nil {
		key = uri
	}
	f := l.files[key]
	if f == nil {
		f = &file{uri: uri}
		l.files[key] = f
	}
	return f
}

// Publish shows our diagnostics together with what the server said last.
func (l *link) Publish(p protocol.PublishDiagnostics) {
	l.show.Lock()
	defer l.show.Unlock()
	f := l.file(p.URI)
	f.ours = p.Diagnostics
	l.Notify("textDocument/publishDiagnostics", struct {
		URI         string `json:"uri"`
		Version     *int   `json:"version,omitempty"`
		Diagnostics []any  `json:"diagnostics"`
	}{f.uri, p.Version, f.both()})
	if len(f.ours) == 0 && len(f.theirs) == 0 {
		key, err := protocol.Path(p.URI)
		if err == nil {
			delete(l.files, key)
		}
	}
}

// Notify sends a notification of ours to the editor.
func (l *link) Notify(method string, params any) { l.sendOwn(nil, method, params) }

// Ask sends a request of ours to the editor.
func (l *link) Ask(method string, params any, answered func(error)) {
	l.mu.Lock()
	l.asked++
	id := fmt.Sprintf("%s%d\"", ourID, l.asked)
	if answered != nil {
		l.asking[id] = answered
	}
	l.mu.Unlock()
	l.sendOwn(json.RawMessage(id), method, params)
}

// answered takes the editor's answer to a request of ours.
func (l *link) answered(id json.RawMessage, body []byte) {
	l.mu.Lock()
	answered := l.asking[string(id)]
	delete(l.asking, string(id))
	l.mu.Unlock()
	if answered == nil {
		return
	}
	m, err := jsonrpc.Parse(body)
	if err == nil && m.Error != nil {
		err = m.Error
	}
	answered(err)
}

func (l *link) sendOwn(id json.RawMessage, method string, params any) {
	m, err := jsonrpc.Call(id, method, params)
	if err != nil {
		return
	}
	if body, err := m.Encode(); err == nil {
		_ = l.editor.Write(body)
	}
}
