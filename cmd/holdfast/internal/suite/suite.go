// Package suite says which analyzers holdfast runs and what the unit checker
// may know about each of them beforehand.
package suite

import (
	"bytes"
	"slices"
	"strconv"

	"golang.org/x/tools/go/analysis"

	"github.com/holdfast-go/holdfast/analyzers"
	"github.com/holdfast-go/holdfast/analyzers/detachedspawn"
	"github.com/holdfast-go/holdfast/analyzers/markers"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/unit"
)

// Rules returns holdfast's own analyzers.
func Rules() []unit.Rule {
	list := analyzers.New()
	spawns, marks := list.DetachedSpawn, list.Markers
	return []unit.Rule{
		{
			Analyzer: spawns,
			Category: detachedspawn.Category,
			Relevant: mentionsSpawns,
			Tests:    testsFlag(spawns),
		},
		{
			Analyzer: marks,
			Category: markers.Category,
			Relevant: mentionsMarkers,
			Tests:    testsFlag(marks),
		},
	}
}

// testsFlag reads the analyzer's own flag "tests".
func testsFlag(a *analysis.Analyzer) func() bool {
	return func() bool {
		f := a.Flags.Lookup("tests")
		if f == nil {
			return false
		}
		on, err := strconv.ParseBool(f.Value.String())
		return err == nil && on
	}
}

func mentionsMarkers(source *unit.Source) bool {
	return slices.ContainsFunc(source.Files, func(f unit.SourceFile) bool { return markers.Mentions(f.Content) })
}

// mentionsSpawns reports whether a package may detach a child: it imports what
// starts processes, it names what detaches them (which it can reach through a
// value from elsewhere, without an import), or one of its dependencies has a
// helper that detaches.
func mentionsSpawns(source *unit.Source) bool {
	return len(source.FactPackages) > 0 || slices.ContainsFunc(source.Files, func(f unit.SourceFile) bool {
		return slices.ContainsFunc(f.Imports, func(path string) bool { return spawners[path] }) ||
			slices.ContainsFunc(detachers, func(name []byte) bool { return bytes.Contains(f.Content, name) })
	})
}

// spawners are the packages that start processes or hold what detaches them.
var spawners = map[string]bool{
	"os/exec":                         true,
	"syscall":                         true,
	"golang.org/x/sys/execabs":        true,
	"golang.org/x/sys/unix":           true,
	"golang.org/x/sys/windows":        true,
	"github.com/creack/pty":           true,
	"github.com/sevlyar/go-daemon":    true,
	"github.com/VividCortex/godaemon": true,
}

// detachers are the names that take part in detaching a child.
var detachers = [][]byte{
	[]byte("SysProcAttr"), []byte("Setsid"), []byte("Setpgid"), []byte("Setpgrp"), []byte("Noctty"),
	[]byte("CreationFlags"), []byte("ProcAttr"), []byte("StartProcess"), []byte("ForkExec"), []byte(".Release()"),
}
