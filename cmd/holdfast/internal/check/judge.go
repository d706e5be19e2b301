// Package check is what "holdfast check" does: it runs the suite through go vet
// for every platform, makes one list of what they found, holds it against the
// baseline and reports.
package check

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/govet"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/paths"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/unit"
)

// A Request says what is to be judged.
type Request struct {
	Dir       string   // absolute working directory
	Patterns  []string // as the go command takes them
	Platforms string   // comma-separated, see DefaultPlatforms
	Tags      string   // comma-separated build tags

	Tool       string   // path of the vet tool
	ToolFlags  []string // passed to it
	BuildFlags []string // passed to go vet, without -tags
	Env        []string // added to the go command's environment
	Tests      bool     // the tool looks at tests

	// Excluded judges files that no platform builds, from their text alone.
	// It may be nil.
	Excluded func(dir string, files []string) ([]*finding.Finding, error)

	// Progress is told what is being done and how many packages are. It may be nil.
	Progress func(step string, packages int)

	env *environment // of Dir; nil if nobody has asked yet
}

// A Judgement is what the suite has to say about the packages of a request.
type Judgement struct {
	Root      string // folder of the module or workspace
	Platforms []string
	Findings  []*finding.Finding // sorted, without equal ones
	Advice    []*finding.Finding // likewise; never held against anything
	Packages  []string           // import paths that were judged on each platform that builds them, sorted
	Whole     bool               // Packages are all that there are below Root
	Problems  []Problem          // why others could not be judged
	Notes     []string           // what the reader should know though nothing is wrong
	LeftOut   []string           // modules of the workspace that the patterns do not reach

	Categories map[string]bool // the rules that were applied
}

// A Problem is something that could not be judged.
type Problem struct {
	Platform string
	Package  string // import path; may be empty
	Text     string // one or more lines
	Hint     string // what to do; may be empty
}

// A judge is the state of one request.
type judge struct {
	Request
	env       environment
	platforms []Platform
	scope     *scope
	replaced  replaced
	views     []*view
	problems  []Problem
	notes     []string
}

// A view is what one platform's run showed.
type view struct {
	platform Platform
	judged   map[string]bool // import paths, without external test packages
	dirs     map[string]bool // their folders
	findings []*finding.Finding
	failed   bool // some package could not be judged
}

// Judge runs the suite. An error means that nothing could be judged at all.
func Judge(ctx context.Context, request Request) (*Judgement, error) {
	j := &judge{Request: request}
	if err := j.prepare(ctx); err != nil {
		return nil, err
	}
	for _, platform := range j.platforms {
		v, err := j.view(ctx, platform)
		if err != nil {
			return nil, fmt.Errorf("judging %s: %w", platform, err)
		}
		j.views = append(j.views, v)
	}
	excluded, err := j.excluded()
	if err != nil {
		return nil, err
	}
	return j.judgement(excluded), nil
}

func (j *judge) prepare(ctx context.Context) error {
	if err := j.readEnvironment(ctx); err != nil {
		return err
	}
	if err := j.readOverlay(); err != nil {
		return err
	}
	if j.Tags == "" {
		j.Tags = j.env.flagOf("tags")
	}
	var err error
	if j.platforms, err = parsePlatforms(j.Platforms, j.env, splitList(j.Tags)); err != nil {
		return err
	}
	modules, err := j.env.modules()
	if err != nil {
		return err
	}
	if j.scope, err = newScope(j.Dir, j.Patterns, modules); err != nil {
		return err
	}
	for name := range j.replaced {
		if j.scope.contains(filepath.Dir(name)) {
			j.scope.addFile(filepath.Dir(name), filepath.Base(name))
		}
	}
	for i := range j.platforms {
		j.platforms[i].replaced = j.replaced
	}
	return nil
}

func (j *judge) readEnvironment(ctx context.Context) (err error) {
	if j.Request.env != nil {
		j.env = *j.Request.env
		return nil
	}
	j.env, err = readEnvironment(ctx, j.Dir)
	return err
}

