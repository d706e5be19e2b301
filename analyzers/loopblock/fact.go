package loopblock

import (
	"encoding/binary"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/holdfast-go/holdfast/analyzers/internal/chain"
	"github.com/holdfast-go/holdfast/analyzers/internal/roots"
)

// Summaries is the fact about a package: a summary for each of its functions,
// variables and fields that callers must know of. One fact with one table of
// strings is a tenth of the size of a fact for each object, whose paths would
// repeat each other's file names.
//
// The key of a function or variable is its name, that of a method or field
// the name of its type, a dot and its own.
type Summaries struct{ Data []byte }

// AFact marks Summaries as a fact of the go/analysis framework.
func (*Summaries) AFact() {}

func (f *Summaries) String() string {
	summaries, err := f.decode()
	if err != nil {
		return err.Error()
	}
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(summaries)) {
		parts = append(parts, key+"("+summaries[key].String()+")")
	}
	return "waits: " + strings.Join(parts, " ")
}

func (s *Summary) String() string {
	var parts []string
	for _, p := range s.Paths {
		parts = append(parts, fmt.Sprintf("%s by %s", p.Kind, p.Root))
	}
	for _, p := range s.Params {
		parts = append(parts, fmt.Sprintf("parameter %d %s", p.Index, p.Role))
	}
	for i, paths := range s.Results {
		for _, p := range paths {
			parts = append(parts, fmt.Sprintf("result %d %s by %s", i, p.Kind, p.Root))
		}
	}
	return strings.Join(parts, ", ")
}

func (r Role) String() string {
	switch r {
	case Synchronous:
		return "called"
	case OnLoop:
		return "on loop"
	case OffLoop:
		return "elsewhere"
	case Nonblocking:
		return "nonblocking"
	}
	return "unknown"
}

// factVersion starts every encoding.
const factVersion = 1

// encodeSummaries returns the fact for summaries. Equal summaries give equal bytes.
func encodeSummaries(summaries map[string]*Summary) *Summaries {
	w := &factWriter{index: make(map[string]uint64)}
	w.number(uint64(len(summaries)))
	for _, key := range slices.Sorted(maps.Keys(summaries)) {
		w.text(key)
		w.summary(summaries[key])
	}
	return &Summaries{w.finish()}
}

func (f *Summaries) decode() (map[string]*Summary, error) {
	r, err := newFactReader(f.Data)
	if err != nil {
		return nil, fmt.Errorf("decoding what a package waits for: %w", err)
	}
	summaries := make(map[string]*Summary)
	for range r.count() {
		key := r.text()
		summaries[key] = r.summary()
	}
	if err := r.finish(); err != nil {
		return nil, fmt.Errorf("decoding what a package waits for: %w", err)
	}
	return summaries, nil
}

// A factWriter encodes into bytes and a table of the strings that it met.
type factWriter struct {
	data    []byte
	strings []string
	index   map[string]uint64
}

func (w *factWriter) number(n uint64) { w.data = binary.AppendUvarint(w.data, n) }

func (w *factWriter) flag(b bool) {
	if b {
		w.number(1)
	} else {
		w.number(0)
	}
}

func (w *factWriter) text(s string) {
	n, known := w.index[s]
	if !known {
		n = uint64(len(w.strings))
		w.index[s] = n
		w.strings = append(w.strings, s)
	}
	w.number(n)
}

func (w *factWriter) summary(s *Summary) {
	w.paths(s.Paths)
	w.number(uint64(len(s.Params)))
	for _, p := range s.Params {
		w.number(uint64(p.Index + 1))
		w.number(uint64(p.Role))
		w.flag(p.Once)
		w.loop(p.Loop)
		w.hops(p.Hops)
	}
	w.number(uint64(len(s.Results)))
	for _, paths := range s.Results {
		w.paths(paths)
	}
}

func (w *factWriter) loop(l Loop) {
	w.text(l.Name)
	w.number(uint64(len(l.Allow)))
	for _, kind := range l.Allow {
		w.text(string(kind))
	}
}

func (w *factWriter) paths(paths []Path) {
	w.number(uint64(len(paths)))
	for _, p := range paths {
		w.text(string(p.Kind))
		w.text(p.Root)
		w.flag(p.Once)
		w.text(p.Loop)
		w.hops(p.Hops)
	}
}

func (w *factWriter) hops(hops []chain.Hop) {
	w.number(uint64(len(hops)))
	for _, h := range hops {
		w.text(h.Name)
		w.text(filepath.Dir(h.File))
		w.text(filepath.Base(h.File))
		w.number(uint64(h.Line))
		w.number(uint64(h.Col))
	}
}

// finish puts the version and the strings in front of what refers to them.
func (w *factWriter) finish() []byte {
	out := binary.AppendUvarint(nil, factVersion)
	out = binary.AppendUvarint(out, uint64(len(w.strings)))
	for _, s := range w.strings {
		out = binary.AppendUvarint(out, uint64(len(s)))
		out = append(out, s...)
	}
	return append(out, w.data...)
}

// A factReader decodes; once something is wrong it returns zeros.
type factReader struct {
	data    []byte
	strings []string
	failed  bool
}

func newFactReader(data []byte) (*factReader, error) {
	r := &factReader{data: data}
	if version := r.number(); r.failed || version != factVersion {
		return nil, fmt.Errorf("it is of version %d, not %d", version, factVersion)
	}
	for range r.count() {
		n := r.number()
		if n > uint64(len(r.data)) {
			r.failed = true
			break
		}
		r.strings = append(r.strings, string(r.data[:n]))
		r.data = r.data[n:]
	}
	return r, nil
}

func (r *factReader) finish() error {
	if r.failed || len(r.data) != 0 {
		return fmt.Errorf("it is damaged")
	}
	return nil
}

func (r *factReader) number() uint64 {
	n, size := binary.Uvarint(r.data)
	if size <= 0 || r.failed {
		r.failed = true
		return 0
	}
	r.data = r.data[size:]
	return n
}

// count reads the number of things that follow, each of at least one byte.
func (r *factReader) count() int {
	n := r.number()
	if n > uint64(len(r.data)) {
		r.failed = true
		return 0
	}
	return int(n)
}

func (r *factReader) flag() bool { return r.number() == 1 }

func (r *factReader) text() string {
	n := r.number()
	if n >= uint64(len(r.strings)) {
		r.failed = true
		return ""
	}
	return r.strings[n]
}

func (r *factReader) summary() *Summary {
	s := &Summary{Paths: r.paths()}
	for range r.count() {
		s.Params = append(s.Params, Param{
			Index: int(r.number()) - 1, Role: Role(r.number()), Once: r.flag(), Loop: r.loop(), Hops: r.hops(),
		})
	}
	for range r.count() {
		s.Results = append(s.Results, r.paths())
	}
	return s
}

func (r *factReader) loop() Loop {
	l := Loop{Name: r.text()}
	for range r.count() {
		l.Allow = append(l.Allow, roots.Kind(r.text()))
	}
	return l
}

func (r *factReader) paths() []Path {
	var paths []Path
	for range r.count() {
		paths = append(paths, Path{
			Kind: roots.Kind(r.text()), Root: r.text(), Once: r.flag(), Loop: r.text(), Hops: r.hops(),
		})
	}
	return paths
}

func (r *factReader) hops() []chain.Hop {
	var hops []chain.Hop
	for range r.count() {
		name, dir, base := r.text(), r.text(), r.text()
		hops = append(hops, chain.Hop{Name: name, File: filepath.Join(dir, base), Line: int(r.number()), Col: int(r.number())})
	}
	return hops
}
