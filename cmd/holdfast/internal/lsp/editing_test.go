package lsp_test

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func TestSessions(t *testing.T) {
	tests := []struct {
		name   string
		module string
		run    func(s *session)
	}{
		{"a finding on the disk is shown, and goes when the text is repaired", loopModule, func(s *session) {
			s.Open("main.go")
			s.ours("main.go", onDisk)
			s.Replace("main.go", "os.Remove(event)", "_, _ = os.Args, event")
			s.ours("main.go")
		}},
		{"unsaved text is judged", loopModule, func(s *session) {
			s.Open("main.go")
			s.ours("main.go", onDisk)
			s.Replace("main.go", "os.Remove(event)", "os.Remove(event); os.Remove(event)")
			s.Replace("main.go", "package main", "package main\n\n// A line more.")
			s.ours("main.go", "[11,28] loop-block")
		}},
		{"text that was judged unsaved is saved", loopModule, func(s *session) {
			s.Open("main.go")
			s.Replace("main.go", "package main", "package main\n\n// A line more.")
			s.ours("main.go", "[11,28] loop-block")
			s.Save("main.go")
			s.Close("main.go")
			s.ours("main.go")
			s.Open("main.go") // the go command has the result of the unsaved text in its cache
			s.ours("main.go", "[11,28] loop-block")
		}},
		{"a finding through another file's unsaved text", loopModule, func(s *session) {
			s.Open("main.go")
			s.Open("config/config.go")
			s.ours("main.go", onDisk)
			s.Replace("main.go", "os.Remove(event)", "config.Save(event)")
			s.Replace("main.go", `import "os"`, `import "m/config"`)
			s.ours("main.go", "Save (config/config.go:5) → os.WriteFile")
			s.Replace("config/config.go", "return os.WriteFile(name, nil, 0o600)", "_ = os.Args; return nil")
			s.ours("main.go")
		}},
		{"a marker is added, asks for its reason and accepts", loopModule, func(s *session) {
			s.Open("main.go")
			s.ours("main.go", onDisk)
			s.Apply(s.Actions("main.go", "holdfast"), "Add loop-block marker")
			s.ours("main.go", "[10,28] loop-block handle", "[9,0] marker this loop-block marker has words that are no reason")
			s.Replace("main.go", "why?", "the file lies in memory, on a tmpfs")
			s.ours("main.go")
		}},
		{"a suggested fix is applied", loopModule, func(s *session) {
			s.Open("main.go")
			s.ours("main.go", onDisk)
			s.Replace("main.go", "os.Remove(event) }", "os.Remove(event) } // loop_block: ok — the file lies on a tmpfs")
			s.ours("main.go", "loop-block handle", "marker misspelt marker")
			shown, _ := s.Shown("main.go")
			slices.Reverse(shown)
			s.Apply(s.Actions("main.go", "holdfast"), `Write "loop-block: ok"`)
			s.ours("main.go")
		}},
		{"broken code shows nothing that may be wrong, and recovers", loopModule, func(s *session) {
			s.Open("main.go")
			s.ours("main.go", onDisk)
			s.Replace("main.go", "os.Remove(event)", "os.Remove(event")
			s.ours("main.go")
			s.Replace("main.go", "os.Remove(event", "os.Remove(evnt)")
			s.Replace("main.go", "evnt", "event")
			s.ours("main.go", onDisk)
		}},
		{"closing clears, opening again shows", loopModule, func(s *session) {
			s.Open("main.go")
			s.ours("main.go", onDisk)
			s.Close("main.go")
			s.ours("main.go")
			s.Open("main.go")
			s.ours("main.go", onDisk)
		}},
		{"closing without saving judges the file on the disk", loopModule, func(s *session) {
			s.Open("main.go")
			s.OpenText("other.go", "package main\n\nfunc init() { handle(\"x\") }\n\nfunc other() {}\n")
			s.Replace("main.go", "os.Remove(event)", "other(); _ = os.Args")
			s.ours("main.go")
			s.Close("other.go") // which is nowhere now, so main.go does not compile
			s.Replace("main.go", "other(); _ = os.Args", "os.Remove(event)")
			s.ours("main.go", onDisk)
		}},
		{"a file is renamed", loopModule, func(s *session) {
			s.Open("main.go")
			s.ours("main.go", onDisk)
			content := s.Text("main.go")
			s.Close("main.go")
			if err := os.Rename(s.Path("main.go"), s.Path("start.go")); err != nil {
				s.t.Fatal(err)
			}
			s.OpenText("start.go", content)
			s.ours("main.go")
			s.ours("start.go", onDisk)
		}},
		{"a new file that was never saved", loopModule, func(s *session) {
			s.OpenText("new.go", "package main\n\nimport \"time\"\n\n//holdfast:loop\nfunc tick() { time.Sleep(1) }\n")
			s.ours("new.go", "[5,14] loop-block tick runs on an event loop and waits on sleep")
		}},
		{"characters are counted as UTF-16", loopModule, func(s *session) {
			s.Open("main.go")
			s.Replace("main.go", "os.Remove(event)", `_ = "🙂é世"; os.Remove(event)`)
			// One character of two units, two of one: 28 + len(`_ = "`) + 4 + len(`"; `).
			s.ours("main.go", "[9,40] loop-block")
			s.Replace("main.go", "🙂", "🙂🙂")
			s.ours("main.go", "[9,42] loop-block")
			s.Apply(s.Actions("main.go", "holdfast"), "Add loop-block marker")
			s.ours("main.go", "[10,42] loop-block", "[9,0] marker")
		}},
		{"a file of another platform is judged from its text", loopModule, func(s *session) {
			s.OpenText("win/run_windows.go", "package win\n")
			s.Save("win/run_windows.go")
			s.SetText("win/run_windows.go", `package win

import (
	"os/exec"
	"syscall"
)

func run(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP} }
`)
			s.ours("win/run_windows.go", "detached-spawn")
		}},
		{"lines end with CRLF", loopModule, func(s *session) {
			s.Open("main.go")
			s.SetText("main.go", strings.ReplaceAll(s.Text("main.go"), "\n", "\r\n"))
			s.ours("main.go", onDisk)
			s.Apply(s.Actions("main.go", "holdfast"), "Add loop-block marker")
			s.ours("main.go", "[10,28] loop-block", "[9,0] marker")
			s.Replace("main.go", "why?\r\n", "the file lies on a tmpfs\r\n")
			s.ours("main.go")
		}},
		{"hovers explain markers and directives", loopModule, func(s *session) {
			s.Open("main.go")
			s.ours("main.go", onDisk)
			s.wantHover("main.go", "//holdfast:loop", "Runs on an event loop", "Because of it:\n- line 10: handle runs on an event loop")
			s.Replace("main.go", "os.Remove(event) }", "os.Remove(event) } // loop-block: ok — the file lies on a tmpfs")
			s.ours("main.go")
			s.wantHover("main.go", "// loop-block", "Accepts what [loop-block]", "Still needed", "line 10: handle runs on an event loop and waits on disk")
			s.Replace("main.go", "os.Remove(event)", "_, _ = os.Args, event")
			s.ours("main.go", "marker unused loop-block marker")
			s.wantHover("main.go", "// loop-block", "Not needed any more")
			if got := s.Hover("main.go", "func main"); got != "" {
				s.t.Errorf("there is a hover on code: %s", got)
			}
		}},
		{"lenses tell what runs on a loop", loopModule, func(s *session) {
			s.Open("main.go")
			s.ours("main.go", onDisk)
			s.wantLenses("main.go", "event loop")
			s.Replace("main.go", "//holdfast:loop", "//holdfast:loop allow=disk")
			s.ours("main.go")
			s.wantLenses("main.go", "event loop; allows disk")
		}},
		{"the settings file counts, also when it changes", loopModule, func(s *session) {
			s.Open("main.go")
			s.ours("main.go", onDisk)
			write(s.t, s.Path("holdfast.toml"), "[loopblock]\nkinds = [\"-disk\"]\n")
			s.FileChanged("holdfast.toml")
			s.ours("main.go")
		}},
		{"what the baseline accepts is a hint", loopModule, func(s *session) {
			s.Open("main.go")
			s.ours("main.go", onDisk)
			write(s.t, s.Path("baseline/holdfast.baseline"), "loop-block m handle `os.Remove(event)` #1 — until the supervisor lands, #412\n")
			s.Save("main.go")
			s.Until("a hint", func() bool {
				shown, _ := s.Shown("main.go")
				return len(shown) == 1 && strings.Contains(shown[0].Message, "accepted by the baseline: until the supervisor")
			})
			write(s.t, s.Path("baseline/holdfast.baseline"), "nonsense\n")
			s.Save("main.go")
			s.Until("a warning", func() bool {
				shown, _ := s.Shown("main.go")
				return len(shown) == 1 && !strings.Contains(shown[0].Message, "accepted") && s.Seen("window/showMessage") == 1
			})
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := start(t, test.module)
			test.run(s)
			s.quit(0)
		})
	}
}
