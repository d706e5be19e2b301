package detachedspawn

import "go/types"

// implementation returns the fact of a method that implements an interface's
// method and detaches, or nil. It knows the types of this package and of those
// that it imports: implementations beside the interface, in a sibling, or
// behind a constructor that returns the interface.
func (v *view) implementation(method *types.Func) *Detaching {
	iface, ok := method.Signature().Recv().Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	if v.methods == nil {
		v.indexMethods()
	}
	for _, m := range v.methods[method.Name()] {
		// Looking at the fact first spares the costly question.
		fact := v.fact(m)
		if fact.function() && types.Implements(pointerTo(m.Signature().Recv().Type()), iface) {
			return fact
		}
	}
	return nil
}

// indexMethods lists the methods of the types that implementations are looked for
// among: this package's, and then those of its imports. Large packages import
// thousands, and call interfaces' methods as often.
func (v *view) indexMethods() {
	v.methods = make(map[string][]*types.Func)
	for _, pkg := range append([]*types.Package{v.pkg}, v.pkg.Imports()...) {
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
				v.methods[m.Name()] = append(v.methods[m.Name()], m)
			}
		}
	}
}

// pointerTo returns the pointer type of a receiver, which may be one already.
func pointerTo(receiver types.Type) types.Type {
	if _, ok := receiver.(*types.Pointer); ok {
		return receiver
	}
	return types.NewPointer(receiver)
}
