package detachedspawn

import "go/types"

// namedType returns the named type behind pointers and aliases, or nil.
func namedType(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	t = types.Unalias(t)
	if ptr, ok := t.(*types.Pointer); ok {
		t = types.Unalias(ptr.Elem())
	}
	named, _ := t.(*types.Named)
	return named
}

// isType reports whether t is, or points to, one of the named types.
func isType(t types.Type, wanted ...[2]string) bool {
	named := namedType(t)
	if named == nil || named.Obj().Pkg() == nil {
		return false
	}
	for _, w := range wanted {
		if named.Obj().Name() == w[1] && named.Obj().Pkg().Path() == w[0] {
			return true
		}
	}
	return false
}

var (
	sysProcAttr = [2]string{"syscall", "SysProcAttr"}
	syscallAttr = [2]string{"syscall", "ProcAttr"}
	osProcAttr  = [2]string{"os", "ProcAttr"}
	execCmd     = [2]string{"os/exec", "Cmd"}
)

// isAttributes reports whether values of t are process attributes.
func isAttributes(t types.Type) bool {
	return isType(t, sysProcAttr, syscallAttr, osProcAttr)
}

// isCarrier reports whether values of t can carry process attributes to a start.
func isCarrier(t types.Type) bool {
	return isType(t, sysProcAttr, syscallAttr, osProcAttr, execCmd)
}

func isFunction(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

func isStringSlice(t types.Type) bool {
	if t == nil {
		return false
	}
	slice, ok := t.Underlying().(*types.Slice)
	return ok && types.Identical(slice.Elem(), types.Typ[types.String])
}

func signatureOf(t types.Type) *types.Signature {
	if t == nil {
		return nil
	}
	signature, _ := t.Underlying().(*types.Signature)
	return signature
}

// isPlumbing reports whether a field only hands attributes on to the
// variable that has it: exec.Cmd's SysProcAttr, ProcAttr's Sys, an embedded Cmd.
func isPlumbing(field *types.Var) bool {
	if field.Embedded() && isCarrier(field.Type()) {
		return true
	}
	if field.Pkg() == nil {
		return false
	}
	switch field.Pkg().Path() {
	case "os/exec":
		return field.Name() == "SysProcAttr"
	case "os", "syscall":
		return field.Name() == "Sys"
	}
	return false
}
