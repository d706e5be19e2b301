package campaign

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A family is a kind of child that real programs have left behind.
type family struct {
	name      string
	programs  [][]string
	processes int    // how many there are, at least, when it runs
	escapes   int    // how many of them the portable tier loses
	stdin     bool   // its owner talks to it
	say       string // what it says first
	real      bool   // its processes do not answer the roll, and are looked for
}

// families are small programs that behave like the real ones. Those that the
// portable tier loses have left their group, and their parent is gone.
var families = []family{
	{name: "stdio MCP server", programs: small("node mcp-server.mjs"), processes: 2, stdin: true},
	{name: "model router with models", programs: small("python3 model-router.py"), processes: 3},
	{name: "browser daemon", programs: small("sh browser-daemon.sh"), processes: 3, escapes: 3},
	{name: "language server", programs: small("sh language-server.sh"), processes: 3, stdin: true},
	{name: "code cell", programs: small("python3 code-cell.py"), processes: 2},
	{name: "slash command worker", programs: small("sh slash-worker.sh"), processes: 3},
	{name: "foreground terminal command", programs: small("sh terminal-command.sh"), processes: 3},
	{name: "background jobs", programs: small("sh background-jobs.sh"), processes: 2, escapes: 1},
	{name: "messaging bridge", programs: small("node messaging-bridge.mjs"), processes: 1},
	{name: "messaging bridge, a daemon", programs: small("python3 messaging-daemon.py"), processes: 1, escapes: 1},
	{name: "app server and speech command", programs: small("python3 app-server.py", "sh speech-command.sh"), processes: 3},
	{name: "embedded driver", programs: small("embedded-driver"), processes: 2},
	{name: "pairing bridge, stopped", programs: small("sh pairing-bridge.sh"), processes: 2},
	{name: "bounded git maintenance", programs: small("sh git-maintenance.sh"), processes: 2, escapes: 2},
}

// small returns the command lines of programs in testdata.
func small(lines ...string) (programs [][]string) {
	for _, line := range lines {
		words := strings.Fields(line)
		if len(words) > 1 {
			words[1] = filepath.Join("testdata/families", words[1])
		}
		programs = append(programs, words)
	}
	return programs
}

// TestFamiliesDieWithTheirOwner prints how much of each family is left when its
// owner has died.
func TestFamiliesDieWithTheirOwner(t *testing.T) {
	t.Parallel()
	rows := available(t, families)
	results := measure(t, variants, rows)
	for _, row := range rows {
		if results[cell{row.name, before, waysToDie[0].name}] == 0 {
			t.Errorf("%s: nothing of it survives where nobody owns it, so that the row shows nothing", row.name)
		}
	}
}

// available returns the families whose programs are here.
func available(t *testing.T, all []family) (present []family) {
	t.Helper()
	for _, f := range all {
		if missing := f.missing(); missing == "" {
			present = append(present, f)
		} else if endToEnd {
			t.Errorf("%s: %s is missing", f.name, missing)
		} else {
			t.Logf("%s: left out, as %s is missing", f.name, missing)
		}
	}
	return present
}

func (f family) missing() string {
	for _, program := range f.programs {
		if _, err := exec.LookPath(program[0]); err != nil {
			return program[0]
		}
	}
	return ""
}
