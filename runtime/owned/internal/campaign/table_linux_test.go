package campaign

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/owned"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// A variant is a way to start children.
type variant struct {
	name  string
	order order
	ways  int // how many of the ways to die are tried
}

const (
	before   = "before"
	after    = "after"
	portable = "portable"
	marks    = "marks"
)

// variants are os/exec with a process group for each child, as careful programs
// do it; owned.Start with all that works here; and its lower tiers.
var variants = []variant{
	{before, order{Plain: true}, len(waysToDie)},
	{after, order{Tier: owned.Automatic}, len(waysToDie)},
	{portable, order{Tier: owned.Portable}, 1},
	{marks, order{Tier: owned.Marks}, 1},
}

// A cell is where a result is in the table.
type cell struct{ family, variant, way string }

// measure counts and prints the survivors of each family, under each variant and
// each death. All families of a trial have one owner; another one lives on
// beside those that die, and so must all of its children.
func measure(t *testing.T, variants []variant, rows []family) map[cell]int {
	results, sizes, tier := map[cell]int{}, map[string]int{}, ""
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			control := startTrial(t, v, rows)
			var trials []*trial
			for range v.ways {
				trials = append(trials, startTrial(t, v, rows))
			}
			for _, trial := range append(trials, control) {
				trial.muster(rows)
			}
			for i, trial := range trials {
				waysToDie[i].die(trial.owner)
			}
			settle(trials)
			for i, trial := range trials {
				for _, row := range rows {
					results[cell{row.name, v.name, waysToDie[i].name}] = trial.survivors(v, row, waysToDie[i].name)
					sizes[row.name] = max(sizes[row.name], len(trial.children[row.name]))
				}
			}
			control.mustLive(rows)
			if v.name == after {
				tier = control.tier
			}
		})
	}
	t.Log(print(variants, rows, results, sizes, tier))
	return results
}

// A trial is an owner with all families.
type trial struct {
	*owner
	mark     string // in the environment of all children
	dir      string
	children map[string][]procid.Identity
}

func startTrial(t *testing.T, v variant, rows []family) *trial {
	t.Helper()
	r := &trial{mark: token(), dir: openDir(t), children: map[string][]procid.Identity{}}
	o := v.order
	for _, row := range rows {
		o.Commands = append(o.Commands, row.commands(r.mark, r.dir)...)
	}
	r.owner = startOwner(t, o)
	t.Cleanup(func() { r.clear(rows) })
	return r
}

// commands are what starts a family. A %DIR% in them stands for a directory and
// an %ID% for a word that no other trial has.
func (f family) commands(mark, dir string) (all []command) {
	own := filepath.Join(dir, f.directory())
	os.MkdirAll(own, 0o700)
	for _, program := range f.programs {
		c := command{Stdin: f.stdin, Say: f.say, Env: []string{"TRIAL=" + mark + f.name, "ROLL=" + own + "/roll"}}
		for _, word := range program {
			word = strings.NewReplacer("%DIR%", own, "%ID%", mark).Replace(word)
			c.Args = append(c.Args, word)
		}
		all = append(all, c)
	}
	return all
}

// directory is the name of the family without what a shell would stumble over.
func (f family) directory() string { return notWord.ReplaceAllString(f.name, "-") }

var notWord = regexp.MustCompile(`\W+`)

// muster waits until the families are complete.
func (r *trial) muster(rows []family) {
	r.Helper()
	for _, f := range rows {
		last, same := 0, 0
		await(r.T, f.name+" to be there", func() bool {
			members := r.present(f)
			r.children[f.name] = members
			if same++; len(members) != last {
				last, same = len(members), 0
			}
			return len(members) >= f.processes && (!f.real || same > 10)
		})
	}
}

// marked returns who of a family can be told by the environment or a parent.
func (r *trial) marked(f family) []procid.Identity { return marked("TRIAL=" + r.mark + f.name) }

