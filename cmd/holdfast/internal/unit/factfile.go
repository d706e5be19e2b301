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
//	"holdfast facts 1\n"
//	number of packages, then for each, sorted by path:
//	length and bytes of the path, length of the facts
//	the facts of all packages, in the same order
//
// Numbers are unsigned varints. The facts of one package are decoded only when
// an analyzer asks for one of them.

const factFileHeader = "holdfast facts 1\n"

// encodeFactFile returns the contents of a facts file.
// Equal facts give equal bytes: the go command keys its cache with them.
func encodeFactFile(facts map[string][]byte) []byte {
	if len(facts) == 0 {
		return nil
	}
	paths := slices.Sorted(maps.Keys(facts))
	data := binary.AppendUvarint([]byte(factFileHeader), uint64(len(paths)))
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
func decodeFactFile(data []byte) (map[string][]byte, error) {
	if len(data) == 0 {
		return nil, nil
	}
	if len(data) < len(factFileHeader) || string(data[:len(factFileHeader)]) != factFileHeader {
		return nil, errors.New("not a facts file of this version")
	}
	in := factReader{data: data[len(factFileHeader):]}
	type entry struct {
		path string
		size uint64
	}
	var entries []entry
	for range in.number() {
		path := string(in.bytes(in.number()))
		entries = append(entries, entry{path, in.number()})
		if in.failed {
			break
		}
	}
	facts := make(map[string][]byte, len(entries))
	for _, e := range entries {
		facts[e.path] = in.bytes(e.size)
	}
	if in.failed || len(in.data) != 0 {
		return nil, errors.New("damaged facts file")
	}
	return facts, nil
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

// factFiles are the facts that a unit's dependencies hand to it, still encoded.
type factFiles struct {
	facts map[string][]byte // by package path
}

// readDependencyFacts reads the facts files of everything the unit imports.
// Where several tell about a package, the package's own file is right: it was
// made last and is complete.
func readDependencyFacts(cfg *config) (*factFiles, error) {
	files := &factFiles{facts: make(map[string][]byte)}
	for _, importer := range slices.Sorted(maps.Keys(cfg.PackageVetx)) {
		data, err := os.ReadFile(cfg.PackageVetx[importer])
		if err != nil {
			return nil, fmt.Errorf("reading the facts of %s: %w", importer, err)
		}
		facts, err := decodeFactFile(data)
		if err != nil {
			return nil, fmt.Errorf("reading the facts of %s from %s: %w", importer, cfg.PackageVetx[importer], err)
		}
		for path, encoded := range facts {
			if _, known := files.facts[path]; !known || path == importer {
				files.facts[path] = encoded
			}
		}
	}
	return files, nil
}

// packages returns the paths of the packages that have facts, sorted.
func (f *factFiles) packages() []string {
	return slices.Sorted(maps.Keys(f.facts))
}

// merged returns a facts file with all that is known about dependencies.
func (f *factFiles) merged() []byte { return encodeFactFile(f.facts) }
