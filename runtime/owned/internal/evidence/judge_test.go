package evidence

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/owned/internal/census"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

const (
	deadCookie   = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	livingCookie = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	deadLocks    = 1<<40 + 7
	deadLeaf     = "/sys/fs/cgroup/holdfast-dead"
	// self looks; its parent is a shell with PID 8.
	self = 9
)

var dead, alive = who(100), who(200)

// who is the identity of the process with a PID: what started at that time.
func who(pid int) procid.Identity {
	return procid.Identity{Boot: "b", PID: pid, Start: uint64(pid)}
}

// a returns a process that was adopted by PID 1, leads its own group and
// session, and has no marks.
func a(pid int, change ...func(*Process)) Process {
	p := Process{Info: procid.Info{Identity: who(pid), State: procid.Alive, Parent: 1, Group: pid, Session: pid}}
	for _, f := range change {
		f(&p)
	}
	return p
}

func parent(pid int) func(*Process)  { return func(p *Process) { p.Parent = pid } }
func group(pid int) func(*Process)   { return func(p *Process) { p.Group = pid } }
func session(pid int) func(*Process) { return func(p *Process) { p.Session = pid } }
func environ(text string) func(*Process) {
	return func(p *Process) { p.Environ = append(p.Environ, "\x00X="+text+"\x00"...) }
}
func locks(n uint64) func(*Process)   { return func(p *Process) { p.Locks = n } }
func leaf(name string) func(*Process) { return func(p *Process) { p.Leaves = []string{name} } }
func startedAt(n uint64) func(*Process) {
	return func(p *Process) { p.Start = n }
}
func zombie(p *Process) { p.State = procid.Zombie }

// deadOwner noted the child 10 in the group 10, and the kept child 50.
func deadOwner() ledger.OwnerRecord {
	return ledger.OwnerRecord{
		Owner: dead, Alive: procid.Gone,
		Marks: []ledger.Entry{{Cookie: deadCookie, Locks: deadLocks}, {Leaf: deadLeaf}},
		Live: []ledger.Entry{
			{Event: ledger.EventStart, Process: who(10), Group: 10, Name: "model"},
			{Event: ledger.EventKeep, Process: who(50), Group: 50, Reason: "it serves others"},
			{Event: ledger.EventOwn, Group: 60},
		},
	}
}

// livingOwner noted the child 20.
func livingOwner() ledger.OwnerRecord {
	return ledger.OwnerRecord{
		Owner: alive, Alive: procid.Alive,
		Marks: []ledger.Entry{{Cookie: livingCookie}},
		Live:  []ledger.Entry{{Event: ledger.EventStart, Process: who(20), Group: 20}},
	}
}

