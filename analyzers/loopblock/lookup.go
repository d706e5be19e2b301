package loopblock

import "go/types"

// A lookup finds types of the packages that a package imports, at a distance.
type lookup struct {
	packages map[string]*types.Package
	list     []*types.Package // the same, in the order of the imports
}

func newLookup(pkg *types.Package) *lookup {
	l := &lookup{packages: make(map[string]*types.Package)}
	l.add(pkg)
	return l
}

func (l *lookup) add(pkg *types.Package) {
	for _, imported := range pkg.Imports() {
		if l.packages[imported.Path()] == nil {
			l.packages[imported.Path()] = imported
			l.list = append(l.list, imported)
			l.add(imported)
		}
	}
}

func (l *lookup) find(path, name string) types.Type {
	if pkg := l.packages[path]; pkg != nil {
		if t, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok {
			return t.Type()
		}
	}
	return nil
}
