package unit

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
)

// A facts file ("vetx") maps package paths to the encoded facts about each
// package: those of the unit's own package, and those it passes on from its
// dependencies. No facts at all make an empty file.
//
//	"holdfast facts 2\n"
//	a section with the facts that travel as far as the package's objects do
//	a section with those that travel further, see transitive
//
// A section is
//
//	number of packages, then for each, sorted by path:
//	length and bytes of the path, length of the facts
//	the facts of all packages, in the same order
//
// Numbers are unsigned varints. The facts of one package are decoded only when
// an analyzer asks for one of them.

const factFileHeader = "holdfast facts 2\n"

// factFiles are the facts that a unit has from its dependencies, or hands on to
// its importers, still encoded.
type factFiles struct {
	module     string            // path of the unit's module; empty outside one
	facts      map[string][]byte // by package path
	transitive map[string][]byte // by package path
}

func newFactFiles(module string) *factFiles {
	return &factFiles{module: module, facts: make(map[string][]byte), transitive: make(map[string][]byte)}
}

// encode returns the contents of a facts file.
// Equal facts give equal bytes: the go command keys its cache with them.
func (f *factFiles) encode() []byte {
	if len(f.facts) == 0 && len(f.transitive) == 0 {
		return nil
	}
	data := appendSection([]byte(factFileHeader), f.facts)
	return appendSection(data, f.transitive)
}

func appendSection(data []byte, facts map[string][]byte) []byte {
	paths := slices.Sorted(maps.Keys(facts))
	data = binary.AppendUvarint(data, uint64(len(paths)))
	for _, path := range paths {
		data = binary.AppendUvarint(data, uint64(len(path)))
		data = append(data, path...)
		data = binary.AppendUvarint(data, uint64(len(facts[path])))
	}
	for _, path := range paths {
		data = append(data, facts[path]...)
	}
	return data
}

// decodeFactFile splits a facts file. The values share data's memory.
func decodeFactFile(data []byte) (*factFiles, error) {
	if len(data) == 0 {
		return newFactFiles(""), nil
	}
	if len(data) < len(factFileHeader) || string(data[:len(factFileHeader)]) != factFileHeader {
		return nil, errors.New("not a facts file of this version")
	}
	in := factReader{data: data[len(factFileHeader):]}
	files := &factFiles{facts: in.section()}
	files.transitive = in.section()
	if in.failed || len(in.data) != 0 {
		return nil, errors.New("damaged facts file")
	}
	return files, nil
}

// A factReader consumes data; once something is missing it returns zeros.
type factReader struct {
	data   []byte
	failed bool
}

func (r *factReader) number() uint64 {
	n, size := binary.Uvarint(r.data)
	if size <= 0 {
		r.failed = true
		return 0
	}
	r.data = r.data[size:]
	return n
}

func (r *factReader) bytes(n uint64) []byte {
	if n > uint64(len(r.data)) {
		r.failed = true
		return nil
	}
	part := r.data[:n:n]
	r.data = r.data[n:]
	return part
}

func (r *factReader) section() map[string][]byte {
	type entry struct {
		path string
		size uint64
	}
	var entries []entry
	for range r.number() {
		path := string(r.bytes(r.number()))
		entries = append(entries, entry{path, r.number()})
		if r.failed {
			break
		}
	}
	facts := make(map[string][]byte, len(entries))
	for _, e := range entries {
		facts[e.path] = r.bytes(e.size)
	}
	return facts
}

// readDependencyFacts reads the facts files of everything the unit imports.
// Where several tell about a package, the package's own file is right: it was
// made last and is complete.
func readDependencyFacts(cfg *config) (*factFiles, error) {
	files := newFactFiles("")
	if module := cfg.module(); module != nil {
		files.module = module.Path
	}
	for _, importer := range slices.Sorted(maps.Keys(cfg.PackageVetx)) {
		data, err := os.ReadFile(cfg.PackageVetx[importer])
		if err != nil {
			return nil, fmt.Errorf("reading the facts of %s: %w", importer, err)
		}
		told, err := decodeFactFile(data)
		if err != nil {
			return nil, fmt.Errorf("reading the facts of %s from %s: %w", importer, cfg.PackageVetx[importer], err)
		}
		adopt(files.facts, told.facts, importer)
		adopt(files.transitive, told.transitive, importer)
	}
	return files, nil
}

func adopt(all, told map[string][]byte, importer string) {
	for path, encoded := range told {
		if _, known := all[path]; !known || path == importer {
			all[path] = encoded
		}
	}
}

// packages returns the paths of the packages that have facts for the unit, sorted.
func (f *factFiles) packages() []string {
	paths := make(map[string]bool)
	for path := range f.facts {
		paths[path] = true
	}
	for path := range f.transitive {
		if f.isOurs(path) {
			paths[path] = true
		}
	}
	return slices.Sorted(maps.Keys(paths))
}
