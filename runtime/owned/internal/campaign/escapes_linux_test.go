package campaign

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-go/holdfast/runtime/owned"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// An escape is a way to get away from one's ancestors. Its script starts a
// process that has TOKEN among its arguments, and TOKEN names the file that it
// makes when it has got away. All but the first go on as "sleep 1000" or end.
type escape struct {
	name   string
	script string
	from   []owned.Tier // the tiers that it escapes, which their documentation says
	needs  string       // program
	root   bool         // needs to be root
}

// away is the end of most scripts: a process that has got away.
const away = `sh -c 'touch "$DIR/TOKEN"; exec sleep 1000.TOKEN'`

// stay is what becomes of the child.
const stay = `exec sleep 1000`

var (
	nothing = []owned.Tier{}
	groups  = []owned.Tier{owned.Portable}
	all     = []owned.Tier{owned.Portable, owned.Marks}
)

// escapes are the shapes in which processes have been seen to leave, and the
// tiers that lose them. Only the cgroup holds them all: a login through PAM sets
// limits and environment anew, and its process has no parent left.
var escapes = []escape{
	{name: "plain child", script: `exec ` + away, from: nothing},
	{name: "grandchild in another group, parent alive", script: `exec python3 testdata/escape.py group TOKEN`, from: nothing, needs: "python3"},
	{name: "grandchild in another session, parent alive", script: `setsid ` + away + ` & ` + stay, from: nothing},
	{name: "daemon", script: `(setsid ` + away + ` &) ; ` + stay, from: groups},
	{name: "daemon, the leader gone", script: `setsid ` + away + ` & `, from: groups},
	{name: "daemon without environment", script: `(setsid env -i DIR="$DIR" sh -c 'touch "$DIR/TOKEN"; exec env -i sleep 1000.TOKEN' &) ; ` + stay, from: groups},
	{name: "daemon that wipes its environment", script: python("wipe"), from: groups, needs: "python3"},
	{name: "daemon that must not be looked at", script: python("hide"), from: groups, needs: "python3"},
	{name: "daemon of a setgid program", script: `(setsid ssh-agent -D -a "$DIR/TOKEN" >/dev/null 2>&1 &) ; ` + stay, from: groups, needs: "ssh-agent"},
	{name: "daemon that closes its files", script: `(setsid sh -c 'exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; touch "$DIR/TOKEN"; exec sleep 1000.TOKEN' &) ; ` + stay, from: groups},
	{name: "daemon without files and environment", script: python("close"), from: groups, needs: "python3"},
	{name: "another user's (su)", script: `su nobody -s /bin/sh -c '(setsid ` + quoted(away) + ` &)' ; ` + stay, from: groups, root: true, needs: "su"},
	{name: "another user's login (su -)", script: `su - nobody -s /bin/sh -c 'DIR="'"$DIR"'"; export DIR; (setsid ` + quoted(away) + ` &)' ; ` + stay, from: all, root: true, needs: "su"},
	{name: "in namespaces of its own", script: `exec unshare -Urpf ` + away, from: nothing, needs: "unshare"},
	{name: "python, start_new_session", script: `exec python3 testdata/escape.py session TOKEN`, from: nothing, needs: "python3"},
	{name: "background job of bash, bash gone", script: `bash -c 'set -m; sleep 1000.TOKEN & touch "$DIR/TOKEN"' ; ` + stay, from: groups, needs: "bash"},
}

// python is a daemon that does what no shell can.
func python(what string) string {
	return `(setsid python3 testdata/escape.py ` + what + ` TOKEN &) ; ` + stay
}

// quoted is for within single quotes.
func quoted(script string) string { return strings.ReplaceAll(script, "'", `'\''`) }

func (e escape) possible() error {
	if e.root && os.Geteuid() != 0 {
		return fmt.Errorf("needs root")
	}
	if e.needs == "" {
		return nil
	}
	_, err := exec.LookPath(e.needs)
	return err
}

