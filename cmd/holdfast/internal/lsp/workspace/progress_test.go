package workspace

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/protocol"
)

// A slowEditor answers when the test says so.
type slowEditor struct {
	answer func(error) // to the request that has come
	kinds  []string    // of progress
}

func (e *slowEditor) Publish(protocol.PublishDiagnostics) {}

func (e *slowEditor) Notify(_ string, params any) {
	e.kinds = append(e.kinds, params.(protocol.Progress).Value.Kind)
}

func (e *slowEditor) Ask(_ string, _ any, answered func(error)) { e.answer = answered }

func TestProgressWaitsForTheEditor(t *testing.T) {
	tests := []struct {
		name string
		run  func(e *slowEditor, p *progress)
		want []string
	}{
		{"a short run is not worth a word", func(e *slowEditor, p *progress) {
			time.Sleep(patience - 1)
			p.end()
			time.Sleep(patience)
			if e.answer != nil {
				t.Error("the editor was asked")
			}
		}, nil},
		{"nothing is sent before the answer", func(e *slowEditor, p *progress) {
			time.Sleep(patience)
			synctest.Wait()
			p.report("", 1)
		}, nil},
		{"the run ends after the answer", func(e *slowEditor, p *progress) {
			time.Sleep(patience)
			synctest.Wait()
			e.answer(nil)
			p.report("", 1)
			p.end()
		}, []string{"begin", "report", "end"}},
		{"the run ends before the answer", func(e *slowEditor, p *progress) {
			time.Sleep(patience)
			synctest.Wait()
			p.end()
			e.answer(nil)
			p.report("", 1)
		}, []string{"begin", "end"}},
		{"the editor refuses", func(e *slowEditor, p *progress) {
			time.Sleep(patience)
			synctest.Wait()
			e.answer(errors.New("refused"))
			p.report("", 1)
			p.end()
		}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := new(slowEditor)
				w := New(e, nil)
				w.capabilities.Window.WorkDoneProgress = true
				go w.client.run(t.Context())
				test.run(e, w.progress())
				synctest.Wait()
				if !slices.Equal(e.kinds, test.want) {
					t.Errorf("sent %q, want %q", e.kinds, test.want)
				}
			})
		})
	}
}
