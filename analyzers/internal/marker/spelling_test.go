package marker

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// apply returns src with the fixes of its problems applied.
func apply(f *File, src string) string {
	for i := len(f.Problems) - 1; i >= 0; i-- {
		for _, fix := range f.Problems[i].Fixes {
			for _, edit := range fix.TextEdits {
				from, to := f.file.Offset(edit.Pos), f.file.Offset(edit.End)
				src = src[:from] + string(edit.NewText) + src[to:]
			}
		}
	}
	return src
}

func messages(f *File) string {
	var all []string
	for _, p := range f.Problems {
		all = append(all, p.Message)
	}
	return strings.Join(all, "\n")
}

func TestSpellings(t *testing.T) {
	const fixed = "// detached-spawn: ok — one two three"
	tests := []struct{ comment, want string }{ // want "" for a good marker
		{fixed, ""},
		{"// detached-spawn: ok – one two three", ""},
		{"// detached-spawn: ok -- one two three", ""},
		{"// detached-spawn: ok - one two three", ""},
		{"// detached-spawn: ok: one two three", ""},
		{"// detached-spawn: ok one two three", ""},
		{"// detached-spawn:ok — one two three", ""},
		{"//detached-spawn:ok one two three", ""},
		{"/* detached-spawn: ok — one two three */", ""},

		{"// detached_spawn: ok — one two three", fixed},
		{"// detachedspawn: ok — one two three", fixed},
		{"// Detached-Spawn: ok — one two three", fixed},
		{"// detached spawn: ok — one two three", fixed},
		{"// detached-spawn ok — one two three", fixed},
		{"// detached-spawn - ok — one two three", fixed},
		{"// detached-spawn : ok — one two three", fixed},
		{"// detached-spawn: OK — one two three", fixed},
		{"// detached-spawn: allow — one two three", fixed},
		{"// detached-spawns: ok — one two three", fixed},
		{"// detached-spwan: ok — one two three", fixed},
		{"// detach-spawn: ok — one two three", fixed},
		{"//detachedspawn:ok one two three", "//detached-spawn: ok one two three"},
		{"/* detached_spawn: ok — one two three */", "/* detached-spawn: ok — one two three */"},
	}
	for _, test := range tests {
		t.Run(test.comment, func(t *testing.T) {
			src := "package p\n\nvar x = 1 " + test.comment + "\n"
			_, _, f := read(t, src)
			if test.want == "" {
				if len(f.Markers) != 1 || f.Markers[0].Reason != "one two three" || len(f.Problems) > 0 {
					t.Errorf("markers %v, problems %q", f.Markers, messages(f))
				}
				return
			}
			if len(f.Markers) > 0 || !strings.Contains(messages(f), `write "detached-spawn: ok — reason"`) {
				t.Errorf("markers %v, problems %q", f.Markers, messages(f))
			}
			want := strings.ReplaceAll(src, test.comment, test.want)
			if got := apply(f, src); got != want {
				t.Errorf("fixed:\n%swant:\n%s", got, want)
			}
		})
	}
}

// TestProseIsNoMarker holds sentences that come near a marker or directive.
func TestProseIsNoMarker(t *testing.T) {
	for _, comment := range []string{
		"// the loop blocks: ok for a test",
		"// loop blocks until the child exits",
		"// loopback: ok, never leaves the host",
		"// A detached spawn is ok here",
		"// detached spawn ok",
		"// detached-spawn: this is what the rule is called",
		"// detached-spawn: ok-ish names are not checked",
		"// loop-block: allow it to fail",
		"// unblock: ok",
		"// see detached-spawn: ok — one two three",
		`// write "detached-spawn: ok"`,
		"// `loop-block: ok`",
		"//nolint:detachedspawn // the updater",
		"//nolint:loopblock",
		"//lint:ignore detached-spawn ok for now",
		"// holdfast: the loop never blocks",
		"// holdfast: worker processes die with their owner",
		"// holdfast: clean: 12 packages",
		"// holdfast: loop stalled",
		"// holdfast:loop is what one writes above it",
		"// //holdfast:loop in front of a function",
		"// Deprecated: ok",
		"// block: ok",
		"//\tx() // detached-spawn: ok",
		"//   //holdfast:lopp",
		"//steadfast:loop",
		"//go:noinline",
	} {
		t.Run(comment, func(t *testing.T) {
			_, _, f := read(t, "package p\n\n"+comment+"\nvar x = 1\n")
			if len(f.Markers)+len(f.Directives)+len(f.Problems) > 0 {
				t.Errorf("markers %v, directives %v, problems %q", f.Markers, f.Directives, messages(f))
			}
		})
	}
}

