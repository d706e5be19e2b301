package frameworks

import "go/types"

// A method is one that a framework calls on its loop, of its interface owner.
type method struct {
	path, owner string
	loop        Loop
}

// Method reports whether fn, a method that a type declares, runs on a loop:
// because the type recv, or a pointer to it, implements a framework's
// interface that has the method, or because of the method's signature.
//
// lookup returns the type that an imported package, at whatever distance,
// declares under a name, nil if there is none. It is only asked about methods
// with the name of an entry.
func Method(recv types.Type, fn *types.Func, lookup func(path, name string) types.Type) (Loop, bool) {
	for _, m := range tables().methods[fn.Name()] {
		t := lookup(m.path, m.owner)
		if t == nil {
			continue
		}
		iface, ok := t.Underlying().(*types.Interface)
		if ok && declares(iface, fn) && implements(recv, iface) {
			return m.loop, true
		}
	}
	if isTeaMethod(recv, fn) {
		return teaLoop, true
	}
	return Loop{}, false
}

func declares(iface *types.Interface, fn *types.Func) bool {
	for m := range iface.Methods() {
		if m.Name() == fn.Name() {
			return true
		}
	}
	return false
}

func implements(t types.Type, iface *types.Interface) bool {
	if types.Implements(t, iface) {
		return true
	}
	_, isPointer := types.Unalias(t).(*types.Pointer)
	return !isPointer && types.Implements(types.NewPointer(t), iface)
}
