package ps

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/machine"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// A tree prints owners with their children, and owners that are children of
// others below those.
type tree struct {
	*bufio.Writer
	owners map[procid.Identity]*Owner
	nested map[procid.Identity]bool // owners that are a child of another
	shown  map[procid.Identity]bool // owners printed; a ledger can name a circle
}

func writeTree(w io.Writer, owners []Owner) error {
	t := tree{Writer: bufio.NewWriter(w), owners: map[procid.Identity]*Owner{}, nested: map[procid.Identity]bool{}, shown: map[procid.Identity]bool{}}
	if len(owners) == 0 {
		fmt.Fprintln(t, "The ledger knows no owner that lives or has left something behind.")
	}
	for i := range owners {
		t.owners[owners[i].Process] = &owners[i]
		for _, c := range owners[i].Children {
			t.nested[c.Process] = true
		}
	}
	for i := range owners {
		if !t.nested[owners[i].Process] {
			t.owner(&owners[i])
		}
	}
	for i := range owners { // What is left is nested in itself.
		if !t.shown[owners[i].Process] {
			t.owner(&owners[i])
		}
	}
	return t.Flush()
}

func (t tree) owner(o *Owner) {
	fmt.Fprintf(t, "%s  %s  %s", number(o.Process), stateOf(o.State), cmp.Or(machine.CommandLine(o.Command), "(command not noted)"))
	if o.Dir != "" {
		fmt.Fprintf(t, "  in %s", machine.Printable(o.Dir))
	}
	fmt.Fprintln(t, since(o.Since))
	t.below(o, "")
}

// below prints what belongs to an owner, indented.
func (t tree) below(o *Owner, indent string) {
	t.shown[o.Process] = true
	for _, problem := range o.Problems {
		fmt.Fprintf(t, "%s   !  %s: %s\n", indent, o.File, machine.Printable(problem))
	}
	for i, c := range o.Children {
		branch, deeper := "├─ ", "│  "
		if i == len(o.Children)-1 {
			branch, deeper = "└─ ", "   "
		}
		fmt.Fprintln(t, indent+branch+line(c))
		for _, more := range details(c) {
			fmt.Fprintln(t, indent+deeper+"      "+more)
		}
		if inner := t.owners[c.Process]; inner != nil && !t.shown[c.Process] {
			t.below(inner, indent+deeper)
		}
	}
}

func line(c Child) string {
	words := []string{number(c.Process), stateOf(c.State)}
	if c.Process.IsZero() {
		words = []string{fmt.Sprintf("group %d", c.Group)}
	}
	if c.Kept {
		words = append(words, "kept")
	}
	command := machine.CommandLine(c.Command)
	if c.Name != "" && !strings.HasPrefix(command, c.Name) {
		words = append(words, machine.Printable(c.Name))
	}
	if c.Family != "" {
		words = append(words, "["+machine.Printable(c.Family)+"]")
	}
	return strings.Join(append(words, command), "  ") + since(c.Since)
}

// details is what a kept child has beside its line.
func details(c Child) []string {
	var lines []string
	if c.Reason != "" {
		lines = append(lines, "reason: "+machine.Printable(c.Reason))
	}
	if c.Log != "" {
		lines = append(lines, "log: "+machine.Printable(c.Log))
	}
	return lines
}

func number(id procid.Identity) string {
	if id.IsZero() {
		return "?"
	}
	return fmt.Sprint(id.PID)
}

// stateOf says what a dead owner or child is in one word.
func stateOf(s procid.State) string {
	if s == procid.Zombie {
		return "ended"
	}
	return s.String()
}

func since(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return "  " + machine.Age(time.Since(t))
}
