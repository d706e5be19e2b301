package workspace

import (
	"fmt"
	"sync"
	"time"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/protocol"
)

// patience is how long a run goes on before the person is told that it does.
const patience = 500 * time.Millisecond

// Types of messages, from the protocol.
const (
	warningType = 2
	logType     = 4
)

func showMessage(kind int, message string) protocol.ShowMessage {
	return protocol.ShowMessage{Type: kind, Message: message}
}

// A progress shows that a run takes its time. The zero value shows nothing.
//
// The editor is asked first, and nothing is sent before it agrees. If the run
// has ended by then, the editor is told both, since it may have begun to show
// something when it was asked.
type progress struct {
	client *outbox
	token  string
	timer  *time.Timer

	mu    sync.Mutex
	shown bool
	ended bool
}

// progress begins to wait for the time at which something is to be shown.
func (w *Workspace) progress() *progress {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := new(progress)
	if !w.capabilities.Window.WorkDoneProgress {
		return p
	}
	p.client, p.token = w.client, fmt.Sprintf("holdfast-%d", time.Now().UnixNano())
	p.timer = time.AfterFunc(patience, p.ask)
	return p
}

func (p *progress) ask() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return
	}
	p.client.Ask("window/workDoneProgress/create", protocol.ProgressToken{Token: p.token}, p.begin)
}

func (p *progress) begin(refused error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if refused != nil {
		return
	}
	p.shown = true
	p.send(protocol.ProgressValue{Kind: "begin", Title: "holdfast", Message: "judging"})
	if p.ended {
		p.send(protocol.ProgressValue{Kind: "end"})
	}
}

// report is told by a run how far it is.
func (p *progress) report(_ string, packages int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown && !p.ended && packages > 0 {
		p.send(protocol.ProgressValue{Kind: "report", Message: fmt.Sprintf("%d packages judged", packages)})
	}
}

func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	if p.timer != nil {
		p.timer.Stop()
	}
	if p.shown {
		p.send(protocol.ProgressValue{Kind: "end"})
	}
}

func (p *progress) send(value protocol.ProgressValue) {
	p.client.Notify("$/progress", protocol.Progress{Token: p.token, Value: value})
}
