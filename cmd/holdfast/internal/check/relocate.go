package check

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/paths"
)

// A relocation knows other checkouts of the modules that are judged: their folders,
// and the folders here that they stand for.
//
// Without -trimpath the go command's cache knows a package by its folder. With it,
// by its import path and text alone ("dir" and "module" in buildActionID of
// cmd/go/internal/work). So it may hand out what was found in another worktree, or
// on another machine that shares the cache, with the paths of that place.
type relocation map[string]string

// learn takes in that a file named in a package's result lies in the package's
// folder here.
func (r relocation) learn(file string, m *module, dir string) {
	there, name := filepath.Dir(file), filepath.Base(file)
	if m == nil || there == dir || !exists(filepath.Join(dir, name)) {
		return
	}
	if root, ok := strings.CutSuffix(there, strings.TrimPrefix(dir, m.dir)); ok && root != "" {
		r[root] = m.dir
	}
}

// restore gives a finding the paths of this checkout.
func (r relocation) restore(f *finding.Finding, modules []module) {
	f.File = r.local(f.File, modules)
	for i := range f.Related {
		f.Related[i].File = r.local(f.Related[i].File, modules)
	}
	for _, fix := range f.Fixes {
		for i := range fix.Edits {
			fix.Edits[i].File = r.local(fix.Edits[i].File, modules)
		}
	}
}

// local returns the path here of a file that may be named as elsewhere.
func (r relocation) local(file string, modules []module) string {
	for root, here := range r {
		if paths.IsBelow(root, file) && !paths.IsBelow(here, file) {
			return filepath.Join(here, strings.TrimPrefix(file, root))
		}
	}
	if !filepath.IsAbs(file) || exists(file) {
		return file
	}
	return r.nearest(file, modules)
}

// nearest looks for a file that is not on this machine: facts of a dependency can
// name one. It takes the file here that has the most of the path in common.
func (r relocation) nearest(file string, modules []module) string {
	for i := 1; i < len(file); i++ {
		if !os.IsPathSeparator(file[i]) {
			continue
		}
		for _, m := range modules {
			if here := m.dir + file[i:]; exists(here) {
				r[file[:i]] = m.dir
				return here
			}
		}
	}
	return file
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
