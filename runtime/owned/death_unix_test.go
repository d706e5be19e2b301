//go:build unix

package owned_test

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/owned"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// family is a child of each kind that an owner may have.
var family = []string{
	call,
	`sh -c 'echo $$ >> "$ROLL"; exec sleep 1001' & sh -c 'echo $$ >> "$ROLL"; exec sleep 1002' & ` + call, // a tree
	`trap "" TERM; ` + call,
	`echo $$ >> "$ROLL"; kill -STOP $$`, // stopped
	`sh -c 'echo $$ >> "$ROLL"; exec sleep 1003' & echo $$ >> "$ROLL"; sleep 0.05 & wait $!; exit`, // the leader is gone
}

// familySize is how many processes of the family answer the roll.
const familySize = 8

var waysToDie = map[string]func(*owner){
	"kill -9": func(o *owner) { o.cmd.Process.Kill() },
	"SIGTERM": func(o *owner) { o.cmd.Process.Signal(syscall.SIGTERM) },
	"SIGHUP":  func(o *owner) { o.cmd.Process.Signal(syscall.SIGHUP) },
	"abort":   func(o *owner) { o.cmd.Process.Signal(syscall.SIGABRT) },
	"exit":    func(o *owner) { o.tell("exit") },
	"panic":   func(o *owner) { o.tell("panic") },
	"group":   func(o *owner) { syscall.Kill(-o.cmd.Process.Pid, syscall.SIGKILL) },
}

func TestChildrenDieWithTheirOwnerAndNobodyElseDoes(t *testing.T) {
	eachTier(t, func(t *testing.T, tier owned.Tier) {
		control := startOwner(t, script{Tier: tier, Grace: 300 * time.Millisecond, Children: family})
		controls := control.present(familySize)
		for name, die := range waysToDie {
			t.Run(name, func(t *testing.T) {
				o := startOwner(t, script{Tier: tier, Grace: 300 * time.Millisecond, Children: family})
				children := o.present(familySize)
				die(o)
				o.wait()
				awaitDeath(t, children)
			})
		}
		if len(living(controls)) < familySize-1 { // One leader ends by itself.
			t.Errorf("%d of the living owner's %d are alive", len(living(controls)), familySize)
		}
		control.kill()
		awaitDeath(t, controls)
	})
}

// An owner that is killed while it starts children has always just started one
// that it has not had time to say a word about.
func TestNoChildOfASpawnBurstSurvives(t *testing.T) {
	rounds := 5
	if os.Getenv("HOLDFAST_E2E") != "" {
		rounds = 100
	}
	eachTier(t, func(t *testing.T, tier owned.Tier) {
		control := startOwner(t, script{Tier: tier, Children: []string{call, call}})
		controls := control.present(2)
		for range rounds {
			o := startOwner(t, script{Tier: tier, Burst: true, Children: []string{call}})
			time.Sleep(time.Duration(rand.IntN(60)) * time.Millisecond) // When is the point of the test.
			o.kill()
			awaitNobody(t, "ROLL="+o.roll)
		}
		mustLive(t, controls)
	})
}

// awaitNobody waits until no process has the variable in its environment, for
// long enough that a child on its way would have appeared.
func awaitNobody(t *testing.T, variable string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	quiet := 0
	await(t, "the last process of the burst to end", func() bool {
		if quiet++; len(having(variable)) > 0 {
			quiet = 0
		}
		return quiet > 10
	})
}

// having returns the living processes that have a variable in their
// environment, supervisors aside.
func having(variable string) (pids []int) {
	directories, _ := filepath.Glob("/proc/[0-9]*")
	for _, directory := range directories {
		environ, _ := os.ReadFile(directory + "/environ")
		if strings.Contains(string(environ), variable+"\x00") {
			pid, _ := strconv.Atoi(filepath.Base(directory))
			pids = append(pids, pid)
		}
	}
	return pids
}