// view judges one platform.
func (j *judge) view(ctx context.Context, platform Platform) (*view, error) {
	v := &view{platform: platform, judged: make(map[string]bool), dirs: make(map[string]bool)}
	patterns := j.patternsOn(platform)
	if len(patterns) == 0 || j.absent(platform) {
		return v, nil
	}
	result, err := j.vet(ctx, platform, patterns, "")
	if err != nil {
		return nil, err
	}
	var listed map[string]string
	if j.inexact() {
		if listed, err = j.list(ctx, platform, patterns); err != nil {
			return nil, err
		}
	}
	j.take(v, result, listed)
	if err := j.findLost(ctx, v, result, listed, patterns); err != nil {
		return nil, err
	}
	return v, nil
}

// absent reports whether another platform builds what was asked for and this
// one builds none of it: the program is not for it, which is nobody's mistake.
func (j *judge) absent(platform Platform) bool {
	if j.inexact() {
		return false
	}
	present := func(p Platform) bool {
		for dir := range j.scope.dirs {
			if j.scope.contains(dir) && j.builds(p, dir) {
				return true
			}
		}
		return false
	}
	return !present(platform) && slices.ContainsFunc(j.platforms, present)
}

// inexact reports whether only the go command can tell which packages, or which
// of their tests, are asked for.
func (j *judge) inexact() bool { return j.scope.inexact || j.Tests }

// patternsOn leaves out folders named one by one that have no file for the
// platform: the go command would take those for a mistake.
func (j *judge) patternsOn(platform Platform) []string {
	if len(j.platforms) == 1 {
		return j.scope.patterns
	}
	return slices.DeleteFunc(slices.Clone(j.scope.patterns), func(pattern string) bool {
		folder, ok := parseFolder(j.Dir, pattern)
		return ok && !folder.recursive && len(j.scope.dirs[folder.dir]) > 0 && !j.builds(platform, folder.dir)
	})
}

// vet runs go vet. A salt keeps it from using results that it has in its cache.
func (j *judge) vet(ctx context.Context, platform Platform, patterns []string, salt string) (*govet.Result, error) {
	flags := slices.Clone(j.BuildFlags)
	if j.Tags != "" {
		flags = append(flags, "-tags="+j.Tags)
	}
	flags = append(flags, j.ToolFlags...)
	if salt != "" {
		flags = append(flags, "-"+unit.SaltFlag+"="+salt)
	}
	command := govet.Command{
		Tool:     j.Tool,
		Dir:      j.Dir,
		Env:      append(platform.env(), j.Env...),
		Flags:    flags,
		Patterns: patterns,
	}
	if j.Progress != nil {
		count := 0
		j.Progress(platform.String(), count)
		command.Progress = func() { count++; j.Progress(platform.String(), count) }
	}
	return command.Run(ctx)
}

// take keeps what was found in packages that were asked for. The tool prints
// more: packages of this module that those import.
func (j *judge) take(v *view, result *govet.Result, listed map[string]string) {
	folder := make(map[string]string)
	for id := range result.Packages {
		dir, ok := j.folderOf(id, listed)
		if !ok {
			continue
		}
		folder[id] = dir
		v.dirs[dir] = true
		v.judged[j.pathOf(dir, listed)] = true
	}
	moved := make(relocation)
	first := len(v.findings)
	for _, f := range result.Findings {
		if dir, ok := folder[f.Package]; ok {
			f.Package = j.pathOf(dir, listed)
			j.replaced.restore(f)
			moved.learn(f.File, j.scope.moduleOf(dir), dir)
			v.findings = append(v.findings, f)
		}
	}
	for _, f := range v.findings[first:] {
		moved.restore(f, j.scope.modules)
	}
	for _, problem := range result.Problems {
		v.failed = true
		j.problems = append(j.problems, Problem{v.platform.String(), problem.Package, problem.Text, v.platform.hint(j.platforms)})
	}
	if v.platform.native || len(j.platforms) == 1 {
		j.notes = append(j.notes, result.Notes...)
	}
}

