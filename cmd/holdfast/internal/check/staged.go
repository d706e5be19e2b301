package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/configfile"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/git"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/paths"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/ratchet"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/report"
)

// An area is a module or workspace, and what of it a commit touches.
type area struct {
	env      environment
	modules  []module
	whole    bool            // something changed that all packages depend on
	packages map[string]bool // folders
}

// runStaged judges the packages of the files that git has staged, and of further
// files, such as those that pre-commit names. A repository can hold several
// modules: each is judged by its own settings and held against its own baseline.
//
// It reads the working tree. pre-commit puts aside what is not staged.
func (c Command) runStaged(ctx context.Context, args, files []string, dir string, stdout, stderr io.Writer) (int, error) {
	staged, err := stagedFiles(ctx, dir, files)
	if err != nil {
		return 0, err
	}
	areas, notes, err := findAreas(ctx, staged)
	if err != nil {
		return 0, err
	}
	for _, note := range notes {
		fmt.Fprintf(stderr, "holdfast: note: %s\n", note)
	}
	if len(areas) == 0 {
		fmt.Fprintln(stdout, "holdfast: clean: nothing to judge in these files")
		return report.ExitClean, nil
	}
	worst := report.ExitClean
	for _, a := range areas {
		in, err := c.parse(args) // settings take in what a settings file says
		if err != nil {
			return 0, err
		}
		in.settings.config = in.settings.configBelow(dir)
		code, err := c.run(ctx, in, a.env.root(), a.patterns(), stdout, stderr)
		if err != nil {
			return 0, err
		}
		worst = max(worst, code)
	}
	return worst, nil
}

// stagedFiles returns the absolute paths of files. Those that git has staged
// need not exist any more.
func stagedFiles(ctx context.Context, dir string, further []string) ([]string, error) {
	root, err := git.Root(ctx, dir)
	if err != nil {
		return nil, err
	}
	names, err := git.Output(ctx, root, "diff", "--cached", "--name-only", "--no-renames", "--no-ext-diff", "-z")
	if err != nil {
		return nil, fmt.Errorf("looking for staged files: %w", err)
	}
	var files []string
	for name := range strings.SplitSeq(names, "\x00") {
		if name != "" {
			files = append(files, filepath.Join(root, filepath.FromSlash(name)))
		}
	}
	for _, name := range further {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		if _, err := os.Lstat(name); err != nil {
			return nil, fmt.Errorf("with -staged, arguments are files: %w", err)
		}
		files = append(files, filepath.Clean(name))
	}
	return files, nil
}

// findAreas sorts files by the module or workspace that they belong to, in the
// order of its folder.
func findAreas(ctx context.Context, files []string) (areas []*area, notes []string, err error) {
	byRoot := make(map[string]*area)
	byHome := make(map[string]*area) // nil for a folder that is in no area
	for _, file := range files {
		if !concerns(file) {
			continue
		}
		home := existingFolder(file)
		if isGoFile(filepath.Base(file)) {
			home = moduleFolder(home) // the go command need not be asked about each package
		}
		a, known := byHome[home]
		if !known {
			if a, err = readArea(ctx, home); err != nil {
				return nil, nil, err
			}
			if a == nil {
				notes = append(notes, fmt.Sprintf("not judged, as it is in no module, or in one that go.work leaves out: %s", home))
			} else if same := byRoot[a.env.root()]; same != nil {
				a = same
			}
			byHome[home] = a
		}
		if a != nil && a.add(file) {
			byRoot[a.env.root()] = a
		}
	}
	for _, root := range slices.Sorted(maps.Keys(byRoot)) {
		areas = append(areas, byRoot[root])
	}
	return areas, notes, nil
}

// concerns reports whether a change of the file can change a judgement.
func concerns(file string) bool {
	return isGoFile(filepath.Base(file)) || concernsAll(file)
}

// concernsAll reports whether all packages depend on the file.
func concernsAll(file string) bool {
	switch filepath.Base(file) {
	case "go.mod", "go.sum", "go.work", "go.work.sum", configfile.Name:
		return true
	}
	return filepath.Base(file) == filepath.Base(ratchet.DefaultFile)
}

// existingFolder returns the innermost folder around a file that there is.
func existingFolder(file string) string {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && info.IsDir() || dir == filepath.Dir(dir) {
			return dir
		}
	}
}

// moduleFolder returns the innermost folder with a go.mod, from dir upwards;
// without any, dir.
func moduleFolder(dir string) string {
	for up := dir; ; up = filepath.Dir(up) {
		if _, err := os.Stat(filepath.Join(up, "go.mod")); err == nil {
			return up
		}
		if up == filepath.Dir(up) {
			return dir
		}
	}
}

// readArea returns the area that a folder belongs to, or nil.
func readArea(ctx context.Context, dir string) (*area, error) {
	env, err := readEnvironment(ctx, dir)
	var outside *NoModuleError
	if errors.As(err, &outside) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	modules, err := env.modules()
	if err != nil {
		return nil, err
	}
	a := &area{env: env, modules: modules, packages: make(map[string]bool)}
	own := filepath.Dir(env.GOMOD)
	if env.GOMOD != "" && paths.IsBelow(env.root(), own) && !slices.ContainsFunc(modules, func(m module) bool { return m.dir == own }) {
		return nil, nil // its module is not part of the workspace
	}
	return a, nil
}

// add takes in a file, and reports whether there is anything to judge for it.
func (a *area) add(file string) bool {
	if concernsAll(file) {
		a.whole = true
		return true
	}
	dir := filepath.Dir(file)
	m := (&scope{modules: a.modules}).moduleOf(dir)
	if m == nil || m.ignores(dir) || hidden(m.dir, dir) {
		return false
	}
	if hasGoFiles(dir) {
		a.packages[dir] = true
	} else {
		a.whole = true // a package is gone: whoever imported it, and its entries in the baseline
	}
	return true
}

// hidden reports whether "..." does not reach from root to the folder.
func hidden(root, dir string) bool {
	for ; dir != root && len(dir) > len(root); dir = filepath.Dir(dir) {
		if name := filepath.Base(dir); name[0] == '.' || name[0] == '_' || name == "testdata" || name == "vendor" {
			return true
		}
	}
	return false
}

func hasGoFiles(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && slices.ContainsFunc(entries, func(e os.DirEntry) bool { return !e.IsDir() && isGoFile(e.Name()) })
}

// patterns names what is to be judged, as seen from the area's root.
func (a *area) patterns() []string {
	if a.whole {
		return []string{"./..."}
	}
	var patterns []string
	for _, dir := range sortedKeys(a.packages) {
		pattern := strings.TrimSuffix(relativePattern(a.env.root(), dir), "/...")
		patterns = append(patterns, pattern)
	}
	return patterns
}
