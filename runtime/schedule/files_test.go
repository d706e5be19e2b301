package schedule_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/schedule"
)

func newFiles(t *testing.T) (*schedule.Files, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "schedules")
	f, err := schedule.NewFiles(dir)
	must(t, err)
	return f, dir
}

func setPrompt(prompt string) func(*schedule.Document) error {
	return func(d *schedule.Document) error {
		d.Schedules[schedule.Loop] = &schedule.Schedule{Spec: schedule.Spec{Kind: schedule.Loop, Prompt: prompt}}
		return nil
	}
}

func TestEverySessionHasAFileOfItsOwn(t *testing.T) {
	f, dir := newFiles(t)
	long := strings.Repeat("x", 300)
	sessions := []string{"a", "A", "a b", "a/b", "..", "nul", "é", "%61", long, long + "y", strings.ToUpper(long), "~"}
	for _, session := range sessions {
		must(t, f.Update(t.Context(), session, setPrompt(session)))
	}
	folded := map[string]bool{}
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), ".json") {
			folded[strings.ToLower(entry.Name())] = true
		}
	}
	if len(folded) != len(sessions) {
		t.Errorf("%d files for %d sessions where case does not count", len(folded), len(sessions))
	}
	for _, session := range sessions {
		d, err := f.Read(t.Context(), session)
		if err != nil || d.Session != session || d.Schedules[schedule.Loop].Prompt != session {
			t.Errorf("%.20q: %+v, %v", session, d, err)
		}
	}
	listed, err := f.Sessions(t.Context())
	if err != nil || len(listed) != len(sessions) {
		t.Errorf("%d sessions listed, %v", len(listed), err)
	}
}

