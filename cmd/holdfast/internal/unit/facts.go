package unit

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"fmt"
	"go/types"
	"io"
	"maps"
	"reflect"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/objectpath"
)

// A factStore holds the facts of one unit: those that its analyzers export, and
// those about its dependencies, which are decoded package by package when
// somebody asks. It is safe for concurrent use.
type factStore struct {
	pkg   *types.Package
	files *factFiles     // what the dependencies told
	types []reflect.Type // all fact types, in an order that depends on nothing else

	mu         sync.Mutex
	facts      map[factKey]analysis.Fact
	pending    map[string][]byte // dependencies not yet decoded, by package path
	transitive map[string][]byte // likewise
	primed     bool
	err        error // the first failure, which fails the unit
}

type factKey struct {
	pkg *types.Package
	obj types.Object // nil for a fact about the package
	typ reflect.Type
}

// encodedFact is the form of a fact in a facts file.
type encodedFact struct {
	Object objectpath.Path // empty for a fact about the package
	Fact   analysis.Fact
}

// newFactStore returns the store for pkg, with what is known about its imports.
func newFactStore(pkg *types.Package, files *factFiles, analyzers []*analysis.Analyzer) *factStore {
	return &factStore{
		pkg:        pkg,
		files:      files,
		types:      factTypes(analyzers),
		facts:      make(map[factKey]analysis.Fact),
		pending:    maps.Clone(files.facts),
		transitive: maps.Clone(files.transitive),
	}
}

// factTypes lists the fact types of analyzers and all that they require.
func factTypes(analyzers []*analysis.Analyzer) []reflect.Type {
	seen := make(map[reflect.Type]bool)
	for _, a := range withRequired(analyzers) {
		for _, fact := range a.FactTypes {
			seen[reflect.TypeOf(fact)] = true
		}
	}
	return slices.SortedFunc(maps.Keys(seen), func(a, b reflect.Type) int {
		return cmp.Or(cmp.Compare(a.Elem().PkgPath(), b.Elem().PkgPath()), cmp.Compare(a.String(), b.String()))
	})
}

// prime makes gob number the fact types in a fixed order. Gob gives numbers out
// as it meets types and writes them into the encoding, so without this the
// bytes would depend on which analyzer asked first.
func (s *factStore) prime() error {
	if s.primed {
		return nil
	}
	s.primed = true
	encoder := gob.NewEncoder(io.Discard)
	for _, t := range s.types {
		fact := reflect.New(t.Elem()).Interface()
		gob.Register(fact)
		if err := encoder.Encode(encodedFact{Fact: fact.(analysis.Fact)}); err != nil {
			return fmt.Errorf("encoding facts of type %s: %w", t, err)
		}
	}
	return nil
}

// require decodes the facts about one package. s.mu is held.
func (s *factStore) require(pkg *types.Package) {
	if pkg == nil || pkg == s.pkg {
		return
	}
	if data, ok := take(s.pending, pkg.Path()); ok {
		s.decode(pkg, data)
	}
	if data, ok := take(s.transitive, pkg.Path()); ok {
		s.decodeTransitive(pkg, pkg.Path(), data)
	}
}

// take removes and returns what a map has under a path.
func take(facts map[string][]byte, path string) ([]byte, bool) {
	data, ok := facts[path]
	delete(facts, path)
	return data, ok
}

func (s *factStore) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

func (s *factStore) decode(pkg *types.Package, data []byte) {
	encoded, err := s.decodeList(data)
	if err != nil {
		s.fail(fmt.Errorf("decoding the facts of %s: %w", pkg.Path(), err))
		return
	}
	for _, e := range encoded {
		key := factKey{pkg: pkg, typ: reflect.TypeOf(e.Fact)}
		if e.Object != "" {
			obj, err := objectpath.Object(pkg, e.Object)
			if err != nil {
				continue // not part of what this unit's imports mention
			}
			key.obj = obj
		}
		s.facts[key] = e.Fact
	}
}

func (s *factStore) decodeList(data []byte) (encoded []encodedFact, err error) {
	if err := s.prime(); err != nil {
		return nil, err
	}
	err = gob.NewDecoder(bytes.NewReader(data)).Decode(&encoded)
	return encoded, err
}

// requireAll decodes everything about packages that the type checker knows, and
// what has come from others of the module.
func (s *factStore) requireAll() {
	for _, pkg := range reachable(s.pkg) {
		s.require(pkg)
	}
	s.requireUnknown()
}

func (s *factStore) importFact(key factKey, ptr analysis.Fact) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.require(key.pkg)
	fact, ok := s.facts[key]
	if ok {
		reflect.ValueOf(ptr).Elem().Set(reflect.ValueOf(fact).Elem())
	}
	return ok
}

func (s *factStore) importObjectFact(obj types.Object, ptr analysis.Fact) bool {
	return s.importFact(factKey{obj.Pkg(), obj, reflect.TypeOf(ptr)}, ptr)
}

