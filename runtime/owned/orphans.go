package owned

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/owned/internal/evidence"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// An Orphan is a process that an owner which is dead has left behind, as far
// as the Evidence goes. Orphans are rare: they take an owner and a supervisor
// that died together, or a process that shook off what it was held by.
type Orphan struct {
	// Process is who it is.
	Process procid.Info `json:"process"`
	// Command is its command line, at most 20 words; nil if it is hidden.
	Command []string `json:"command,omitempty"`
	// Owner is who started it, or what started it.
	Owner procid.Identity `json:"owner"`
	// OwnerCommand is the owner's command line, as the owner noted it.
	OwnerCommand []string `json:"ownerCommand,omitempty"`
	// Entry is the owner's row about this process; zero if it has none, as
	// for a grandchild.
	Entry ledger.Entry `json:"entry,omitzero"`
	// Evidence is what speaks for it, strongest first. There is some.
	Evidence []Evidence `json:"evidence"`
}

// Evidence is one thing that speaks for a process being a dead owner's.
type Evidence struct {
	// Kind is "identity", "cookie", "cgroup", "limit", "parent", "group",
	// "session" or "number".
	Kind string `json:"kind"`
	// Text says it to a person.
	Text string `json:"text"`
	// Proves is false if this is not enough. It is for "number": the process
	// is in a group that has the number of one that the owner noted, and
	// nobody in it is known.
	Proves bool `json:"proves"`
	// Weight is what it adds to the score.
	Weight int `json:"weight"`
}

// Proven reports whether the process is the dead owner's beyond doubt. Only
// then may it be ended.
func (o Orphan) Proven() bool {
	for _, e := range o.Evidence {
		if e.Proves {
			return true
		}
	}
	return false
}

// Score is the sum of the weights: at least 20 if it is proven.
func (o Orphan) Score() int {
	score := 0
	for _, e := range o.Evidence {
		score += e.Weight
	}
	return score
}

// Orphans returns what the dead owners in a ledger may have left, those with
// the most evidence first. An empty dir is that of [ledger.Dir].
//
// A process is proven to be an orphan if the ledger has its very identity, if
// it carries a mark of the owner, or by kinship with one that is proven: its
// parent, the leader of its session, or somebody in its group if that is in the
// ledger. Never among them are
//   - a child or descendant of an owner that lives, or of which one cannot tell,
//     whatever else speaks for it;
//   - what an owner meant to outlive it, and the descendants of that;
//   - supervisors, this process and its ancestors.
//
// Orphans looks at every process of the machine and waits for none: it takes
// about 50 µs for each. It returns early if ctx ends. The error wraps
// [errors.ErrUnsupported] where the system does not list its processes.
func Orphans(ctx context.Context, dir string) ([]Orphan, error) {
	findings, err := findOrphans(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("owned: looking for orphans: %w", err)
	}
	var orphans []Orphan
	for _, f := range findings {
		orphans = append(orphans, orphan(f))
	}
	return orphans, nil
}

func findOrphans(ctx context.Context, dir string) ([]evidence.Finding, error) {
	records, err := ledger.Read(dir)
	if err != nil {
		return nil, err
	}
	processes, err := evidence.Look(ctx, records)
	if err != nil {
		return nil, err
	}
	// Once more: an owner that started meanwhile must be known to live.
	if records, err = ledger.Read(dir); err != nil {
		return nil, err
	}
	return evidence.Verdicts(processes, records, os.Getpid()), nil
}

func orphan(f evidence.Finding) Orphan {
	o := Orphan{
		Process:      f.Process.Info,
		Command:      f.Process.Command,
		Owner:        f.Owner.Owner,
		OwnerCommand: f.Owner.Opened.Command,
		Entry:        f.Entry,
	}
	for _, item := range f.Evidence {
		o.Evidence = append(o.Evidence, Evidence{Kind: string(item.Kind), Text: item.Text, Proves: item.Kind.Proves(), Weight: item.Kind.Weight()})
	}
	return o
}

// EndOrphans ends the given orphans: SIGTERM and SIGCONT first, SIGKILL to what
// is left when the grace is over or ctx ends, whichever is first. Right before
// each signal it checks again that the process is the one that was found.
//
// Orphans that are not proven are left alone and named in the error, and so are
// those that could not be signalled or do not end. It takes the grace and two
// seconds at most. A process that was started meanwhile is for the next call of
// [Orphans] to find.
func EndOrphans(ctx context.Context, orphans []Orphan, grace time.Duration) error {
	var ids []procid.Identity
	var errs []error
	for _, o := range orphans {
		if o.Proven() {
			ids = append(ids, o.Process.Identity)
			continue
		}
		errs = append(errs, fmt.Errorf("process %d: it is not proven to be an orphan", o.Process.PID))
	}
	errs = append(errs, evidence.End(ctx, ids, grace))
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("owned: ending orphans: %w", err)
	}
	return nil
}

// ForgetFinished removes from a ledger the files of dead owners that left
// nothing behind: nobody that they noted or kept is there, and nobody carries
// their marks. It returns how many it removed. An empty dir is that of
// [ledger.Dir]. It takes as long as [Orphans], and waits for no lock.
func ForgetFinished(ctx context.Context, dir string) (int, error) {
	findings, err := findOrphans(ctx, dir)
	if err != nil {
		return 0, fmt.Errorf("owned: forgetting finished owners: %w", err)
	}
	needed := map[procid.Identity]bool{}
	for _, f := range findings {
		needed[f.Owner.Owner] = true
	}
	records, err := ledger.Read(dir)
	if err != nil {
		return 0, fmt.Errorf("owned: forgetting finished owners: %w", err)
	}
	removed := 0
	for _, r := range records {
		// Of a file without its first row the marks may be lost.
		if !r.Dead() || r.Locked || needed[r.Owner] || r.Opened.Time.IsZero() {
			continue
		}
		if ledger.Remove(dir, r.Owner) == nil {
			removed++
		}
	}
	return removed, nil
}