func TestAReplacedSupervisorKnowsEverything(t *testing.T) {
	eachTier(t, func(t *testing.T, tier owned.Tier) {
		o := startOwner(t, script{Tier: tier, Grace: 300 * time.Millisecond, Children: family})
		children := o.present(familySize)
		first := o.say("supervisor")
		pid, err := strconv.Atoi(first)
		if err != nil || pid == 0 {
			t.Fatalf("the supervisor is %q", first)
		}
		syscall.Kill(pid, syscall.SIGKILL)
		await(t, "another supervisor", func() bool {
			now := o.say("supervisor")
			return now != first && now != "0"
		})
		o.kill()
		awaitDeath(t, children)
	})
}

func TestAStoppedSupervisorHoldsNobodyUpAndDoesItsWork(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells of a stop")
	}
	eachTier(t, func(t *testing.T, tier owned.Tier) {
		o := startOwner(t, script{Tier: tier, Children: []string{call}})
		o.present(1)
		pid, _ := strconv.Atoi(o.say("supervisor"))
		for range 50 {
			syscall.Kill(pid, syscall.SIGSTOP)
			o.say("start " + call)
		}
		children := o.present(51)
		syscall.Kill(pid, syscall.SIGSTOP) // The owner may be dead before it can continue it.
		o.kill()
		awaitDeath(t, children)
	})
}

// What dies together cannot look after each other. The ledger still names the
// children, and Orphans finds them.
func TestChildrenOfAnOwnerThatDiedWithItsSupervisorAreFound(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOLDFAST_LEDGER_DIR", dir)
	o := startOwner(t, script{Tier: owned.Marks, Children: []string{call}})
	children := o.present(1)
	await(t, "the row of the child", func() bool {
		records, err := ledger.Read(dir)
		return err == nil && len(records) == 1 && len(records[0].Live) == 1
	})
	supervisor, _ := strconv.Atoi(o.say("supervisor"))
	syscall.Kill(o.cmd.Process.Pid, syscall.SIGSTOP) // So that it starts no other.
	syscall.Kill(supervisor, syscall.SIGKILL)
	o.kill()
	if len(living(children)) != 1 {
		t.Skip("somebody else ended the child")
	}
	records, err := ledger.Read(dir)
	if err != nil || len(records) != 1 || len(records[0].Live) != 1 || !records[0].Dead() {
		t.Fatalf("the ledger says %+v, %v", records, err)
	}
	if got := records[0].Live[0].Process; got != children[0] {
		t.Errorf("it names %v, not %v", got, children[0])
	}
}

// escapes are children that start somebody who leaves their group; what is left
// in common with the owner is in the names. Two processes answer the roll.
var escapes = map[string]string{
	"session left, parent alive":         `setsid sh -c 'echo $$ >> "$ROLL"; exec sleep 1010' & ` + call,
	"parent gone too":                    `(setsid sh -c 'echo $$ >> "$ROLL"; exec sleep 1011' &) ; ` + call,
	"environment gone, parent alive":     `env -i ROLL="$ROLL" setsid sh -c 'echo $$ >> "$ROLL"; exec env -i sleep 1012' & ` + call,
	"environment and parent gone":        `(env -i ROLL="$ROLL" setsid sh -c 'echo $$ >> "$ROLL"; exec env -i sleep 1013' &) ; ` + call,
	"limit, environment, parent gone":    `(env -i ROLL="$ROLL" setsid bash -c 'ulimit -S -x unlimited; echo $$ >> "$ROLL"; exec env -i sleep 1014' &) ; ` + call,
	"group left, same session (bash -m)": `exec bash -mc 'sh -c "echo \$\$ >> \"\$ROLL\"; exec env -i sleep 1015" & ` + "echo $$ >> \"$ROLL\"; exec sleep 1016'",
}

