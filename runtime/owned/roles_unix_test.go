//go:build unix

package owned_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/owned"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// The test program is also the owners that the tests kill: with this variable
// it plays one.
const ownerVariable = "TEST_OWNER"

// With this variable it plays another role, by its name.
const roleVariable = "TEST_ROLE"

var roles = map[string]func(){}

func TestMain(m *testing.M) {
	owned.Hook()
	if role := roles[os.Getenv(roleVariable)]; role != nil {
		role()
		return
	}
	if text, ok := os.LookupEnv(ownerVariable); ok {
		if os.Getenv("TEST_STRICT") != "" {
			if err := owned.Strict(); err != nil {
				panic(err)
			}
		}
		playOwner(text)
		return
	}
	dir, err := os.MkdirTemp("", "ledger-")
	if err != nil {
		panic(err)
	}
	os.Setenv("HOLDFAST_LEDGER_DIR", dir)
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// A script is what an owner does.
type script struct {
	Tier     owned.Tier
	Grace    time.Duration
	Shell    []string // of the supervisor; /bin/sh if empty
	Children []string // shell scripts
	Burst    bool     // go on starting the last child until the end
	Plain    bool     // start them with os/exec and own their groups
	Default  bool     // use the default owner
	Keep     string   // shell script that is kept
	Terminal bool     // give the children the owner's input

	Exit       bool   // then
	Foreground string // shell script that gets the terminal, and is waited for
}

// playOwner starts the children and then does what it is told, a line each.
func playOwner(text string) {
	var s script
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		panic(err)
	}
	os.Unsetenv(ownerVariable)
	o := s.owner()
	p := &player{script: s, owner: o}
	if s.Default {
		resumed, err := owned.Resume()
		if err != nil {
			panic(err)
		}
		p.children = resumed
	}
	if len(p.children) == 0 {
		for _, child := range s.Children {
			p.start(child)
		}
	}
	if s.Foreground != "" {
		p.foreground()
		time.Sleep(time.Hour)
	}
	if s.Keep != "" {
		if _, err := o.Keep(exec.Command("sh", "-c", s.Keep), "the test wants it to live"); err != nil {
			panic(err)
		}
	}
	fmt.Println("ready", o.Containment().Tier)
	if s.Burst {
		go func() {
			for {
				p.start(s.Children[0])
			}
		}()
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		fmt.Println(p.obey(word, rest))
	}
	os.Exit(0)
}

func (s script) owner() *owned.Owner {
	if s.Default {
		return owned.Default()
	}
	options := []owned.OwnerOption{owned.AtMost(s.Tier)}
	if s.Grace != 0 {
		options = append(options, owned.OwnerGrace(s.Grace))
	}
	if len(s.Shell) > 0 {
		options = append(options, owned.Supervisor(s.Shell[0], s.Shell[1:]...))
	}
	return owned.New(options...)
}

type player struct {
	script   script
	owner    *owned.Owner
	children []*owned.Child
	groups   []int // that were adopted
}

func (p *player) start(child string) {
	cmd := exec.Command("sh", "-c", child)
	if p.script.Plain {
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		if err := p.owner.Own(cmd.Process.Pid); err != nil {
			panic(err)
		}
		p.groups = append(p.groups, cmd.Process.Pid)
		go cmd.Wait()
		return
	}
	if p.script.Terminal {
		cmd.Stdin = os.Stdin
	}
	c, err := p.owner.Start(cmd)
	if err != nil {
		panic(err)
	}
	if !p.script.Burst {
		p.children = append(p.children, c)
	}
}

func (p *player) foreground() {
	cmd := exec.Command("sh", "-c", p.script.Foreground)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	c, err := p.owner.Start(cmd, owned.Foreground())
	if err != nil {
		panic(err)
	}
	c.Wait()
	if p.script.Exit {
		os.Exit(0)
	}
}

func (p *player) obey(word, rest string) string {
	switch word {
	case "exit":
		os.Exit(3)
	case "panic":
		panic("as told")
	case "start":
		p.start(rest)
	case "pid":
		return strconv.Itoa(os.Getpid())
	case "supervisor":
		return strconv.Itoa(p.owner.Containment().Supervisor)
	case "own":
		group, _ := strconv.Atoi(rest)
		return fmt.Sprint(p.owner.Own(group))
	case "wait":
		first := make(chan error, len(p.children))
		for _, c := range p.children {
			go func() { first <- c.Wait() }()
		}
		return fmt.Sprint(<-first)
	case "stop":
		return fmt.Sprint(p.children[0].Stop(context.Background()))
	case "recover":
		kept, err := p.owner.Recover(context.Background())
		answer := []string{fmt.Sprint(err)}
		for _, k := range kept {
			answer = append(answer, fmt.Sprint(k.PID()), k.Reason(), k.Log())
		}
		return strings.Join(answer, "|")
	case "exec":
		env, cancel, err := owned.Handoff(append(os.Environ(), ownerVariable+"="+rest))
		if err != nil {
			panic(err)
		}
		err = syscall.Exec("/proc/self/exe", os.Args, env)
		cancel()
		panic(err)
	case "release":
		if rest == "first" {
			p.owner.Release(p.groups[0])
		} else {
			p.owner.ReleaseOnceEmpty(p.groups...)
		}
	}
	return "done"
}

