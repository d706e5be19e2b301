package owned

import "fmt"

// A Tier is a way to keep hold of descendants. A higher one lets less escape.
type Tier int

const (
	// Automatic is the highest tier that works.
	Automatic Tier = iota
	// Portable holds process groups, on every POSIX system.
	Portable
	// Marks also holds what left its group but carries a mark, on Linux.
	Marks
	// Cgroup also holds what was born in a cgroup, on Linux with a writable
	// cgroup v2.
	Cgroup
	// Job holds the processes of a job object, on Windows.
	Job
)

// String returns the name of the tier.
func (t Tier) String() string {
	switch t {
	case Automatic:
		return "automatic"
	case Portable:
		return "portable"
	case Marks:
		return "marks"
	case Cgroup:
		return "cgroup"
	case Job:
		return "job"
	}
	return fmt.Sprintf("owned.Tier(%d)", int(t))
}

// A Report says by which means an owner holds its descendants.
type Report struct {
	// Tier is the active tier.
	Tier Tier
	// Strict is true under a monitor that [Strict] started.
	Strict bool
	// Why says of each higher tier why it is not active.
	Why []string
	// Supervisor is the process ID of the supervisor, 0 while there is none.
	Supervisor int
	// Ledger is why no ledger is kept, or not a whole one; nil if one is or none
	// is wanted.
	Ledger error
	// Trouble is why there is no supervisor although there should be one.
	Trouble error
}

// Containment says how children of the [Default] owner are held.
func Containment() Report { return Default().Containment() }

// Containment says how children of this owner are held. It prepares the owner
// to find out, but starts no supervisor. It waits until the ledger is open, for
// two seconds at most.
func (o *Owner) Containment() Report {
	o.mu.Lock()
	err := o.open()
	o.mu.Unlock()
	if err != nil {
		return Report{Trouble: err}
	}
	report := Report{Ledger: o.journal.trouble(), Strict: underMonitor()}
	report.Tier, report.Why = o.tier()
	report.Supervisor, report.Trouble = o.supervisorPID()
	return report
}
