package argv

import (
	"strings"
	"testing"
)

// A scriptCase is a script and what a shell makes of it. "server" is a
// long-lived program; TestScriptsForReal puts one on PATH and checks the
// verdicts of the cases that it can run.
type scriptCase struct {
	protects string
	script   string
	detaches bool
	program  string // of the verdict, if it detaches
	lang     string // "": every Unix shell; otherwise only that one
	unreal   string // why it cannot be run here
}

const (
	withHole    = "has a part that is not known"
	foreign     = "needs a program that not every machine has"
	elsewhere   = "acts on another machine"
	perDialect  = "is not valid in every shell"
	readsSource = "the verdict is about another branch than the one that is run"
)

var scriptCases = []scriptCase{
	// Background jobs.
	{protects: "trailing background", script: `server &`, detaches: true, program: "sh -c"},
	{protects: "background after redirections", script: `server >/dev/null 2>&1 </dev/null &`, detaches: true, program: "sh -c"},
	{protects: "background, then its pid", script: `server >/dev/null 2>&1 & echo $! >pid`, detaches: true, program: "sh -c"},
	{protects: "background in a subshell", script: `(server &)`, detaches: true, program: "sh -c"},
	{protects: "background in a subshell, waited for outside", script: `(server &); wait`, detaches: true, program: "sh -c"},
	{protects: "subshell in the background", script: `(true; server) &`, detaches: true, program: "sh -c"},
	{protects: "and-list in the background", script: `true && server &`, detaches: true, program: "sh -c"},
	{protects: "pipeline in the background", script: `server | cat >/dev/null &`, detaches: true, program: "sh -c"},
	{protects: "block in the background", script: "{ true; server; } &", detaches: true, program: "sh -c"},
	{protects: "background in an if", script: "if true; then server & fi", detaches: true, program: "sh -c"},
	{protects: "background in a for", script: "for i in 1; do server & done", detaches: true, program: "sh -c"},
	{protects: "background in a while", script: "while true; do server & break; done", detaches: true, program: "sh -c"},
	{protects: "background in a case", script: "case x in x) server & ;; esac", detaches: true, program: "sh -c"},
	{protects: "background in a function", script: "f() { server & }; f", detaches: true, program: "sh -c"},
	{protects: "function in the background", script: "f() { server; }; f &", detaches: true, program: "sh -c"},
	{protects: "background on a line of its own", script: "true\nserver &\ntrue\n", detaches: true, program: "sh -c"},
	{protects: "background under eval", script: `eval "server &"`, detaches: true, program: "sh -c"},
	{protects: "shell in a shell", script: `sh -c 'server &'`, detaches: true, program: "sh -c"},
	{protects: "shell in a shell, combined flags", script: `sh -ec "server & true"`, detaches: true, program: "sh -c"},
	{protects: "script from a here-document", script: "sh <<'END'\nserver &\nEND\n", detaches: true, program: "sh -c"},
	{protects: "script from a here-document under a wrapper", script: "env A=b sh -s <<'END'\nserver &\nEND\n", detaches: true, program: "sh -c"},
	{protects: "background in a substitution that is not drained", script: `echo $(server >/dev/null 2>&1 & echo $!)`, detaches: true, program: "sh -c"},
	{protects: "background in a block of a substitution that is not drained", script: `x=$({ server & } >/dev/null 2>&1)`, detaches: true, program: "sh -c"},
	{protects: "background in a pipe that is not drained", script: `{ server >log 2>&1 & } | cat; wait`, detaches: true, program: "sh -c"},
	{protects: "background in a handler", script: `trap 'server &' INT; true`, detaches: true, program: "sh -c", unreal: readsSource},
	{protects: "background in an EXIT trap", script: `trap 'server &' EXIT`, detaches: true, program: "sh -c"},
	{protects: "exec after a background job", script: `server & exec true`, detaches: true, program: "sh -c"},
	{protects: "probe of the job is no kill", script: `server & kill -0 $!`, detaches: true, program: "sh -c"},
	{protects: "kill of something older", script: `OLD=1; trap '' TERM; server & true kill $OLD`, detaches: true, program: "sh -c"},
	{protects: "wait before the job", script: `wait; server &`, detaches: true, program: "sh -c"},
	{protects: "wait in a subshell", script: `server & (wait)`, detaches: true, program: "sh -c"},
	{protects: "wait for the other job", script: `server & true & wait $!`, detaches: true, program: "sh -c"},
	{protects: "wait for the other job by name", script: `server & true & other=$!; wait "$other"`, detaches: true, program: "sh -c"},

	// Jobs that the shell does not leave behind.
	{protects: "background and wait", script: `server & wait`},
	{protects: "background and wait for its pid", script: `server & pid=$!; true; wait $pid`},
	{protects: "background and wait for $!", script: `server & wait $!`},
	{protects: "two jobs, each waited for", script: `server & a=$!; server & b=$!; wait "$a"; wait ${b}`},
	{protects: "jobs in a loop, all waited for", script: `for i in 1 2; do server & done; wait`},
	{protects: "jobs collected, waited for in a loop", script: `for i in 1 2; do server & pids="$pids $!"; done; for p in $pids; do wait $p; done`},
	{protects: "wait in the subshell of the job", script: `(server & wait)`},
	{protects: "wait in a branch", script: `server & if true; then wait; fi`},
	{protects: "wait in a function", script: `f() { wait; }; server & f`},
	{protects: "wait under command", script: `server & command wait`},
	{protects: "wait for a background subshell that waits", script: `(server & wait) & wait`},
	{protects: "job ended by the script", script: `server & pid=$!; true; kill $pid`},
	{protects: "job ended by $!", script: `server & kill $!`},
	{protects: "job ended by an EXIT trap", script: `server & pid=$!; trap 'kill $pid' EXIT; true`},
	{protects: "job ended by an EXIT trap in double quotes", script: `server & pid=$!; trap "kill $pid" EXIT INT; true`},
	{protects: "jobs ended by jobs -p", script: `server & trap 'kill $(jobs -p)' EXIT; true`, unreal: "dash prints no jobs in a subshell"},
	{protects: "group ended by an EXIT trap", script: `trap 'trap "" TERM; kill 0' EXIT; server & true`, unreal: "would end the test itself"},
	{protects: "group ended by -$$", script: `server & kill -- -$$`, unreal: "would end the test itself"},
	{protects: "job that a substitution drains", script: `x=$(server &)`},
	{protects: "job that a pipe drains", script: `(server &) | cat`},
	{protects: "foreground", script: `server`},
	{protects: "and-list", script: `true && server`},
	{protects: "or-list", script: `false || server`},
	{protects: "standard error duplicated", script: `server 2>&1`},
	{protects: "standard output duplicated", script: `server >&2`},
	{protects: "function that is not called", script: "f() { server & }; server"},
	{protects: "ampersand in single quotes", script: `echo 'a & b &'; server`},
	{protects: "ampersand in double quotes", script: `echo "a & b &"; server`},
	{protects: "escaped ampersand", script: `echo a \& b; server`},
	{protects: "ampersand in sed's replacement", script: `echo x | sed 's|x|&\n&|' ; server`},
	{protects: "ampersand in a comment", script: "server # &\n"},
	{protects: "ampersand in a here-document", script: "cat <<END >/dev/null\nserver &\nEND\nserver\n"},
	{protects: "ampersand in arithmetic", script: `echo $((3 & 1)); server`},
	{protects: "ampersand in a case pattern's body only as text", script: `case "a&" in a*) server;; esac`},
	{protects: "URL with a query", script: `echo 'http://localhost/?a=b&c=d'; server`},

	// Programs that detach.
	{protects: "nohup in the foreground", script: `nohup server`, detaches: true, program: "nohup in sh -c"},
	{protects: "nohup in the background", script: `nohup server >/dev/null 2>&1 &`, detaches: true, program: "nohup in sh -c"},
	{protects: "nohup, waited for", script: `nohup server >/dev/null 2>&1 & wait`, detaches: true, program: "nohup in sh -c"},
	{protects: "nohup after cd", script: `cd . && nohup server >/dev/null 2>&1 &`, detaches: true, program: "nohup in sh -c"},
	{protects: "nohup with a path", script: `/usr/bin/nohup server`, detaches: true, program: "nohup in sh -c", unreal: foreign},
	{protects: "nohup with an assignment", script: `A=b nohup server`, detaches: true, program: "nohup in sh -c"},
	{protects: "nohup in quotes", script: `"nohup" server`, detaches: true, program: "nohup in sh -c"},
	{protects: "nohup past its alias", script: `\nohup server`, detaches: true, program: "nohup in sh -c"},
	{protects: "nohup under env", script: `env A=b nohup server`, detaches: true, program: "nohup in sh -c"},
	{protects: "nohup after any number of arguments", script: `env "$@" nohup server`, detaches: true, program: "nohup in sh -c"},
	{protects: "nohup under nice", script: `nice -n 5 nohup server`, detaches: true, program: "nohup in sh -c"},
	{protects: "nohup under exec", script: `exec nohup server`, detaches: true, program: "nohup in sh -c"},
	{protects: "nohup under command", script: `command nohup server`, detaches: true, program: "nohup in sh -c"},
	{protects: "nohup in a function", script: `f() { nohup server; }; f`, detaches: true, program: "nohup in sh -c"},
	{protects: "nohup in a substitution", script: `x=$(nohup server)`, detaches: true, program: "nohup in sh -c"},
	{protects: "nohup under sudo", script: `sudo -n -u nobody nohup server`, detaches: true, program: "nohup in sh -c", unreal: foreign},
	{protects: "setsid", script: `setsid -w server`, detaches: true, program: "setsid in sh -c"},
	{protects: "setsid in the background", script: `setsid server >/dev/null 2>&1 &`, detaches: true, program: "setsid in sh -c"},
	{protects: "setsid that forks", script: `setsid -f server`, detaches: true, program: "setsid in sh -c"},
	{protects: "exec setsid", script: `exec setsid -w server`, detaches: true, program: "setsid in sh -c"},
	{protects: "setsid in a nested shell", script: `sh -c "setsid -w server"`, detaches: true, program: "setsid in sh -c"},
	{protects: "setsid on a later branch", script: `if false; then setsid server; fi; server`, detaches: true, program: "setsid in sh -c", unreal: readsSource},
	{protects: "disown", script: "server & disown", detaches: true, program: "disown in bash -c", lang: "bash"},
	{protects: "disown with options", script: "server & disown -h %1", detaches: true, program: "disown in bash -c", lang: "bash"},
	{protects: "tmux in a script", script: `tmux has-session -t x || tmux -L s new-session -d -s x server`, detaches: true, program: "tmux in sh -c", unreal: foreign},
	{protects: "at reads from a pipe", script: `echo server | at now + 1 minute`, detaches: true, program: "at in sh -c", unreal: foreign},
	{protects: "systemd-run in a script", script: `systemd-run --user server`, detaches: true, program: "systemd-run in sh -c", unreal: foreign},
	{protects: "su with a script", script: `su - nobody -c 'server &'`, detaches: true, program: "sh -c", unreal: foreign},

	// Words that only look so.
	{protects: "nohup as text", script: `echo 'nohup'; server`},
	{protects: "setsid as an argument", script: `echo setsid; server`},
	{protects: "nohup as a pattern", script: `grep nohup /dev/null; server`},
	{protects: "pgrep", script: `pgrep setsid >/dev/null; server`, unreal: foreign},
	{protects: "pkill with a pattern", script: `pkill -f 'nohup server &'; server`, unreal: foreign},
	{protects: "which", script: `which nohup >/dev/null; server`, unreal: foreign},
	{protects: "command -v", script: `command -v nohup >/dev/null; server`},
	{protects: "type", script: `type setsid >/dev/null; server`},
	{protects: "man", script: `man nohup`, unreal: foreign},
	{protects: "nohup.out", script: `cat nohup.out 2>/dev/null; server`},
	{protects: "help of nohup", script: `nohup --help >/dev/null; server`},
	{protects: "tmux that makes no session", script: `tmux kill-session -t new-session; tmux send-keys -t x 'nohup server &' Enter`, unreal: foreign},
	{protects: "remote", script: `ssh host 'nohup server &'`, unreal: elsewhere},
	{protects: "in a container", script: `docker exec x sh -c 'server &'`, unreal: elsewhere},
	{protects: "in a pod", script: `kubectl exec x -- sh -c 'setsid server'`, unreal: elsewhere},
	{protects: "remote script from a here-document", script: "ssh host sh <<'END'\nserver &\nEND\n", unreal: elsewhere},

	// Dialects.
	{protects: "both redirected, bash", script: `server &>/dev/null`, lang: "bash"},
	{protects: "both appended, bash", script: `server &>>log`, lang: "bash"},
	{protects: "both redirected, dash", script: `server &>/dev/null`, detaches: true, program: "dash -c", lang: "dash"},
	{protects: "both redirected and waited for, dash", script: `server &>/dev/null; wait`, lang: "dash"},
	{protects: "both piped, bash", script: `server |& cat`, lang: "bash"},
	{protects: "coproc, bash", script: `coproc server`, detaches: true, program: "bash -c", lang: "bash"},
	{protects: "coproc, waited for", script: `coproc server; wait $COPROC_PID`, lang: "bash"},
	{protects: "process substitution", script: `cat <(server)`, lang: "bash"},
	{protects: "array of jobs", script: `pids=(); server & pids+=($!); wait "${pids[@]}"`, lang: "bash"},
	{protects: "conditional expression", script: `[[ a && b ]] && server`, lang: "bash"},
	{protects: "nested subshells", script: `((server) & wait)`, lang: "dash"},
	{protects: "coprocess, mksh", script: `server |&`, detaches: true, program: "mksh -c", lang: "mksh", unreal: perDialect},
	{protects: "disowned, zsh", script: `server &!`, detaches: true, program: "zsh -c", lang: "zsh", unreal: perDialect},
	{protects: "timed in the background", script: `time server &`, detaches: true, program: "bash -c", lang: "bash"},

	// Unknown parts.
	{protects: "unknown command in the background", script: "\uE000 &", detaches: true, program: "sh -c", unreal: withHole},
	{protects: "unknown command, pid printed", script: "\uE000 >\uE000 2>&1 & echo $!", detaches: true, program: "sh -c", unreal: withHole},
	{protects: "unknown command under nohup", script: "nohup \uE000", detaches: true, program: "nohup in sh -c", unreal: withHole},
	{protects: "unknown directory", script: "cd '\uE000' && setsid \uE000", detaches: true, program: "setsid in sh -c", unreal: withHole},
	{protects: "unknown variable name", script: "\uE000=1; export \uE000; server &", detaches: true, program: "sh -c", unreal: withHole},
	{protects: "unknown parameter", script: "echo ${\uE000}; server &", detaches: true, program: "sh -c", unreal: withHole},
	{protects: "unknown loop variable", script: "for \uE000 in \uE000; do server & done", detaches: true, program: "sh -c", unreal: withHole},
	{protects: "unknown command", script: "\uE000 --serve", unreal: withHole},
	{protects: "unknown command before an and-list", script: "\uE000 && \uE000 2>&1", unreal: withHole},
	{protects: "program of which only the end is known", script: "\uE000nohup server", unreal: withHole},
	{protects: "program in an unknown directory", script: "\uE000/nohup server", detaches: true, program: "nohup in sh -c", unreal: withHole},
}

