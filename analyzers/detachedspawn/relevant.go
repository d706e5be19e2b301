package detachedspawn

import (
	"bytes"
	"slices"

	"github.com/holdfast-go/holdfast/analyzers/internal/libs"
)

// Relevant reports, from its imports and its text alone, whether a file may
// detach a child: it imports what starts processes, or it names what detaches
// them, which it can reach through a value from elsewhere. It errs on the side
// of yes.
//
// A package of which no file is relevant has no findings and no facts, unless
// something that it imports has facts.
func Relevant(imports []string, content []byte) bool {
	return slices.ContainsFunc(imports, func(path string) bool { return starters[path] || libs.Has(path) }) ||
		slices.ContainsFunc(detachers, func(name []byte) bool { return bytes.Contains(content, name) })
}

// starters are the packages that start processes or hold what detaches them.
var starters = map[string]bool{
	"os/exec":                  true,
	"syscall":                  true,
	"golang.org/x/sys/execabs": true,
	"golang.org/x/sys/unix":    true,
	"golang.org/x/sys/windows": true,
}

// detachers are the names that take part in detaching a child.
var detachers = [][]byte{
	[]byte("ProcAttr"), []byte("Setsid"), []byte("Setpgid"), []byte("Setpgrp"), []byte("Noctty"),
	[]byte("CreationFlags"), []byte("StartProcess"), []byte("ForkExec"), []byte(".Release"),
}