func TestUpdatesOfOneSessionFollowEachOther(t *testing.T) {
	f, dir := newFiles(t)
	other, err := schedule.NewFiles(dir) // as another process has it
	must(t, err)
	const each = 20
	var group sync.WaitGroup
	for _, store := range []*schedule.Files{f, other, f, other} {
		group.Go(func() {
			for range each {
				err := store.Update(context.Background(), "a", func(d *schedule.Document) error {
					s := d.Schedules[schedule.Loop]
					if s == nil {
						s = &schedule.Schedule{Spec: schedule.Spec{Kind: schedule.Loop}}
						d.Schedules[schedule.Loop] = s
					}
					s.Ticks++
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if d, err := f.Read(t.Context(), "a"); err != nil || d.Schedules[schedule.Loop].Ticks != 4*each {
		t.Errorf("%+v, %v: want %d ticks", d, err, 4*each)
	}
}

func TestAnUpdateWaitsForAnotherWithinABound(t *testing.T) {
	f, dir := newFiles(t)
	other, err := schedule.NewFiles(dir)
	must(t, err)
	in, leave := make(chan struct{}), make(chan struct{})
	done := make(chan error, 1)
	go func() {
		done <- other.Update(context.Background(), "a", func(*schedule.Document) error {
			close(in)
			<-leave
			return errDisk
		})
	}()
	<-in
	short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := f.Update(short, "a", setPrompt("x")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("an update whose context ends: %v", err)
	}
	if _, err := f.Read(t.Context(), "a"); !errors.Is(err, schedule.ErrNotFound) {
		t.Errorf("a read has not come at once: %v", err)
	}
	close(leave)
	if err := <-done; !errors.Is(err, errDisk) {
		t.Errorf("Update returned %v, want the error of the change", err)
	}
	must(t, f.Update(t.Context(), "a", setPrompt("x")))
}

func TestAFileThatCannotBeReadIsLeftAlone(t *testing.T) {
	f, dir := newFiles(t)
	must(t, f.Update(t.Context(), "good", setPrompt("x")))
	for session, content := range map[string]string{
		"torn":    `{"version":1,"session":"torn","sched`,
		"newer":   `{"version":2,"session":"newer","schedules":{"loop":{"kind":"loop"}}}`,
		"foreign": `{"version":1,"session":"somebody","schedules":{"loop":{"kind":"loop"}}}`,
		"wrong":   `{"version":1,"session":"wrong","schedules":{"loop":{"kind":"heartbeat"}}}`,
		"null":    `{"version":1,"session":"null","schedules":{"loop":null}}`,
		"empty":   ``,
	} {
		path := filepath.Join(dir, "session-"+session+".json")
		must(t, os.WriteFile(path, []byte(content), 0o600))
		if err := f.Update(t.Context(), session, setPrompt("x")); err == nil {
			t.Errorf("%s: an update has not failed", session)
		}
		if _, err := f.Read(t.Context(), session); err == nil || errors.Is(err, schedule.ErrNotFound) {
			t.Errorf("%s: reading: %v", session, err)
		}
		if after, _ := os.ReadFile(path); string(after) != content {
			t.Errorf("%s: the file was changed to %q", session, after)
		}
	}
	sessions, err := f.Sessions(t.Context())
	if err == nil || len(sessions) == 0 {
		t.Errorf("Sessions = %v, %v, want the good ones and an error about the others", sessions, err)
	}
}

func TestWhatAKilledWriterLeftIsTidiedLater(t *testing.T) {
	f, dir := newFiles(t)
	must(t, f.Update(t.Context(), "a", setPrompt("x")))
	old, young := filepath.Join(dir, ".session-a.json.123.tmp"), filepath.Join(dir, ".session-a.json.456.tmp")
	for _, path := range []string{old, young} {
		must(t, os.WriteFile(path, []byte("{"), 0o600))
	}
	yesterday := time.Now().Add(-24 * time.Hour)
	must(t, os.Chtimes(old, yesterday, yesterday))
	_, err := schedule.NewFiles(dir)
	must(t, err)
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("the old temporary file: %v", err)
	}
	if _, err := os.Stat(young); err != nil {
		t.Errorf("the temporary file of who may be writing: %v", err)
	}
}

func TestAMoveThatWasCutShortIsFinished(t *testing.T) {
	marked := func(d *schedule.Document) error {
		must(t, setPrompt("x")(d))
		s := d.Schedules[schedule.Loop]
		s.ID, s.Status, s.Ticks, s.Every = "lineage", schedule.Active, 7, time.Minute
		s.Next = time.Now().Add(time.Hour)
		d.MovedTo = "new"
		return nil
	}
	for name, before := range map[string]map[string]func(*schedule.Document) error{
		"marked": {"old": marked},
		"copied, and gone on": {"old": marked, "new": func(d *schedule.Document) error {
			must(t, marked(d))
			d.MovedTo = ""
			d.Schedules[schedule.Loop].Ticks = 8
			return nil
		}},
		"onto another": {"old": marked, "new": func(d *schedule.Document) error {
			must(t, marked(d))
			d.MovedTo = ""
			d.Schedules[schedule.Loop].ID = "another"
			return nil
		}},
	} {
		for _, by := range []string{"Sessions", "Open"} {
			t.Run(name+" by "+by, func(t *testing.T) {
				f, _ := newFiles(t)
				for session, change := range before {
					must(t, f.Update(t.Context(), session, change))
				}
				e := open(t, schedule.Options{Store: f, Local: &agent{}})
				if by == "Sessions" {
					_, err := e.Sessions(t.Context())
					if (err != nil) != (name == "onto another") {
						t.Errorf("Sessions: %v", err)
					}
				} else {
					must(t, e.Open(t.Context(), "old"))
				}
				want := map[string]int{"marked": 7, "copied, and gone on": 8}[name]
				session := "new"
				if name == "onto another" {
					want, session = 7, "old"
				}
				if got := read(t, f, session); got.Ticks != want || got.ID != "lineage" {
					t.Errorf("%+v", got)
				}
				if d, err := f.Read(t.Context(), "old"); err == nil && d.MovedTo != "" {
					t.Errorf("still moving: %+v", d)
				}
				if _, err := f.Read(t.Context(), "old"); session == "new" && !errors.Is(err, schedule.ErrNotFound) {
					t.Errorf("the old file is still there: %v", err)
				}
			})
		}
	}
}