// shell is the shell that a case is judged for.
func (c scriptCase) shell() string {
	if c.lang == "" {
		return "sh"
	}
	return c.lang
}

func TestShellString(t *testing.T) {
	for _, c := range scriptCases {
		t.Run(c.protects, func(t *testing.T) {
			v, ok := ShellString(c.shell(), c.script)
			if !ok {
				t.Fatalf("not judged: %s", c.script)
			}
			if v.Detaches != c.detaches || v.Program != c.program {
				t.Errorf("got detaches=%t program=%q, want detaches=%t program=%q: %s",
					v.Detaches, v.Program, c.detaches, c.program, c.script)
			}
			if v.Detaches && v.What == "" {
				t.Error("a verdict that detaches does not say what happens")
			}
		})
	}
}

// The same scripts mean the same to every shell that has no case of its own.
func TestShellsAgree(t *testing.T) {
	for _, lang := range []string{"sh", "dash", "ash", "bash", "ksh", "mksh", "zsh", "no-such-shell"} {
		for _, c := range scriptCases {
			if c.lang != "" {
				continue
			}
			if v, ok := ShellString(lang, c.script); !ok || v.Detaches != c.detaches {
				t.Errorf("%s: got detaches=%t judged=%t, want %t: %s", lang, v.Detaches, ok, c.detaches, c.script)
			}
		}
	}
}