// folderOf returns the folder of a package that was asked for.
func (j *judge) folderOf(id string, listed map[string]string) (string, bool) {
	if j.scope.inexact {
		dir, ok := listed[id]
		return dir, ok
	}
	dir, ok := j.scope.dirOf(id)
	return dir, ok && j.scope.contains(dir)
}

func (j *judge) pathOf(dir string, listed map[string]string) string {
	if j.scope.inexact {
		for id, d := range listed {
			if d == dir && !strings.HasSuffix(id, "_test") {
				return id
			}
		}
	}
	return j.scope.importPath(dir)
}

func splitList(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

func (j *judge) judgement(excluded []*finding.Finding) *Judgement {
	result := &Judgement{
		Root:     j.env.root(),
		Findings: j.merge(excluded),
		Packages: j.judgedPackages(),
		Problems: j.problems,
		Notes:    append(j.notes, j.cgoNotes()...),
		LeftOut:  j.scope.leftOut,
	}
	for _, platform := range j.platforms {
		result.Platforms = append(result.Platforms, platform.String())
	}
	result.Whole = len(j.problems) == 0 && j.coversRoot()
	return result
}

// judgedPackages returns what no platform failed to judge.
func (j *judge) judgedPackages() []string {
	paths := make(map[string]bool)
	for _, v := range j.views {
		for path := range v.judged {
			paths[path] = true
		}
	}
	for _, v := range j.views {
		for dir := range j.scope.dirs {
			if v.failed && !v.dirs[dir] && j.builds(v.platform, dir) {
				delete(paths, j.scope.importPath(dir))
			}
		}
	}
	for _, problem := range j.problems {
		delete(paths, problem.Package)
	}
	return sortedKeys(paths)
}

// coversRoot reports whether the patterns take in every module.
func (j *judge) coversRoot() bool {
	for _, m := range j.scope.modules {
		covered := slices.ContainsFunc(j.scope.folders, func(f folderArgs) bool {
			return f.recursive && (f.dir == m.dir || paths.IsBelow(f.dir, m.dir) && j.scope.moduleOf(f.dir) != nil)
		})
		if !covered {
			return false
		}
	}
	return true
}

// cgoNotes names packages that only the platform at hand can build.
func (j *judge) cgoNotes() []string {
	var only []string
	for _, dir := range sortedKeys(j.scope.dirs) {
		if j.cgoOnly(dir) {
			only = append(only, j.scope.importPath(dir))
		}
	}
	if only == nil {
		return nil
	}
	return []string{fmt.Sprintf("judged only on the platform of this machine, as they need cgo: %s", strings.Join(only, ", "))}
}

func (j *judge) cgoOnly(dir string) bool {
	native, foreign := false, false
	for _, v := range j.views {
		native = native || v.platform.native && v.dirs[dir]
		withCgo := v.platform
		withCgo.cgo = true
		foreign = foreign || !v.platform.native && !v.dirs[dir] && !j.builds(v.platform, dir) && j.builds(withCgo, dir)
	}
	return native && foreign
}

// excluded judges from their text alone the folders that no run judged: files
// for other systems, files that build tags leave out, and packages that failed
// to build, which are reported as such besides.
func (j *judge) excluded() ([]*finding.Finding, error) {
	if j.Excluded == nil {
		return nil, nil
	}
	var all []*finding.Finding
	for _, dir := range sortedKeys(j.scope.dirs) {
		if slices.ContainsFunc(j.views, func(v *view) bool { return v.dirs[dir] }) {
			continue
		}
		var files []string
		for _, name := range j.scope.dirs[dir] {
			if strings.HasSuffix(name, "_test.go") && !j.Tests {
				continue
			}
			files = append(files, j.replaced.actual(filepath.Join(dir, name)))
		}
		found, err := j.Excluded(dir, files)
		if err != nil {
			return nil, fmt.Errorf("judging %s, which no platform builds: %w", dir, err)
		}
		for _, f := range found {
			f.Package = j.scope.importPath(dir)
			j.replaced.restore(f)
		}
		all = append(all, found...)
	}
	return all, nil
}