func (s *factStore) importPackageFact(pkg *types.Package, ptr analysis.Fact) bool {
	return s.importFact(factKey{pkg: pkg, typ: reflect.TypeOf(ptr)}, ptr)
}

// exportObjectFact keeps a fact about an object of the unit's own package.
// Any other object is a mistake of the analyzer, which fails the unit.
func (s *factStore) exportObjectFact(obj types.Object, fact analysis.Fact) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if obj.Pkg() != s.pkg {
		s.fail(fmt.Errorf("fact %T exported for %v, which is not an object of %s", fact, obj, s.pkg.Path()))
		return
	}
	s.facts[factKey{s.pkg, obj, reflect.TypeOf(fact)}] = fact
}

func (s *factStore) exportPackageFact(fact analysis.Fact) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.facts[factKey{pkg: s.pkg, typ: reflect.TypeOf(fact)}] = fact
}

// objectFacts and packageFacts return all facts of the given types, in no
// particular order, as [analysis.Pass] says.
func (s *factStore) objectFacts(wanted []analysis.Fact) []analysis.ObjectFact {
	var list []analysis.ObjectFact
	s.each(wanted, func(key factKey, fact analysis.Fact) {
		if key.obj != nil {
			list = append(list, analysis.ObjectFact{Object: key.obj, Fact: fact})
		}
	})
	return list
}

func (s *factStore) packageFacts(wanted []analysis.Fact) []analysis.PackageFact {
	var list []analysis.PackageFact
	s.each(wanted, func(key factKey, fact analysis.Fact) {
		if key.obj == nil {
			list = append(list, analysis.PackageFact{Package: key.pkg, Fact: fact})
		}
	})
	return list
}

func (s *factStore) each(wanted []analysis.Fact, f func(factKey, analysis.Fact)) {
	kinds := make(map[reflect.Type]bool)
	for _, fact := range wanted {
		kinds[reflect.TypeOf(fact)] = true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requireAll()
	for key, fact := range s.facts {
		if kinds[key.typ] {
			f(key, fact)
		}
	}
}

// encode returns the facts file for the importers of the unit's package: its own
// facts about what an importer can name, and, as they came, those about the
// packages that the types of its imports lead to, or that are transitive and of
// the same module.
func (s *factStore) encode() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return nil, s.err
	}
	out := newFactFiles(s.files.module)
	known := reachable(s.pkg)
	for path, data := range s.files.facts {
		if known[path] != nil {
			out.facts[path] = data
		}
	}
	for path, data := range s.files.transitive {
		if known[path] != nil || s.files.isOurs(path) {
			out.transitive[path] = data
		}
	}
	// Seen through a test of a package that imports it.
	delete(out.facts, s.pkg.Path())
	delete(out.transitive, s.pkg.Path())
	if err := s.encodeOwn(out); err != nil {
		return nil, fmt.Errorf("encoding the facts of %s: %w", s.pkg.Path(), err)
	}
	return out.encode(), nil
}

// reachable returns, by path, the packages whose objects pkg can meet, and an
// importer through pkg. The imports of an imported package are all those that
// its export data mentions.
func reachable(pkg *types.Package) map[string]*types.Package {
	packages := make(map[string]*types.Package)
	for _, direct := range pkg.Imports() {
		packages[direct.Path()] = direct
		for _, mentioned := range direct.Imports() {
			packages[mentioned.Path()] = mentioned
		}
	}
	return packages
}

// encodeOwn adds the facts about the unit's own package.
func (s *factStore) encodeOwn(out *factFiles) error {
	var local, further []encodedFact
	paths := new(objectpath.Encoder)
	for key, fact := range s.facts {
		if key.pkg != s.pkg {
			continue
		}
		e := encodedFact{Fact: fact}
		if key.isTransitive() {
			further = append(further, e)
			continue
		}
		if key.obj != nil {
			path, err := paths.For(key.obj)
			if err != nil {
				continue // no importer can name it
			}
			e.Object = path
		}
		local = append(local, e)
	}
	var err error
	if local != nil {
		if out.facts[s.pkg.Path()], err = s.appendList(nil, local); err != nil {
			return err
		}
	}
	if further != nil {
		out.transitive[s.pkg.Path()], err = s.appendList(appendName(nil, s.pkg), further)
	}
	return err
}

// appendList encodes facts, the same ones always to the same bytes.
func (s *factStore) appendList(data []byte, encoded []encodedFact) ([]byte, error) {
	slices.SortFunc(encoded, func(a, b encodedFact) int {
		return cmp.Or(
			cmp.Compare(a.Object, b.Object),
			slices.Index(s.types, reflect.TypeOf(a.Fact))-slices.Index(s.types, reflect.TypeOf(b.Fact)))
	})
	if err := s.prime(); err != nil {
		return nil, err
	}
	buf := bytes.NewBuffer(data)
	if err := gob.NewEncoder(buf).Encode(encoded); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}
