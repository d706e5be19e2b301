package detachedspawn

import "go/types"

// isAbstract reports whether fn is a method of an interface.
func isAbstract(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}

// implementation returns the fact of a method that implements an interface's
// method and detaches, or nil. It knows the types of this package and of those
// that it imports: implementations beside the interface, in a sibling, or
// behind a constructor that returns the interface.
func (v *view) implementation(method *types.Func) *Detaching {
	iface, ok := method.Signature().Recv().Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	if fact := v.implementationIn(v.pkg, method, iface); fact != nil {
		return fact
	}
	for _, pkg := range v.pkg.Imports() {
		if fact := v.implementationIn(pkg, method, iface); fact != nil {
			return fact
		}
	}
	return nil
}

func (v *view) implementationIn(pkg *types.Package, method *types.Func, iface *types.Interface) *Detaching {
	scope := pkg.Scope()
	for _, n := range scope.Names() {
		typeName, ok := scope.Lookup(n).(*types.TypeName)
		if !ok || typeName.IsAlias() {
			continue
		}
		named, ok := typeName.Type().(*types.Named)
		if !ok || named.TypeParams().Len() > 0 {
			continue
		}
		for m := range named.Methods() {
			if m.Name() != method.Name() {
				continue
			}
			// Looking at the fact first spares the costly question.
			if fact := v.fact(m); fact.function() && types.Implements(types.NewPointer(named), iface) {
				return fact
			}
		}
	}
	return nil
}