func TestDescendantsThatLeftTheGroupDieToo(t *testing.T) {
	for _, tier := range []owned.Tier{owned.Marks, owned.Cgroup} {
		for name, child := range escapes {
			t.Run(tier.String()+"/"+name, func(t *testing.T) {
				t.Parallel()
				for _, program := range []string{"setsid", "bash"} {
					if _, err := exec.LookPath(program); err != nil {
						t.Skip(err)
					}
				}
				// The limit is set right after the start: who is to have it waits.
				child = `while [ ! -e "$ROLL.go" ]; do sleep 0.02; done; ` + child
				o := startOwner(t, script{Tier: tier, Grace: 300 * time.Millisecond, Children: []string{child}})
				if err := os.WriteFile(o.roll+".go", nil, 0o600); err != nil {
					t.Fatal(err)
				}
				children := o.present(2)
				supervisor, _ := strconv.Atoi(o.say("supervisor"))
				id, err := procid.Of(supervisor)
				if err != nil {
					t.Fatal(err)
				}
				o.kill()
				if tier != owned.Marks || name != "limit, environment, parent gone" {
					awaitDeath(t, children)
					return
				}
				// What nothing ties to its owner escapes the marks, and the
				// documentation says so.
				await(t, "the supervisor's end", func() bool { return id.State() != procid.Alive })
				if alive := living(children); len(alive) != 1 {
					t.Errorf("%d processes are alive, not the one without a mark", len(alive))
				}
			})
		}
	}
}

func TestGroupsThatSomethingElseStartedDieWithTheOwner(t *testing.T) {
	eachTier(t, func(t *testing.T, tier owned.Tier) {
		o := startOwner(t, script{Tier: tier, Grace: 300 * time.Millisecond, Plain: true, Children: family[:4]})
		children := o.present(6)
		o.kill()
		awaitDeath(t, children)
	})
}

// An owned group is marked, so that who leaves it later is found too.
func TestWhoLeavesAnAdoptedGroupDiesWithTheOwner(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("marks need Linux")
	}
	child := `while [ ! -e "$ROLL.go" ]; do sleep 0.02; done; ` + escapes["parent gone too"]
	o := startOwner(t, script{Tier: owned.Marks, Plain: true, Children: []string{child}})
	if err := os.WriteFile(o.roll+".go", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	children := o.present(2)
	o.kill()
	awaitDeath(t, children)
}

func TestAForkingStormEnds(t *testing.T) {
	eachTier(t, func(t *testing.T, tier owned.Tier) {
		storm := `trap "" TERM; while :; do sh -c 'echo $$ >> "$ROLL"; sleep 0.2' & sleep 0.01; done`
		o := startOwner(t, script{Tier: tier, Grace: 100 * time.Millisecond, Children: []string{storm}})
		o.present(10)
		o.kill()
		awaitNobody(t, "ROLL="+o.roll)
	})
}

func TestTwoHundredChildrenDie(t *testing.T) {
	eachTier(t, func(t *testing.T, tier owned.Tier) {
		children := make([]string, 200)
		for i := range children {
			children[i] = call
		}
		o := startOwner(t, script{Tier: tier, Children: children})
		ids := o.present(200)
		o.kill()
		awaitDeath(t, ids)
	})
}

func TestEverySupervisorEndsWhatItsOwnerLeft(t *testing.T) {
	for _, shell := range [][]string{{"dash"}, {"busybox", "sh"}, {"mksh"}, {"bash"}} {
		t.Run(strings.Join(shell, " "), func(t *testing.T) {
			t.Parallel()
			path, err := exec.LookPath(shell[0])
			if err != nil {
				if os.Getenv("HOLDFAST_E2E") != "" {
					t.Fatal(err)
				}
				t.Skip(err)
			}
			o := startOwner(t, script{Shell: append([]string{path}, shell[1:]...), Grace: 300 * time.Millisecond, Children: family})
			children := o.present(familySize)
			o.kill()
			awaitDeath(t, children)
		})
	}
}

// The output of an owner ends with the owner, or "owner | cat" would wait for
// its supervisor.
func TestNobodyHoldsTheOutputOfADeadOwner(t *testing.T) {
	o := startOwner(t, script{Children: []string{`exec >/dev/null 2>&1; trap "" TERM; ` + call}})
	children := o.present(1)
	syscall.Kill(o.cmd.Process.Pid, syscall.SIGKILL)
	o.wait() // It reads until the output ends.
	if len(living(children)) == 0 {
		t.Error("the output ended only when everything had ended")
	}
	awaitDeath(t, children)
}
