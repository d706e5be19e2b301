package doctor

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/machine"
	"github.com/holdfast-go/holdfast/runtime/owned"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

const self = 9

// ran is a process with a parent, and the ports that it listens on.
func ran(pid, parent int, ports ...uint16) machine.Process {
	p := machine.Process{
		Info:    procid.Info{Identity: procid.Identity{Boot: "b", PID: pid, Start: uint64(pid)}, Parent: parent},
		Command: []string{fmt.Sprintf("program-%d", pid)},
	}
	for _, port := range ports {
		p.Listening = append(p.Listening, netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), port))
	}
	return p
}

func restarted(p machine.Process) machine.Process {
	p.Start += 1000
	return p
}

func snapshot(processes ...machine.Process) machine.Snapshot {
	return machine.Snapshot{Processes: processes}
}

func TestWhatIsLeftBehind(t *testing.T) {
	for name, test := range map[string]struct {
		before, after []machine.Process
		orphans       []int
		left          string // PID and who started it
	}{
		"nothing happened":        {[]machine.Process{ran(5, 1), ran(6, 5)}, []machine.Process{ran(5, 1), ran(6, 5)}, nil, ""},
		"restarted as a whole":    {[]machine.Process{ran(5, 1), ran(6, 5)}, []machine.Process{ran(7, 1), ran(8, 7)}, nil, ""},
		"child left":              {[]machine.Process{ran(4, 1), ran(5, 4), ran(6, 5)}, []machine.Process{ran(4, 1), ran(6, 1), ran(7, 4)}, nil, "6 by 5 4"},
		"grandchild left too":     {[]machine.Process{ran(5, 1), ran(6, 5), ran(7, 6)}, []machine.Process{ran(7, 6), ran(6, 1)}, nil, "6 by 5|7 by 6 5"},
		"started since":           {[]machine.Process{ran(5, 1)}, []machine.Process{ran(6, 1)}, nil, ""},
		"started since by a left": {[]machine.Process{ran(5, 1), ran(6, 5)}, []machine.Process{ran(6, 1), ran(7, 6)}, nil, "6 by 5"},
		"number recycled":         {[]machine.Process{ran(5, 1), ran(6, 5)}, []machine.Process{restarted(ran(6, 1))}, nil, ""},
		"parent recycled":         {[]machine.Process{ran(5, 1), ran(6, 5)}, []machine.Process{restarted(ran(5, 1)), ran(6, 1)}, nil, "6 by 5"},
		"adopted by a subreaper":  {[]machine.Process{ran(3, 1), ran(5, 3), ran(6, 5)}, []machine.Process{ran(3, 1), ran(6, 3)}, nil, "6 by 5 3"},
		"orphan by the ledger":    {[]machine.Process{ran(6, 1)}, []machine.Process{ran(6, 1)}, []int{6}, "6 by 99"},
		"orphan born since":       {[]machine.Process{}, []machine.Process{ran(6, 1)}, []int{6}, ""},
		"who looks":               {[]machine.Process{ran(8, 1), ran(self, 8)}, []machine.Process{ran(self, 1)}, nil, ""},
	} {
		var orphans []owned.Orphan
		for _, pid := range test.orphans {
			orphans = append(orphans, owned.Orphan{
				Process: ran(pid, 1).Info, Owner: procid.Identity{Boot: "b", PID: 99}, OwnerCommand: []string{"owner"},
				Evidence: []owned.Evidence{{Kind: "identity", Proves: true, Text: "noted"}},
			})
		}
		report := Compare(snapshot(test.before...), snapshot(test.after...), orphans, self)
		if got := inWords(report.Left); got != test.left {
			t.Errorf("%s: got %q, want %q", name, got, test.left)
		}
	}
}

func inWords(left []Leftover) string {
	var all []string
	for _, l := range left {
		var above []string
		for _, line := range l.StartedBy {
			above = append(above, strings.Fields(line)[0])
		}
		all = append(all, fmt.Sprintf("%d by %s", l.PID, strings.Join(above, " ")))
	}
	slices.Sort(all)
	return strings.Join(all, "|")
}

func TestWhatBecameOfThePorts(t *testing.T) {
	before := snapshot(ran(2, 1, 22), ran(5, 1, 80), ran(6, 5, 3000), ran(7, 1, 90))
	before.Hidden = []machine.Port{netip.MustParseAddrPort("0.0.0.0:53"), netip.MustParseAddrPort("0.0.0.0:54")}
	after := snapshot(ran(2, 1, 22), ran(8, 1, 80, 443), ran(6, 1, 3000))
	after.Hidden = before.Hidden[:1]
	report := Compare(before, after, nil, self)
	var got []string
	for _, p := range report.Ports {
		got = append(got, fmt.Sprintf("%d %s%s", p.Port.Port(), p.Change, holding(p)))
	}
	want := []string{
		"22 as before: 2  program-2",
		"53 as before: a hidden process",
		"54 closed, was a hidden process",
		"80 taken over: 8  program-8, was 5  program-5",
		"90 closed, was 7  program-7",
		"443 new: 8  program-8",
		"3000 held by what is left: 6  program-6",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if report.Ended != 2 || len(report.Started) != 1 {
		t.Errorf("%d ended, %d started", report.Ended, len(report.Started))
	}
}