func (r *trial) present(f family) []procid.Identity {
	r.Helper()
	if f.real {
		return r.marked(f)
	}
	return called(r.T, filepath.Join(r.dir, f.directory(), "roll"))
}

// settle waits until all has been done about the children of dead owners: their
// supervisors have ended. Plain children have none; it waits until no more of
// them end.
func settle(trials []*trial) {
	var plain []procid.Identity
	for _, r := range trials {
		r.wait()
		if r.supervisor.IsZero() {
			plain = append(plain, r.everybody()...)
			continue
		}
		r.awaitSupervisor()
	}
	settled(plain, 2*time.Second)
}

// settled waits until none is alive, or no more have ended for a while.
func settled(ids []procid.Identity, quiet time.Duration) {
	alive, since := len(ids), time.Now()
	for alive > 0 && time.Since(since) < quiet {
		time.Sleep(20 * time.Millisecond)
		if now := len(living(ids)); now < alive {
			alive, since = now, time.Now()
		}
	}
}

// clear ends what is left of a trial, also if it was never complete. Some of
// them start others when one is killed.
func (r *trial) clear(rows []family) {
	r.kill()
	end(r.everybody())
	for _, row := range rows {
		await(r.T, row.name+" to be cleared away", func() bool {
			left := r.marked(row)
			end(left)
			return len(left) == 0
		})
	}
}

func (r *trial) everybody() (all []procid.Identity) {
	for _, members := range r.children {
		all = append(all, members...)
	}
	return all
}

// survivors counts what is left of a family, and says if it should not be.
func (r *trial) survivors(v variant, f family, way string) int {
	r.Helper()
	left := living(r.children[f.name])
	if !v.order.Plain && len(left) == 0 {
		left = r.marked(f) // Those born since.
	}
	switch want := f.escapes; {
	case v.order.Plain:
	case v.order.Tier == owned.Portable && f.real: // What it loses depends on the program.
	case v.order.Tier == owned.Portable:
		if len(left) != want {
			r.Errorf("%s, %s: %d survive in the portable tier, want %d", f.name, way, len(left), want)
		}
	case len(left) > 0:
		r.Errorf("%s, %s, tier %s: %d survive:", f.name, way, r.tier, len(left))
		for _, id := range left {
			r.Error(name(id))
		}
	}
	return len(left)
}

func (r *trial) mustLive(rows []family) {
	r.Helper()
	for _, row := range rows {
		members := r.children[row.name]
		alive := len(living(members))
		if row.real && alive >= row.processes {
			continue // Helpers of real programs come and go.
		}
		if alive != len(members) {
			r.Errorf("%s: of the living owner's %d processes %d are alive", row.name, len(members), alive)
		}
	}
}

// called returns the processes that have written their number to the roll. All
// of them live until the test ends them.
func called(t *testing.T, roll string) (ids []procid.Identity) {
	t.Helper()
	text, _ := os.ReadFile(roll)
	for line := range strings.Lines(string(text)) {
		var pid int
		if _, err := fmt.Sscanf(line, "%d\n", &pid); err != nil {
			continue // It is being written.
		}
		if id, err := procid.Of(pid); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// print returns the table in Markdown.
func print(variants []variant, rows []family, results map[cell]int, sizes map[string]int, tier string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "processes left when their owner has died; after: tier %s\n\n", tier)
	b.WriteString("| family | processes |")
	line := "|---|---|"
	for _, v := range variants {
		for _, way := range waysToDie[:v.ways] {
			fmt.Fprintf(&b, " %s: %s |", v.name, way.name)
			line += "---|"
		}
	}
	fmt.Fprintf(&b, "\n%s\n", line)
	for _, row := range rows {
		fmt.Fprintf(&b, "| %s | %d |", row.name, sizes[row.name])
		for _, v := range variants {
			for _, way := range waysToDie[:v.ways] {
				fmt.Fprintf(&b, " %d |", results[cell{row.name, v.name, way.name}])
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