// An owner is a process that plays a script.
type owner struct {
	*testing.T
	cmd    *exec.Cmd
	in     *bufio.Writer
	out    *bufio.Scanner
	tier   string
	roll   string // file in which every child writes its PID
	errors *bytes.Buffer
	ended  chan struct{}
}

// call is a child that answers the roll and then sleeps.
const call = `echo $$ >> "$ROLL"; exec sleep 1000`

func startOwner(t *testing.T, s script) *owner {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o := &owner{T: t, roll: t.TempDir() + "/roll", errors: &bytes.Buffer{}, ended: make(chan struct{})}
	o.cmd = exec.Command(self)
	o.cmd.Env = append(os.Environ(), ownerVariable+"="+string(text), "ROLL="+o.roll)
	o.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	o.cmd.Stderr = o.errors
	in, err := o.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := o.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := o.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	o.in, o.out = bufio.NewWriter(in), bufio.NewScanner(out)
	t.Cleanup(func() {
		o.kill()
		for _, id := range o.called() {
			if id.State() == procid.Alive {
				syscall.Kill(id.PID, syscall.SIGKILL)
			}
		}
	})
	answer := o.answer()
	var ok bool
	if o.tier, ok = strings.CutPrefix(answer, "ready "); !ok {
		t.Fatalf("the owner says %q: %s", answer, o.errors)
	}
	if s.Tier != owned.Automatic && o.tier != s.Tier.String() {
		if os.Getenv("HOLDFAST_E2E") != "" && s.Tier != owned.Cgroup {
			t.Fatalf("the %v tier does not work here", s.Tier)
		}
		t.Skipf("the %v tier does not work here", s.Tier)
	}
	return o
}

func (o *owner) answer() string {
	o.Helper()
	if !o.out.Scan() {
		return ""
	}
	return o.out.Text()
}

// say tells the owner a line and returns its answer.
func (o *owner) say(line string) string {
	o.Helper()
	o.tell(line)
	return o.answer()
}

func (o *owner) tell(line string) {
	fmt.Fprintln(o.in, line)
	o.in.Flush()
}

func (o *owner) kill() {
	o.cmd.Process.Kill()
	o.wait()
}

func (o *owner) wait() {
	for o.out.Scan() {
	}
	o.cmd.Wait()
}

// present waits until n processes have answered the roll.
func (o *owner) present(n int) []procid.Identity {
	o.Helper()
	var called []procid.Identity
	await(o.T, fmt.Sprintf("%d processes to be there", n), func() bool {
		called = o.called()
		return len(called) >= n
	})
	return called
}

// called returns the processes that have answered the roll and still have their
// numbers. A test asks before any of these can have ended.
func (o *owner) called() []procid.Identity {
	text, _ := os.ReadFile(o.roll)
	lines := strings.SplitAfter(string(text), "\n")
	var called []procid.Identity
	for _, line := range lines[:len(lines)-1] {
		pid, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			o.Fatalf("the roll says %q", line)
		}
		if id, err := procid.Of(pid); err == nil {
			called = append(called, id)
		}
	}
	return called
}

func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !done(); time.Sleep(3 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func living(ids []procid.Identity) (alive []int) {
	for _, id := range ids {
		if id.State() == procid.Alive {
			alive = append(alive, id.PID)
		}
	}
	return alive
}

func awaitDeath(t *testing.T, ids []procid.Identity) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(3 * time.Millisecond) {
		alive := living(ids)
		if len(alive) == 0 {
			return
		}
		if time.Now().After(deadline) {
			for _, pid := range alive {
				line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
				t.Errorf("survivor %d: %q", pid, line)
			}
			return
		}
	}
}

func mustLive(t *testing.T, ids []procid.Identity) {
	t.Helper()
	if alive := living(ids); len(alive) != len(ids) {
		t.Errorf("of %d processes of a living owner %d are alive", len(ids), len(alive))
	}
}

var tiers = []owned.Tier{owned.Portable, owned.Marks, owned.Cgroup}

func eachTier(t *testing.T, f func(t *testing.T, tier owned.Tier)) {
	for _, tier := range tiers {
		t.Run(tier.String(), func(t *testing.T) {
			t.Parallel()
			f(t, tier)
		})
	}
}

func itoa(n int) string { return strconv.Itoa(n) }
