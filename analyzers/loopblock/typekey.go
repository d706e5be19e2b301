package loopblock

import (
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// methodKey names a method so that equal names mean that one can implement the
// other, in whichever package and with whatever aliases they are written.
func methodKey(fn *types.Func) string {
	w := new(typeWriter)
	if !fn.Exported() && fn.Pkg() != nil {
		w.WriteString(fn.Pkg().Path())
		w.WriteByte('.')
	}
	w.WriteString(fn.Name())
	w.signature(fn.Signature())
	return w.String()
}

// A typeWriter spells types so that identical ones are equal.
type typeWriter struct{ strings.Builder }

func (w *typeWriter) signature(sig *types.Signature) {
	w.tuple(sig.Params(), sig.Variadic())
	w.tuple(sig.Results(), false)
}

func (w *typeWriter) tuple(list *types.Tuple, variadic bool) {
	w.WriteByte('(')
	for i := range list.Len() {
		if i > 0 {
			w.WriteByte(',')
		}
		w.spell(list.At(i).Type())
	}
	if variadic {
		w.WriteString("...")
	}
	w.WriteByte(')')
}

func (w *typeWriter) spell(t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer || int(t.Kind()) >= len(types.Typ) {
			w.WriteString(t.Name())
			return
		}
		w.WriteString(types.Typ[t.Kind()].Name()) // byte is uint8
	case *types.Named:
		w.named(t)
	case *types.Pointer:
		w.WriteByte('*')
		w.spell(t.Elem())
	case *types.Slice:
		w.WriteString("[]")
		w.spell(t.Elem())
	case *types.Array:
		w.WriteString("[" + strconv.FormatInt(t.Len(), 10) + "]")
		w.spell(t.Elem())
	case *types.Map:
		w.WriteString("map[")
		w.spell(t.Key())
		w.WriteByte(']')
		w.spell(t.Elem())
	case *types.Chan:
		w.WriteString("chan" + strconv.Itoa(int(t.Dir())) + " ")
		w.spell(t.Elem())
	case *types.Signature:
		w.WriteString("func")
		w.signature(t)
	case *types.Interface:
		w.iface(t)
	case *types.TypeParam:
		w.WriteString("$" + strconv.Itoa(t.Index()))
	default:
		w.WriteString(types.TypeString(t, (*types.Package).Path))
	}
}

func (w *typeWriter) named(t *types.Named) {
	if pkg := t.Obj().Pkg(); pkg != nil {
		w.WriteString(pkg.Path())
		w.WriteByte('.')
	}
	w.WriteString(t.Obj().Name())
	for i := range t.TypeArgs().Len() {
		w.WriteByte('[')
		w.spell(t.TypeArgs().At(i))
		w.WriteByte(']')
	}
}

func (w *typeWriter) iface(t *types.Interface) {
	var methods []string
	for m := range t.Methods() {
		methods = append(methods, m.Name()) // its types could lead back here
	}
	slices.Sort(methods)
	w.WriteString("interface{" + strings.Join(methods, ";") + "}")
}