func TestMisspeltDirectives(t *testing.T) {
	tests := []struct{ comment, message, want string }{
		{"// holdfast:loop", `write "//holdfast:loop"`, "//holdfast:loop"},
		{"//holdfast: loop", `write "//holdfast:loop"`, "//holdfast:loop"},
		{"// holdfast:loop allow=disk", `write "//holdfast:loop"`, "//holdfast:loop allow=disk"},
		{"//Holdfast:loop", `write "//holdfast:loop"`, "//holdfast:loop"},
		{"//hold-fast:loop", `write "//holdfast:loop"`, "//holdfast:loop"},
		{"//holdfats:worker", `write "//holdfast:worker"`, "//holdfast:worker"},
		{"// holdfast:owns the group is killed in Close", `write "//holdfast:owns"`, "//holdfast:owns the group is killed in Close"},
		{"/* holdfast:loop */", `write "//holdfast:loop"`, ""},
		{"//holdfast:Loop", "did you mean //holdfast:loop?", "//holdfast:loop"},
		{"//holdfast:lopp", "did you mean //holdfast:loop?", "//holdfast:loop"},
		{"//holdfast:non-blocking", "did you mean //holdfast:nonblocking?", "//holdfast:nonblocking"},
		{"//holdfast:own it", "did you mean //holdfast:owns?", "//holdfast:owns it"},
		{"//holdfast:daemon", "the verbs are loop, worker, blocking, nonblocking, offloop, owns", ""},
		{"//holdfast:loop allow=disc", `unknown kind "disc": did you mean "disk"?`, ""},
		{"//holdfast:loop allow=", "the kinds are disk, fsync, ", ""},
		{"//holdfast:loop allow=disk allow=net", "allow= twice", ""},
		{"//holdfast:loop kinds=disk", "write allow=…", ""},
		{"//holdfast:worker allow=disk", "takes no allow=", ""},
		{"//holdfast:worker reads stdin", `takes nothing, not "reads"; an explanation goes after " — "`, ""},
		{"//holdfast:blocking disk", `takes kinds=…, not "disk"`, ""},
		{"//holdfast:nonblocking trusted", `only the word trust, not "trusted"`, ""},
		{"//holdfast:loop runs on the loop", `no parameter "runs"`, ""},
		{"//holdfast:loop cb, done", `"cb," is none`, ""},
		{"//holdfast:loop cb cb", `names "cb" twice`, ""},
		{"//holdfast:owns", "//holdfast:owns has no reason: say why", ""},
		{"//holdfast:owns see above", "has words that are no reason", ""},
	}
	for _, test := range tests {
		t.Run(test.comment, func(t *testing.T) {
			src := "package p\n\n" + test.comment + "\nfunc f(cb func()) {}\n"
			_, _, f := read(t, src)
			if !strings.Contains(messages(f), test.message) {
				t.Errorf("problems %q, want %q", messages(f), test.message)
			}
			if test.want == "" {
				test.want = test.comment
			}
			if diff := cmp.Diff(strings.ReplaceAll(src, test.comment, test.want), apply(f, src)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReasons(t *testing.T) {
	tests := []struct{ reason, complaint string }{
		{"the updater must outlive the old binary", ""},
		{"child outlives parent", ""},
		{"https://example.com/spawn", ""},
		{"see https://example.com", ""},
		{"golang/go#12345", ""},
		{"go.dev/issue/12345", ""},
		{"更新器必须活得更久", ""},
		{"démon séparé voulu", ""},
		{"", "has no reason"},
		{"—", "has no reason"},
		{"123 456 789", "has no reason"},
		{"ok", "has words that are no reason"},
		{"see above", "has words that are no reason"},
		{"because", "has words that are no reason"},
		{"because it is needed here", "has words that are no reason"},
		{"this is intentional", "has words that are no reason"},
		{"todo", "only promises a reason"},
		{"TODO: explain why it detaches", "only promises a reason"},
		{"updater survives", "has too short a reason"},
		{"daemon daemon daemon", "has too short a reason"},
	}
	for _, test := range tests {
		t.Run(test.reason, func(t *testing.T) {
			got := Complaint(test.reason)
			if test.complaint == "" && got != "" || !strings.HasPrefix(got, test.complaint) {
				t.Errorf("Complaint = %q, want %q", got, test.complaint)
			}
		})
	}
}

func TestDuplicateMarkers(t *testing.T) {
	tests := []struct {
		name, body string
		duplicates int
	}{
		{"above and behind", "// detached-spawn: ok — one two three\nx() // detached-spawn: ok — one two three", 1},
		{"twice above", "// detached-spawn: ok — one two three\n// detached-spawn: ok — one two three\nx()", 1},
		{"twice in one comment", "x() // detached-spawn: ok — one two three // detached-spawn: ok — one two three", 1},
		{"of two rules", "// loop-block: ok — one two three\nx() // detached-spawn: ok — one two three", 0},
		{"of two lines", "x() // detached-spawn: ok — one two three\ny() // detached-spawn: ok — one two three", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, _, f := read(t, "package p\nfunc f() {\n"+test.body+"\n}\n")
			if got := strings.Count(messages(f), "duplicate detached-spawn marker"); got != test.duplicates {
				t.Errorf("%d duplicates, want %d: %q", got, test.duplicates, messages(f))
			}
		})
	}
}

// TestFixInCRLFBlock edits behind carriage returns that the parser drops.
func TestFixInCRLFBlock(t *testing.T) {
	src := "package p\r\n\r\n/*\r\n\tSome text.\r\n\tdetached_spawn: ok — one two three\r\n*/\r\nvar x = 1\r\n"
	_, _, f := read(t, src)
	if diff := cmp.Diff(strings.ReplaceAll(src, "detached_spawn", "detached-spawn"), apply(f, src)); diff != "" {
		t.Error(diff)
	}
}

func TestByteOrderMark(t *testing.T) {
	_, file, f := read(t, "\ufeffpackage p // detached-spawn: ok — one two three\n")
	if m := f.Find(DetachedSpawn, file.Package); m == nil || len(f.Problems) > 0 {
		t.Errorf("found %v, problems %q", m, messages(f))
	}
}

func TestFindStaysInItsFile(t *testing.T) {
	fset, _, f := read(t, "package p // detached-spawn: ok — one two three\n")
	other := fset.AddFile("b.go", -1, 100)
	if m := f.Find(DetachedSpawn, other.Pos(0)); m != nil {
		t.Errorf("a position of another file found %v", m)
	}
}

func TestMentions(t *testing.T) {
	tests := map[string]bool{
		"package p\n\nvar x = 1 // the loop never blocks: ok\n":  false,
		"package p\n\nfunc loop() { block(ok) }\n":               false,
		"package p\n\nvar x = 1 //nolint // loop-block: ok\n":    true,
		"package p\n\n/*\n\t* Loop_Block: ok\n*/\nvar x = 1\n":   true,
		"package p\n\n//holdfast:anything\nvar x = 1\n":          true,
		"package p\r\n\r\nvar x = 1 // detached-spawn: ok\r\n":   true,
		"package p\n\n/* detached-spawn: okay */ var x = 1 // a": true,
		"package p\n\nvar x = \"http://a.b/\" /* block: ok */\n": false,
	}
	for src, want := range tests {
		if got := Mentions([]byte(src)); got != want {
			t.Errorf("Mentions(%q) = %t", src, got)
		}
	}
}
