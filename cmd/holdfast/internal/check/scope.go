package check

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/paths"
)

// A scope is what the package patterns cover, read from the file system. It
// costs no further go command, and that is a fifth of what a second, cached
// run of go vet takes. What it cannot tell for sure it leaves to "go list".
type scope struct {
	modules  []module
	patterns []string     // for the go command
	folders  []folderArgs // the patterns, as folders
	inexact  bool         // some patterns are no folders: only the go command can tell
	leftOut  []string     // modules of the workspace that "./..." does not cover

	dirs map[string][]string // folders below the patterns that have Go files
}

// folderArgs is a pattern such as "./a" or "./a/...".
type folderArgs struct {
	dir       string
	recursive bool
}

// newScope resolves patterns in dir. In a workspace a pattern "./..." stands for
// all modules below it, also where the folder itself is in none.
func newScope(dir string, patterns []string, modules []module) (*scope, error) {
	s := &scope{modules: modules, dirs: make(map[string][]string)}
	for _, pattern := range patterns {
		folder, ok := parseFolder(dir, pattern)
		if !ok {
			s.inexact = true
			s.patterns = append(s.patterns, pattern)
			continue
		}
		if err := s.add(dir, pattern, folder); err != nil {
			return nil, err
		}
	}
	if err := s.walk(); err != nil {
		return nil, fmt.Errorf("looking for Go files: %w", err)
	}
	return s, nil
}

// parseFolder reads a pattern that names folders and not import paths.
func parseFolder(dir, pattern string) (folderArgs, bool) {
	path := filepath.FromSlash(pattern)
	path, recursive := strings.CutSuffix(path, string(filepath.Separator)+"...")
	if pattern == "..." || strings.Contains(path, "...") || strings.HasSuffix(path, ".go") {
		return folderArgs{}, false
	}
	switch {
	case filepath.IsAbs(path):
	case path == ".", path == "..", strings.HasPrefix(path, "."+string(filepath.Separator)),
		strings.HasPrefix(path, ".."+string(filepath.Separator)):
		path = filepath.Join(dir, path)
	default:
		return folderArgs{}, false
	}
	return folderArgs{filepath.Clean(path), recursive}, true
}

// add takes a folder pattern in, and the workspace modules below it.
func (s *scope) add(dir, pattern string, folder folderArgs) error {
	if info, err := os.Stat(folder.dir); err != nil || !info.IsDir() {
		return fmt.Errorf("the pattern %s names no folder (%s does not exist)", pattern, folder.dir)
	}
	covered := false
	if s.moduleOf(folder.dir) != nil {
		s.folders = append(s.folders, folder)
		s.patterns = append(s.patterns, pattern)
		covered = true
	}
	if !folder.recursive {
		return nil
	}
	for _, m := range s.modules {
		switch {
		case m.dir == folder.dir: // taken in as the folder itself
		case paths.IsBelow(folder.dir, m.dir):
			s.folders = append(s.folders, folderArgs{m.dir, true})
			s.patterns = append(s.patterns, relativePattern(dir, m.dir))
			covered = true
		case !paths.IsBelow(m.dir, folder.dir):
			s.leftOut = append(s.leftOut, m.path)
		}
	}
	if !covered {
		return fmt.Errorf("the pattern %s covers no module of the workspace", pattern)
	}
	return nil
}

func relativePattern(dir, target string) string {
	rel, err := filepath.Rel(dir, target)
	if err != nil {
		return filepath.ToSlash(target) + "/..."
	}
	if !strings.HasPrefix(rel, "..") {
		rel = "./" + rel
	}
	return filepath.ToSlash(rel) + "/..."
}

// moduleOf returns the module that the folder lies in, the innermost one.
func (s *scope) moduleOf(dir string) *module {
	var found *module
	for i := range s.modules {
		m := &s.modules[i]
		if (m.dir == dir || paths.IsBelow(m.dir, dir)) && (found == nil || len(m.dir) > len(found.dir)) {
			found = m
		}
	}
	return found
}

// walk fills in dirs.
func (s *scope) walk() error {
	for _, folder := range s.folders {
		if !folder.recursive {
			if err := s.addDir(folder.dir); err != nil {
				return err
			}
			continue
		}
		m := s.moduleOf(folder.dir)
		err := filepath.WalkDir(folder.dir, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case !entry.IsDir():
				s.addFile(filepath.Dir(path), entry.Name())
				return nil
			case path != folder.dir && isOutside(path, entry.Name()), m != nil && m.ignores(path):
				return fs.SkipDir
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *scope) addDir(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if !entry.IsDir() {
			s.addFile(dir, entry.Name())
		}
	}
	return nil
}

func (s *scope) addFile(dir, name string) {
	if isGoFile(name) && !slices.Contains(s.dirs[dir], name) {
		s.dirs[dir] = append(s.dirs[dir], name)
	}
}

// isOutside reports whether "..." does not reach into the folder.
func isOutside(path, name string) bool {
	if name[0] == '.' || name[0] == '_' || name == "testdata" || name == "vendor" {
		return true
	}
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	return err == nil
}

func isGoFile(name string) bool {
	return strings.HasSuffix(name, ".go") && name[0] != '.' && name[0] != '_'
}

// dirOf returns the folder of a package of the modules in force, given its
// import path as go vet prints it. For an external test package it is the
// folder of what it tests.
func (s *scope) dirOf(id string) (string, bool) {
	dir, ok := s.exactDir(id)
	if !ok {
		return "", false
	}
	if tested, isTest := strings.CutSuffix(dir, "_test"); isTest {
		if _, exists := s.dirs[dir]; !exists {
			return tested, true
		}
	}
	return dir, true
}

func (s *scope) exactDir(path string) (string, bool) {
	dir, length := "", -1
	for _, m := range s.modules {
		rest, ok := strings.CutPrefix(path, m.path)
		if ok && (rest == "" || rest[0] == '/' || rest == "_test") && len(m.path) > length {
			dir, length = m.dir+filepath.FromSlash(rest), len(m.path)
		}
	}
	return dir, length >= 0
}

// importPath is the reverse of dirOf.
func (s *scope) importPath(dir string) string {
	m := s.moduleOf(dir)
	if m == nil {
		return dir
	}
	rel, err := filepath.Rel(m.dir, dir)
	if err != nil || rel == "." {
		return m.path
	}
	return m.path + "/" + filepath.ToSlash(rel)
}

// contains reports whether the patterns name the folder.
func (s *scope) contains(dir string) bool {
	for _, folder := range s.folders {
		if folder.dir == dir || folder.recursive && paths.IsBelow(folder.dir, dir) {
			return true
		}
	}
	return false
}