func TestScriptsNotJudged(t *testing.T) {
	for protects, script := range map[string]string{
		"nothing":              "",
		"nothing but a hole":   " \uE000 ",
		"open quote":           "echo 'a & b",
		"open block":           "if true; then server &",
		"ampersand by itself":  "&",
		"longer than the most": "server & " + strings.Repeat(" ", maxScript),
	} {
		if v, ok := ShellString("sh", script); ok || v.Detaches {
			t.Errorf("%s: got %+v, want no judgement", protects, v)
		}
	}
}

// Functions that call each other twice would run for ages if each call were
// followed.
func TestScriptStepsAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("f0() { true; }\n")
	for i := range 9 {
		name, next := string(rune('a'+i)), string(rune('a'+i-1))
		if i == 0 {
			next = "f0"
		}
		b.WriteString(name + "() { " + strings.Repeat(next+";", 20) + " }\n")
	}
	b.WriteString("i\n")
	file, ok := parse(b.String(), bashFirst)
	if !ok {
		t.Fatal("the script does not parse")
	}
	r := &run{shell: shells["bash"], lang: "bash", steps: maxSteps}
	r.judge(file, b.String())
	if r.steps > 0 {
		t.Errorf("%d steps left of %d: the script does not test the bound", r.steps, maxSteps)
	}
}

func FuzzShellString(f *testing.F) {
	for _, c := range scriptCases {
		f.Add(c.shell(), c.script)
	}
	f.Fuzz(func(t *testing.T, lang, script string) {
		v, ok := ShellString(lang, script)
		if v.Detaches && (!ok || v.Program == "" || v.What == "") {
			t.Errorf("a verdict without its reason: %+v, %t", v, ok)
		}
	})
}
