package unit

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"

	"github.com/rogpeppe/go-internal/diff"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"
)

// edits converts a fix to offsets, in order. A fix that does not fit the files
// as they are on the disk is refused whole.
func (p printer) edits(fix analysis.SuggestedFix) ([]Edit, error) {
	var edits []Edit
	for _, e := range fix.TextEdits {
		file := p.fset.File(e.Pos)
		end := cmp.Or(e.End, e.Pos)
		switch {
		case file == nil || p.fset.File(end) != file || end < e.Pos:
			return nil, fmt.Errorf("fix %q has an edit outside of a file", fix.Message)
		case isCgoOutput(file.Name(), p.dir):
			return nil, fmt.Errorf("fix %q would change what cgo wrote", fix.Message)
		}
		edits = append(edits, Edit{file.Name(), file.Offset(e.Pos), file.Offset(end), string(e.NewText)})
	}
	slices.SortStableFunc(edits, compareEdits)
	if overlapping(edits) {
		return nil, fmt.Errorf("fix %q has edits that overlap", fix.Message)
	}
	return edits, nil
}

func compareEdits(a, b Edit) int {
	return cmp.Or(cmp.Compare(a.Filename, b.Filename), cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
}

func overlapping(sorted []Edit) bool {
	for i := 1; i < len(sorted); i++ {
		if sorted[i].Filename == sorted[i-1].Filename && sorted[i].Start < sorted[i-1].End {
			return true
		}
	}
	return false
}

// fix applies the first fix of each finding: to the archive if the go command
// gave one, or to a printed diff, or to the files themselves. Of fixes that
// collide the first wins; running again brings in the others.
func (r *result) fix(cfg *config, flags *flagValues, stdout, stderr io.Writer) (int, error) {
	edits, skipped := r.chooseEdits(cfg)
	changed := make(map[string][]byte)
	original := make(map[string][]byte)
	for name, list := range edits {
		content, err := os.ReadFile(name)
		if err != nil {
			return 1, fmt.Errorf("applying a fix: %w", err)
		}
		fixed, err := applyEdits(content, list)
		if err != nil {
			return 1, fmt.Errorf("applying a fix to %s: %w", name, err)
		}
		original[name], changed[name] = content, tidy(content, fixed)
	}
	if skipped > 0 {
		fmt.Fprintf(stderr, "%s: %d fixes overlap others and wait for the next run\n", programName(), skipped)
	}
	switch {
	case flags.diff:
		return 0, cfg.writeOutput(stdout, unifiedDiff(original, changed))
	case cfg.FixArchive != "":
		return 0, writeArchive(cfg.FixArchive, cfg.ID, changed)
	default:
		return 0, writeFiles(changed)
	}
}

// chooseEdits collects the edits by file, without generated files.
func (r *result) chooseEdits(cfg *config) (edits map[string][]Edit, skipped int) {
	p := printer{fset: r.unit.fset, dir: cfg.Dir}
	generated := make(map[string]bool)
	for _, file := range r.unit.files {
		generated[r.unit.fset.File(file.FileStart).Name()] = ast.IsGenerated(file)
	}
	edits = make(map[string][]Edit)
	for _, report := range r.reports {
		for _, d := range report.diagnostics {
			if len(d.SuggestedFixes) == 0 {
				continue
			}
			fix, err := p.edits(d.SuggestedFixes[0])
			if err != nil || slices.ContainsFunc(fix, func(e Edit) bool { return generated[e.Filename] }) {
				continue
			}
			if !merge(edits, fix) {
				skipped++
			}
		}
	}
	return edits, skipped
}

// merge adds all edits of a fix, or none if one of them collides. An edit that
// is there already, such as a second import of a package, counts once.
func merge(edits map[string][]Edit, fix []Edit) bool {
	merged := make(map[string][]Edit)
	for _, e := range fix {
		list, ok := merged[e.Filename]
		if !ok {
			list = slices.Clone(edits[e.Filename])
		}
		if !slices.Contains(list, e) {
			list = append(list, e)
			slices.SortStableFunc(list, compareEdits)
		}
		if overlapping(list) {
			return false
		}
		merged[e.Filename] = list
	}
	maps.Copy(edits, merged)
	return true
}

func applyEdits(content []byte, sorted []Edit) ([]byte, error) {
	var out bytes.Buffer
	at := 0
	for _, e := range sorted {
		if e.Start < at || e.End > len(content) {
			return nil, errors.New("the file has changed since it was analysed")
		}
		out.Write(content[at:e.Start])
		out.WriteString(e.New)
		at = e.End
	}
	out.Write(content[at:])
	return out.Bytes(), nil
}

// tidy formats a fixed file and drops imports that the fix left unused.
// A result that does not parse is returned as it is, for the user to see.
func tidy(original, fixed []byte) []byte {
	fset := token.NewFileSet()
	before, err := parser.ParseFile(fset, "", original, 0)
	if err != nil {
		return fixed
	}
	after, err := parser.ParseFile(fset, "", fixed, parser.ParseComments)
	if err != nil {
		return fixed
	}
	for _, spec := range before.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil || !astutil.UsesImport(before, path) || astutil.UsesImport(after, path) {
			continue
		}
		name := ""
		if spec.Name != nil {
			name = spec.Name.Name
		}
		astutil.DeleteNamedImport(fset, after, name, path)
	}
	var out bytes.Buffer
	if err := format.Node(&out, fset, after); err != nil {
		return fixed
	}
	return out.Bytes()
}

func unifiedDiff(original, changed map[string][]byte) []byte {
	var out []byte
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		out = append(out, diff.Diff(name+" (old)", original[name], name+" (new)", changed[name])...)
	}
	return out
}

// writeArchive leaves the writing to the go command, which does it once the
// whole build is over.
func writeArchive(name, comment string, files map[string][]byte) error {
	var buf bytes.Buffer
	archive := zip.NewWriter(&buf)
	if err := archive.SetComment(comment); err != nil {
		return fmt.Errorf("writing the archive of fixes: %w", err)
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		w, err := archive.Create(path)
		if err == nil {
			_, err = w.Write(files[path])
		}
		if err != nil {
			return fmt.Errorf("writing the archive of fixes: %w", err)
		}
	}
	if err := archive.Close(); err != nil {
		return fmt.Errorf("writing the archive of fixes: %w", err)
	}
	return os.WriteFile(name, buf.Bytes(), 0o666)
}

func writeFiles(files map[string][]byte) error {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(name, files[name], 0o666); err != nil {
			return fmt.Errorf("applying a fix: %w", err)
		}
	}
	return nil
}
