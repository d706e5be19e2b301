//go:build unix

package owned

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/holdfast-go/holdfast/runtime/owned/internal/census"
	"github.com/holdfast-go/holdfast/runtime/owned/internal/supervise"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// handoffVariable holds, for the program that this one becomes, the number of
// the open file with the estate.
const handoffVariable = "HOLDFAST_HANDOFF"

// An estate is what an owner hands to the program that it becomes.
type estate struct {
	Owner      procid.Identity
	Cookie     string
	Births     int
	Tier       Tier
	Why        []string
	Marks      supervise.Marks
	MaxLocks   uint64
	Leaf       string
	Grace      time.Duration
	Supervisor int
	Pipe       int // open file
	Holds      []heirloom
}

// An heirloom is one owned group.
type heirloom struct {
	Group  int
	Member census.Member
	Grace  time.Duration
	Child  *childNote // nil if something else started it
}

type childNote struct {
	Identity     procid.Identity
	Mark         string
	Name, Family string
	Path         string
	Args         []string
	Dir          string
}

func (o *Owner) handoff(env []string) (handedOff []string, cancel func(), err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.open(); err != nil {
		return nil, nil, err
	}
	left := o.estate()
	o.platform.spares.close()
	if err := o.journal.flush(); err != nil {
		return nil, nil, err
	}
	pipe, pid, err := o.platform.client.Bequeath()
	if err != nil {
		return nil, nil, err
	}
	left.Pipe, left.Supervisor = pipe, pid
	file, err := writeEstate(left)
	if err != nil {
		o.platform.client.Keep(pipe)
		return nil, nil, err
	}
	o.handingOff = true
	variable := handoffVariable + "=" + strconv.Itoa(int(file.Fd()))
	return append(env[:len(env):len(env)], variable), func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		file.Close()
		o.platform.client.Keep(pipe)
		o.handingOff = false
	}, nil
}

func (o *Owner) estate() estate {
	p := &o.platform
	left := estate{
		Owner: procid.Self(), Cookie: o.cookie, Births: o.births, Tier: p.tier, Why: p.why,
		Marks: p.marks, MaxLocks: p.maxLocks, Leaf: p.leaf.path, Grace: o.config.grace,
	}
	for c := range o.children {
		left.Holds = append(left.Holds, c.hold.heirloom(&childNote{
			Identity: c.Identity(), Mark: c.mark, Name: c.Name(), Family: c.settings.family,
			Path: c.cmd.Path, Args: c.cmd.Args, Dir: c.cmd.Dir,
		}))
	}
	for _, h := range p.allAdopted() {
		left.Holds = append(left.Holds, h.heirloom(nil))
	}
	return left
}

func (h *hold) heirloom(child *childNote) heirloom {
	<-h.known
	h.mu.Lock()
	defer h.mu.Unlock()
	return heirloom{Group: h.id, Member: h.member, Grace: h.grace, Child: child}
}

// writeEstate writes to a file without a name that stays open over an exec.
func writeEstate(left estate) (*os.File, error) {
	file, err := os.CreateTemp("", "handoff-")
	if err != nil {
		return nil, err
	}
	os.Remove(file.Name())
	err = json.NewEncoder(file).Encode(left)
	if err == nil {
		_, err = file.Seek(0, 0)
	}
	if err == nil {
		err = supervise.KeepOnExec(int(file.Fd()), true)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// inherit takes what the program left that this one was before, if anything.
func (o *Owner) inherit() (*estate, error) {
	text, ok := os.LookupEnv(handoffVariable)
	if !ok {
		return nil, nil
	}
	os.Unsetenv(handoffVariable)
	fd, err := strconv.Atoi(text)
	if err != nil {
		return nil, fmt.Errorf("%s is no number: %q", handoffVariable, text)
	}
	file := os.NewFile(uintptr(fd), "estate")
	if file == nil {
		return nil, fmt.Errorf("%s is no open file: %q", handoffVariable, text)
	}
	defer file.Close()
	var left estate
	if err := json.NewDecoder(file).Decode(&left); err != nil {
		return nil, fmt.Errorf("reading what was handed over: %w", err)
	}
	if left.Owner != procid.Self() {
		return nil, errors.New("what was handed over is another process's")
	}
	return &left, nil
}

// resume makes this owner the one that left the estate.
func (o *Owner) resume(left *estate) error {
	o.cookie, o.births, o.config.grace = left.Cookie, left.Births, left.Grace
	p := &o.platform
	p.tier, p.why, p.marks, p.maxLocks = left.Tier, left.Why, left.Marks, left.MaxLocks
	p.leaf = reopenLeaf(left.Leaf)
	p.connect(o)
	if err := p.client.Inherit(left.Pipe, left.Supervisor); err != nil {
		return err
	}
	for _, h := range left.Holds {
		o.resumeHold(h)
	}
	return nil
}

func (o *Owner) resumeHold(left heirloom) {
	p := &o.platform
	h := &hold{
		platform: p,
		id:       left.Group,
		grace:    left.Grace,
		leader:   openGroup(left.Group, left.Member),
		known:    closed,
		reaped:   closed,
	}
	h.watched = openHandle(left.Member.PID)
	h.member = left.Member
	p.client.Know(supervise.Group{ID: h.id, Member: h.member.PID, Start: h.member.Start, Grace: h.grace})
	if left.Child == nil {
		h.ended = func(bool) { p.forget(h) }
		p.remember(h)
		go h.attend()
		return
	}
	o.resumeChild(h, left.Child)
}

func (o *Owner) resumeChild(h *hold, note *childNote) {
	process, err := os.FindProcess(note.Identity.PID)
	if err != nil {
		return
	}
	c := &Child{
		cmd:      &exec.Cmd{Path: note.Path, Args: note.Args, Dir: note.Dir, Process: process, WaitDelay: WaitDelay},
		owner:    o,
		settings: settings{grace: h.grace, name: note.Name, family: note.Family},
		known:    closed,
		identity: note.Identity,
		mark:     note.Mark,
		hold:     h,
		waited:   make(chan struct{}),
	}
	c.live()
	h.mark, h.reaped, h.ended = note.Mark, make(chan struct{}), c.ended
	o.children[c] = struct{}{}
	go h.attend()
}

// openGroup returns a handle on a group whose leader still has its number. The
// kernel gives none on one whose leader is gone, and the group is then known by
// its members only.
func openGroup(group int, member census.Member) handle {
	now, err := census.Look(group)
	if err != nil || now.Group != group {
		return handle{}
	}
	if group == member.PID && now.Start != member.Start {
		return handle{}
	}
	return openHandle(group)
}