func TestVerdicts(t *testing.T) {
	for name, test := range map[string]struct {
		processes []Process
		want      string // PID and kinds of evidence of each finding, strongest first
	}{
		"noted":                           {[]Process{a(10)}, "10 identity"},
		"noted but recycled":              {[]Process{a(10, startedAt(11))}, "10 number?"},
		"recycled in another group":       {[]Process{a(10, startedAt(11), group(11))}, ""},
		"no evidence":                     {[]Process{a(11)}, ""},
		"cookie":                          {[]Process{a(11, environ(deadCookie+".3;"))}, "11 cookie"},
		"limit":                           {[]Process{a(11, locks(deadLocks))}, "11 limit"},
		"no limit":                        {[]Process{a(11, locks(unlimited))}, ""},
		"cgroup":                          {[]Process{a(11, leaf(deadLeaf))}, "11 cgroup"},
		"child of a noted one":            {[]Process{a(11, parent(10)), a(10)}, "10 identity|11 parent"},
		"grandchild of a noted one":       {[]Process{a(12, parent(11)), a(11, parent(10)), a(10)}, "10 identity|11 parent|12 parent"},
		"group of a noted one":            {[]Process{a(11, group(10)), a(10)}, "10 identity|11 group"},
		"group of a noted zombie":         {[]Process{a(11, group(10)), a(10, zombie)}, "11 group"},
		"group of a leader that is gone":  {[]Process{a(11, group(10)), a(12, group(10))}, "11 number?|12 number?"},
		"such a group with a cookie":      {[]Process{a(11, group(10)), a(12, group(10), environ(deadCookie))}, "12 cookie|11 group"},
		"recycled leader, stranger in it": {[]Process{a(10, startedAt(11)), a(11, group(10))}, "10 number?|11 number?"},
		"group that was owned by number":  {[]Process{a(60), a(61, group(60))}, "60 number?|61 number?"},
		"session of a noted one":          {[]Process{a(11, session(10)), a(10)}, "10 identity|11 session"},
		"session of a stranger":           {[]Process{a(10, session(5)), a(11, session(5)), a(5)}, "10 identity"},
		"group that nobody noted":         {[]Process{a(11, environ(deadCookie), group(5)), a(12, group(5)), a(5)}, "11 cookie"},
		"a zombie is nothing to end":      {[]Process{a(10, zombie)}, ""},
		"everything at once":              {[]Process{a(10), a(11, parent(10), group(10), session(10), environ(deadCookie))}, "11 cookie,parent,group,session|10 identity,group"},

		"kept":                             {[]Process{a(50)}, ""},
		"child of a kept one":              {[]Process{a(51, parent(50), environ(deadCookie)), a(50)}, ""},
		"group and session of a kept one":  {[]Process{a(51, group(50), environ(deadCookie)), a(52, session(50), environ(deadCookie)), a(50)}, ""},
		"number of a kept one, recycled":   {[]Process{a(50, startedAt(51), environ(deadCookie))}, "50 cookie"},
		"noted by a living owner":          {[]Process{a(20, environ(deadCookie))}, ""},
		"child of a living owner":          {[]Process{a(21, parent(200), environ(deadCookie)), a(200)}, ""},
		"grandchild of a living owner":     {[]Process{a(22, parent(21), environ(deadCookie)), a(21, parent(200)), a(200)}, ""},
		"cookie of a living owner":         {[]Process{a(22, environ(livingCookie+".1;"+deadCookie+".1;"))}, ""},
		"below a cookie of a living owner": {[]Process{a(23, parent(22), environ(deadCookie)), a(22, environ(livingCookie))}, ""},
		"group of a living owner":          {[]Process{a(21, group(20), environ(deadCookie))}, ""},
		"recycled number of a living one":  {[]Process{a(21, parent(200), environ(deadCookie)), a(200, startedAt(1))}, "21 cookie"},
		"a living owner left by a dead":    {[]Process{a(200, environ(deadCookie)), a(21, parent(200), environ(deadCookie))}, "200 cookie"},
		"supervisor":                       {[]Process{a(11, environ(deadCookie), environ(census.SupervisorMark))}, ""},
		"who looks":                        {[]Process{a(self, parent(8), environ(deadCookie)), a(8, parent(7), environ(deadCookie)), a(7, environ(deadCookie))}, ""},
		"PID 1":                            {[]Process{a(1, environ(deadCookie))}, ""},
		"below PID 1 of a living owner":    {[]Process{a(1, environ(livingCookie)), a(11, environ(deadCookie))}, "11 cookie"},
		"children of PID 1":                {[]Process{a(1, environ(deadCookie)), a(12)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			// The order of the processes proves nothing.
			for range 2 {
				slices.Reverse(test.processes)
				findings := Verdicts(test.processes, []ledger.OwnerRecord{livingOwner(), deadOwner()}, self)
				if got := inWords(findings); got != test.want {
					t.Errorf("got %q, want %q", got, test.want)
				}
			}
		})
	}
}

// inWords returns the findings in short; a question mark follows what is not
// proven.
func inWords(findings []Finding) string {
	var all []string
	for _, f := range findings {
		var kinds []string
		for _, item := range f.Evidence {
			kinds = append(kinds, string(item.Kind))
		}
		text := fmt.Sprintf("%d %s", f.Process.PID, strings.Join(kinds, ","))
		if !f.Proven() {
			text += "?"
		}
		all = append(all, text)
	}
	return strings.Join(all, "|")
}

func TestADamagedLedgerClaimsNobody(t *testing.T) {
	record := ledger.OwnerRecord{
		Owner: dead, Alive: procid.Gone,
		Marks: []ledger.Entry{{Cookie: "a"}, {Cookie: "PATH=/usr/bin"}, {Locks: 1024}, {Locks: unlimited}, {Leaf: ""}},
		Live:  []ledger.Entry{{Event: ledger.EventStart, Group: 1}, {Event: ledger.EventStart, Process: procid.Identity{PID: 10, Start: 10}}},
	}
	processes := []Process{a(10, environ("a PATH=/usr/bin"), locks(1024)), a(11, locks(unlimited), group(1)), a(12, leaf(""))}
	if got := Verdicts(processes, []ledger.OwnerRecord{record}, self); len(got) > 0 {
		t.Errorf("claimed %s", inWords(got))
	}
}

func TestAnOwnerThatMayLiveHasNoOrphans(t *testing.T) {
	for state, want := range map[procid.State]int{procid.Alive: 0, procid.CannotTell: 0, procid.Zombie: 1, procid.Gone: 1} {
		record := deadOwner()
		record.Alive = state
		if got := Verdicts([]Process{a(10)}, []ledger.OwnerRecord{record}, self); len(got) != want {
			t.Errorf("owner %v: %s", state, inWords(got))
		}
	}
}

func TestOfTwoDeadOwnersTheOneWithMoreEvidenceIsNamed(t *testing.T) {
	outer := deadOwner()
	inner := ledger.OwnerRecord{Owner: alive, Alive: procid.Gone, Live: []ledger.Entry{{Event: ledger.EventStart, Process: who(11), Group: 11}}, Marks: livingOwner().Marks}
	processes := []Process{a(11, environ(livingCookie+";"+deadCookie))}
	for _, records := range [][]ledger.OwnerRecord{{outer, inner}, {inner, outer}} {
		got := Verdicts(processes, records, self)
		if len(got) != 1 || got[0].Owner.Owner != alive || got[0].Entry.Process != who(11) {
			t.Errorf("got %+v", got)
		}
	}
}
