package unit

import (
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
)

// A Source is what is known about a package before anything is type-checked.
type Source struct {
	Path  string // import path
	Files []SourceFile

	// FactPackages are the paths of the packages about which an analyzer has
	// exported facts, among those that the package imports and those that their
	// types lead to. Sorted.
	FactPackages []string
}

// A SourceFile is one Go file of a package.
type SourceFile struct {
	Name    string // absolute path
	Content []byte
	Imports []string // import paths as written
	Ignored bool     // excluded by build constraints
}

// matters reports whether the unit must be analysed: whether any rule wants to
// see it. A file that cannot be read or has no valid imports always matters, so
// that the error is reported where all errors are.
func matters(cfg *config, facts *factFiles, rules []Rule) bool {
	if len(cfg.GoFiles) == 0 {
		return false // a package of tests alone, and nobody wants tests
	}
	if len(rules) == 0 {
		return false
	}
	for _, rule := range rules {
		if rule.Relevant == nil {
			return true
		}
	}
	source, err := readSource(cfg, facts)
	if err != nil {
		return true
	}
	for _, rule := range rules {
		if rule.Relevant(source) {
			return true
		}
	}
	return false
}

func readSource(cfg *config, facts *factFiles) (*Source, error) {
	source := &Source{Path: cfg.ImportPath, FactPackages: facts.packages()}
	for _, name := range cfg.GoFiles {
		file, err := readSourceFile(name)
		if err != nil {
			return nil, err
		}
		source.Files = append(source.Files, file)
	}
	for _, name := range cfg.IgnoredFiles {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		file, err := readSourceFile(name)
		if err != nil {
			continue // not part of this build: need not even be Go
		}
		file.Ignored = true
		source.Files = append(source.Files, file)
	}
	return source, nil
}

func readSourceFile(name string) (SourceFile, error) {
	content, err := os.ReadFile(name)
	if err != nil {
		return SourceFile{}, err
	}
	syntax, err := parser.ParseFile(token.NewFileSet(), name, content, parser.ImportsOnly)
	if err != nil {
		return SourceFile{}, err
	}
	file := SourceFile{Name: name, Content: content}
	for _, spec := range syntax.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil {
			file.Imports = append(file.Imports, path)
		}
	}
	return file, nil
}
