package sweep

import (
	"bufio"
	"cmp"
	"fmt"
	"io"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/machine"
	"github.com/holdfast-go/holdfast/runtime/owned"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// A Report is what -json prints.
type Report struct {
	// Proven is what -kill ends, Doubtful what nothing ends.
	Proven   []Scored `json:"proven"`
	Doubtful []Scored `json:"doubtful"`
}

// Scored is an orphan with its score.
type Scored struct {
	owned.Orphan
	Score int `json:"score"`
}

func report(orphans []owned.Orphan) Report {
	r := Report{Proven: []Scored{}, Doubtful: []Scored{}}
	for _, o := range orphans {
		scored := Scored{Orphan: o, Score: o.Score()}
		if o.Proven() {
			r.Proven = append(r.Proven, scored)
		} else {
			r.Doubtful = append(r.Doubtful, scored)
		}
	}
	return r
}

// writeText prints the orphans below their owners.
func writeText(w io.Writer, orphans []owned.Orphan) error {
	out := bufio.NewWriter(w)
	if len(orphans) == 0 {
		fmt.Fprintln(out, "Dead owners left nothing behind.")
	}
	var owners []procid.Identity
	byOwner := map[procid.Identity][]owned.Orphan{}
	for _, o := range orphans {
		if byOwner[o.Owner] == nil {
			owners = append(owners, o.Owner)
		}
		byOwner[o.Owner] = append(byOwner[o.Owner], o)
	}
	for _, owner := range owners {
		left := byOwner[owner]
		command := cmp.Or(machine.CommandLine(left[0].OwnerCommand), "(command not noted)")
		fmt.Fprintf(out, "left by %d, which is dead: %s\n", owner.PID, command)
		for _, o := range left {
			writeOrphan(out, o)
		}
	}
	return out.Flush()
}

func writeOrphan(out io.Writer, o owned.Orphan) {
	verdict := fmt.Sprintf("score %d", o.Score())
	if !o.Proven() {
		verdict = "not proven, will be left alone"
	}
	fmt.Fprintf(out, "  %v  (%s)\n", machine.Process{Info: o.Process, Command: o.Command}, verdict)
	for _, e := range o.Evidence {
		fmt.Fprintf(out, "      %-8s  %s\n", e.Kind, machine.Printable(e.Text))
	}
}

func count(n int) string {
	if n == 1 {
		return "1 process"
	}
	return fmt.Sprintf("%d processes", n)
}
