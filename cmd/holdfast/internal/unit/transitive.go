package unit

import (
	"encoding/binary"
	"errors"
	"fmt"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// A fact about a package usually reaches only the packages whose types lead to
// that package: nobody else can ask about it. A fact whose type has the method
// Transitive is for [analysis.Pass.AllPackageFacts] and reaches every package of
// the same module that depends on the one that it is about, at any distance.
// So a package learns of a type that it never names, because a constructor that
// it calls hides the type behind an interface.
//
// Such facts are encoded apart from a package's others, after the package's
// name: the type checker may not know the package.
type transitive interface {
	analysis.Fact
	Transitive()
}

var transitiveType = reflect.TypeFor[transitive]()

func (k factKey) isTransitive() bool { return k.obj == nil && k.typ.Implements(transitiveType) }

// isOurs reports whether a package is of the unit's module, as far as its path
// tells. One of a module nested in that folder counts as well.
func (f *factFiles) isOurs(path string) bool {
	rest, ok := strings.CutPrefix(path, f.module)
	return ok && f.module != "" && (rest == "" || rest[0] == '/')
}

// requireUnknown decodes what came from packages of the module that the type
// checker does not know. s.mu is held.
func (s *factStore) requireUnknown() {
	for _, path := range slices.Sorted(maps.Keys(s.transitive)) {
		data, _ := take(s.transitive, path)
		if s.files.isOurs(path) && path != s.pkg.Path() {
			s.decodeTransitive(nil, path, data)
		}
	}
}

// decodeTransitive decodes the transitive facts about a package; nil stands for
// one that the type checker does not know. s.mu is held.
func (s *factStore) decodeTransitive(pkg *types.Package, path string, data []byte) {
	name, rest, err := cutName(data)
	var encoded []encodedFact
	if err == nil {
		encoded, err = s.decodeList(rest)
	}
	if err != nil {
		s.fail(fmt.Errorf("decoding the facts of %s: %w", path, err))
		return
	}
	if pkg == nil {
		pkg = types.NewPackage(path, name)
	}
	for _, e := range encoded {
		s.facts[factKey{pkg: pkg, typ: reflect.TypeOf(e.Fact)}] = e.Fact
	}
}

func appendName(data []byte, pkg *types.Package) []byte {
	data = binary.AppendUvarint(data, uint64(len(pkg.Name())))
	return append(data, pkg.Name()...)
}

func cutName(data []byte) (name string, rest []byte, err error) {
	in := factReader{data: data}
	name = string(in.bytes(in.number()))
	if in.failed {
		return "", nil, errors.New("no package name")
	}
	return name, in.data, nil
}
