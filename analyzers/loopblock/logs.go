package loopblock

import (
	"slices"
	"strings"

	"github.com/holdfast-go/holdfast/analyzers/internal/roots"
)

// asLog takes what a program's own logger writes to a file for what package log
// and its like write: for the log, of which every chain is full.
func (p *program) asLog(n *node, s *step, blocks []*blocker) []*blocker {
	if !isLogging(n) || !writesLine(s.fn.Name()) {
		return blocks
	}
	var kept []*blocker
	for _, b := range blocks {
		if b.kind == roots.Disk {
			kept = append(kept, p.blocker(&blocker{kind: roots.Stdio, name: b.name})...)
		} else {
			kept = append(kept, b)
		}
	}
	return kept
}

// writesLine reports whether a function by its name writes to something open.
func writesLine(name string) bool {
	return strings.HasPrefix(name, "Fprint") || strings.HasPrefix(name, "Write") && name != "WriteFile"
}

// logWords begin the names of what writes a line to a log.
var logWords = []string{"log", "print", "trace", "debug", "info", "warn", "error", "fatal"}

// isLogging reports whether a function is one of a logger, by its name and that
// of its type or package. The log of a database or of a consensus has others.
func isLogging(n *node) bool {
	for n.outer != nil {
		n = n.outer
	}
	if n.obj == nil {
		return false
	}
	name := strings.ToLower(n.obj.Name())
	if !slices.ContainsFunc(logWords, func(word string) bool { return strings.HasPrefix(name, word) }) {
		if !strings.HasPrefix(name, "write") && !strings.HasPrefix(name, "output") {
			return false
		}
		return isLogger(n)
	}
	pkg := n.obj.Pkg().Name()
	return isLogger(n) || strings.HasPrefix(pkg, "log") || strings.HasSuffix(pkg, "log")
}

func isLogger(n *node) bool {
	recv := n.sig.Recv()
	return recv != nil && strings.Contains(strings.ToLower(ownerName(recv.Type())), "logger")
}
