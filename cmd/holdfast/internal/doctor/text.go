package doctor

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/machine"
)

// writeText prints what a person wants to know first: what is left and what it
// holds.
func writeText(w io.Writer, report Report, all bool) error {
	out := bufio.NewWriter(w)
	for _, what := range report.Blind {
		fmt.Fprintf(out, "not seen: %s\n", what)
	}
	if len(report.Left) == 0 {
		fmt.Fprintln(out, "Nothing is left behind.")
	} else {
		fmt.Fprintf(out, "left behind: %d\n", len(report.Left))
	}
	for _, l := range report.Left {
		writeLeftover(out, l)
	}
	writePorts(out, report.Ports, all)
	if all {
		for _, p := range report.Started {
			fmt.Fprintf(out, "started: %v\n", p)
		}
	}
	fmt.Fprintf(out, "%d ended, %d started\n", report.Ended, len(report.Started))
	return out.Flush()
}

func writeLeftover(out *bufio.Writer, l Leftover) {
	fmt.Fprintf(out, "  %v\n", l.Process)
	fmt.Fprintf(out, "      %s\n", machine.Printable(l.Why))
	for i, ancestor := range l.StartedBy {
		word := "started by"
		if i > 0 {
			word = "below"
		}
		fmt.Fprintf(out, "      %s %s\n", word, ancestor)
	}
	if len(l.Listening) > 0 {
		var ports []string
		for _, port := range l.Listening {
			ports = append(ports, port.String())
		}
		fmt.Fprintf(out, "      listens on %s\n", strings.Join(ports, ", "))
	}
}

func writePorts(out *bufio.Writer, ports []PortChange, all bool) {
	unchanged := 0
	for _, p := range ports {
		if p.Change == asBefore && !all {
			unchanged++
			continue
		}
		fmt.Fprintf(out, "port %v: %s%s\n", p.Port, p.Change, holding(p))
	}
	if unchanged > 0 {
		fmt.Fprintf(out, "%d ports are held as before\n", unchanged)
	}
}

func holding(p PortChange) string {
	name := func(process *machine.Process) string {
		if process == nil {
			return "a hidden process"
		}
		return process.String()
	}
	switch p.Change {
	case closed:
		return ", was " + name(p.Before)
	case takenOver:
		return ": " + name(p.After) + ", was " + name(p.Before)
	}
	return ": " + name(p.After)
}