// TestEscapes prints which way out leads out of which tier.
func TestEscapes(t *testing.T) {
	t.Parallel()
	var ways []escape
	for _, e := range escapes {
		err := e.possible()
		if err == nil {
			ways = append(ways, e)
			continue
		}
		t.Logf("%s: left out: %v", e.name, err)
		if endToEnd && !e.root {
			t.Errorf("%s: %v", e.name, err)
		}
	}
	cells, table := prisons(t), map[string][]string{}
	for _, p := range cells {
		t.Run(p.name, func(t *testing.T) {
			prisoners, control := startEscape(t, p.order, ways), startEscape(t, p.order, ways)
			prisoners.awaitEscapes()
			control.awaitEscapes()
			prisoners.kill()
			prisoners.awaitSupervisor()
			for i, e := range ways {
				left, got := prisoners.left(i), "ended"
				if len(left) > 0 {
					got = "**escapes**"
				}
				escapes := !p.order.Strict && slices.Contains(e.from, p.order.Tier)
				if escapes != (len(left) > 0) {
					t.Errorf("%s: %s: %v", e.name, got, left)
				}
				if len(control.left(i)) == 0 {
					t.Errorf("%s: the living owner's has ended", e.name)
				}
				table[e.name] = append(table[e.name], got)
			}
		})
	}
	var b strings.Builder
	b.WriteString("| what gets away |")
	for _, p := range cells {
		fmt.Fprintf(&b, " %s |", p.name)
	}
	fmt.Fprintf(&b, "\n|---%s|\n", strings.Repeat("|---", len(cells)))
	for _, e := range ways {
		fmt.Fprintf(&b, "| %s | %s |\n", e.name, strings.Join(table[e.name], " | "))
	}
	t.Logf("what is left when the owner was killed:\n%s", &b)
}

// A prison is a way to hold descendants.
type prison struct {
	name  string
	order order
}

// prisons are the tiers that work here, and the lowest of them under a monitor.
func prisons(t *testing.T) (all []prison) {
	t.Helper()
	for _, tier := range workingTiers(t) {
		all = append(all, prison{tier.String(), order{Tier: tier}})
	}
	return append(all, prison{"strict", order{Tier: owned.Portable, Strict: true}})
}

// An attempt is an owner whose children all try to get away.
type attempt struct {
	*owner
	dir    string
	tokens []string
	names  []string
}

func startEscape(t *testing.T, o order, ways []escape) *attempt {
	t.Helper()
	a := &attempt{dir: openDir(t)}
	for _, e := range ways {
		name := token()
		// It waits for a line, as the marks are set right after the start.
		script := "read -r _ ; " + strings.ReplaceAll(e.script, "TOKEN", name)
		o.Commands = append(o.Commands, command{Args: []string{"sh", "-c", script}, Env: []string{"DIR=" + a.dir}, Stdin: true, Say: "\n"})
		a.tokens, a.names = append(a.tokens, name), append(a.names, e.name)
	}
	a.owner = startOwner(t, o)
	t.Cleanup(func() {
		for i := range a.tokens {
			end(a.left(i))
		}
	})
	return a
}

// openDir returns a directory in which every user can make files, unlike in that
// of t.TempDir, which is below one that is closed to others. It does not mind
// who still writes to it when the test ends.
func openDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "campaign-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

func (a *attempt) awaitEscapes() {
	a.Helper()
	for i, name := range a.tokens {
		await(a.T, "the escape: "+a.names[i], func() bool {
			_, err := os.Lstat(filepath.Join(a.dir, name))
			return err == nil
		})
	}
}

// left returns the living processes of an escape.
func (a *attempt) left(i int) (found []procid.Identity) {
	infos, _ := procid.All()
	for _, info := range infos {
		words, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", info.PID))
		if info.State == procid.Alive && strings.Contains(string(words), a.tokens[i]) {
			found = append(found, info.Identity)
		}
	}
	return found
}
