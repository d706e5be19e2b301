package detachedspawn

import (
	"go/ast"
	"go/token"
	"reflect"

	"github.com/holdfast-go/holdfast/analyzers/internal/marker"
	"github.com/holdfast-go/holdfast/analyzers/internal/scope"
)

var usedType = reflect.TypeFor[marker.Used]()

// markers reads the markers and directives of files when they are first asked for.
type markers struct {
	fset  *token.FileSet
	files map[string]*ast.File
	read  map[string]*marker.File
}

func newMarkers(fset *token.FileSet) *markers {
	return &markers{fset, make(map[string]*ast.File), make(map[string]*marker.File)}
}

// add makes a file known.
func (m *markers) add(file *ast.File) {
	m.files[m.name(file.FileStart)] = file
}

// name returns the physical name of the file around a position.
func (m *markers) name(pos token.Pos) string {
	if f := m.fset.File(pos); f != nil {
		return f.Name()
	}
	return ""
}

func (m *markers) of(pos token.Pos) *marker.File {
	name := m.name(pos)
	read, ok := m.read[name]
	if !ok {
		if file := m.files[name]; file != nil {
			read = marker.Read(m.fset, file)
		}
		m.read[name] = read
	}
	return read
}

// find returns the marker that accepts a finding, or nil.
func (m *markers) find(positions ...token.Pos) *marker.Marker {
	file := m.of(positions[0])
	if file == nil {
		return nil
	}
	return file.Find(marker.DetachedSpawn, positions...)
}

// owns returns the directive by which a function takes what it starts in hand, or nil.
func (m *markers) owns(decl *ast.FuncDecl) *marker.Directive {
	file := m.of(decl.Pos())
	if file == nil {
		return nil
	}
	if found := file.On(decl, marker.Owns); len(found) > 0 {
		return found[0]
	}
	return nil
}

// skips reports whether findings at a position are nobody's to repair here:
// in generated and vendored files.
func (m *markers) skips(pos token.Pos) bool {
	file := m.files[m.name(pos)]
	if file == nil {
		return false
	}
	return scope.Vendored(scope.Name(m.fset, file)) || scope.Generated(m.fset, file)
}
