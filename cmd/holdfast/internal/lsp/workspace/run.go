package workspace

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/check"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/text"
)

// An edit is mostly followed by another one. The pause that is waited for is
// half of what the last run took: where judging is cheap, it happens at once.
const (
	leastPause = 30 * time.Millisecond
	mostPause  = 300 * time.Millisecond
)

// Run judges what is open until ctx is done. Everything that it writes is below
// one temporary folder, which it removes, together with those of servers that
// were killed before they could.
func (w *Workspace) Run(ctx context.Context) error {
	temp, err := newFolder(os.TempDir())
	if err != nil {
		return fmt.Errorf("making a temporary folder: %w", err)
	}
	defer temp.remove()
	e := newEngine(temp.path, w.settings)
	w.mu.Lock()
	w.probe = func(p probe) (*check.Judgement, error) { return e.probe(ctx, p) }
	w.mu.Unlock()
	defer e.close()
	go w.client.run(ctx)
	for w.wait(ctx) {
		w.step(ctx, e)
	}
	return context.Cause(ctx)
}

// wait returns when there is something to judge and nobody is typing, or false
// when ctx is done.
func (w *Workspace) wait(ctx context.Context) bool {
	for {
		pause, idle := w.pause()
		if !idle && pause <= 0 {
			return ctx.Err() == nil
		}
		timer := time.NewTimer(pause)
		if idle {
			timer.Stop()
		}
		select {
		case <-ctx.Done():
			return false
		case <-w.wake:
		case <-timer.C:
		}
		timer.Stop()
	}
}

func (w *Workspace) pause() (pause time.Duration, idle bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.pending.empty() {
		return 0, true
	}
	wanted := min(max(w.lastRun/2, leastPause), mostPause)
	return wanted - time.Since(w.lastEdit), false
}

// A snapshot is what is open at one time.
type snapshot struct {
	edits  int
	dirs   map[string]bool
	edited bool                  // the folders' text, and not only that of others
	texts  map[string]*text.Text // by path, of all open files
}

// step judges once.
func (w *Workspace) step(ctx context.Context, e *engine) {
	w.mu.Lock()
	s := snapshot{edits: w.edits, texts: w.texts()}
	s.dirs, s.edited = w.pending.next()
	runCtx, cancel := context.WithCancel(ctx)
	w.stop = cancel
	w.mu.Unlock()
	defer cancel()

	begin := time.Now()
	maps.DeleteFunc(s.dirs, func(dir string, _ bool) bool { return !s.isOpen(dir) })
	progress := w.progress()
	outcomes := e.judge(runCtx, s, progress.report)
	progress.end()

	w.mu.Lock()
	defer w.mu.Unlock()
	w.stop = nil
	if w.edits != s.edits {
		w.pending.back(s.dirs, s.edited)
		return
	}
	if s.edited && len(s.dirs) > 0 {
		w.lastRun = time.Since(begin)
	}
	for _, o := range outcomes {
		w.take(o, s)
	}
	close(w.changed)
	w.changed = make(chan struct{})
}

func (w *Workspace) texts() map[string]*text.Text {
	texts := make(map[string]*text.Text, len(w.documents))
	for path, d := range w.documents {
		texts[path] = d.text
	}
	return texts
}

func (s snapshot) isOpen(dir string) bool {
	for path := range s.texts {
		if filepath.Dir(path) == dir {
			return true
		}
	}
	return false
}

// take keeps and shows what one module's run says of open files.
func (w *Workspace) take(o outcome, s snapshot) {
	for _, err := range []error{o.err, o.note} {
		if err != nil {
			w.tell(err)
		}
	}
	w.logProblems(o)
	for _, d := range w.documents {
		if !slices.Contains(o.dirs, filepath.Dir(d.path)) || d.text != s.texts[d.path] {
			continue
		}
		d.judged = o.of(d.path, d.text)
		w.show(d)
	}
	if o.judgement != nil && w.capabilities.Workspace.CodeLens.RefreshSupport && o.hasEntries() {
		w.client.Ask("workspace/codeLens/refresh", nil, nil)
	}
}

// logProblems notes why packages could not be judged where a person who wonders
// can look it up. Mostly it is what the editor's other server says as well.
func (w *Workspace) logProblems(o outcome) {
	if o.judgement == nil {
		return
	}
	problems := ""
	if err := o.judgement.Err(); err != nil {
		problems = err.Error()
	}
	if problems != "" && problems != w.problems {
		w.client.Notify("window/logMessage", showMessage(logType, "holdfast: could not judge "+problems))
	}
	w.problems = problems
}

// tell tells the person once why something is not judged. That a file belongs to
// no module is no news to its author.
func (w *Workspace) tell(err error) {
	var outside *check.NoModuleError
	message := "holdfast: " + err.Error()
	switch {
	case errors.Is(err, context.Canceled), w.said[message]:
		return
	case errors.As(err, &outside):
		w.client.Notify("window/logMessage", showMessage(logType, message))
	default:
		w.client.Notify("window/showMessage", showMessage(warningType, message))
	}
	w.said[message] = true
}
