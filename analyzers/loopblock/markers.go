package loopblock

import (
	"go/ast"
	"go/token"

	"github.com/holdfast-go/holdfast/analyzers/internal/marker"
	"github.com/holdfast-go/holdfast/analyzers/internal/scope"
)

// markers reads the markers and directives of the files when one of them is
// first asked for.
type markers struct {
	fset  *token.FileSet
	files map[*token.File]*source
}

// A source is one file of the package.
type source struct {
	syntax *ast.File
	read   *marker.File
}

func newMarkers(fset *token.FileSet) *markers {
	return &markers{fset, make(map[*token.File]*source)}
}

func (m *markers) add(file *ast.File) {
	m.files[m.fset.File(file.FileStart)] = &source{syntax: file, read: marker.Read(m.fset, file)}
}

// of returns what stands in the comments of the file around a position, or nil.
func (m *markers) of(pos token.Pos) *marker.File {
	if s := m.files[m.fset.File(pos)]; s != nil {
		return s.read
	}
	return nil
}

// find returns the marker that accepts what stands at one of the positions.
func (m *markers) find(positions ...token.Pos) *marker.Marker {
	file := m.of(positions[0])
	if file == nil || len(file.Markers) == 0 {
		return nil
	}
	return file.Find(marker.LoopBlock, positions...)
}

// skips reports whether findings at a position are nobody's to repair here: in
// generated and vendored files.
func (m *markers) skips(pos token.Pos) bool {
	s := m.files[m.fset.File(pos)]
	return s == nil || scope.Vendored(scope.Name(m.fset, s.syntax)) || scope.Generated(m.fset, s.syntax)
}
