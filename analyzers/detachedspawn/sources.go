package detachedspawn

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A source is a place where code says that a child shall detach.
type source struct {
	pos, end token.Pos
	text     string   // as a message and a chain name it: "Setsid: true"
	effect   string   // what that does, as a clause
	may      bool     // whether it does depends on a value not known at build time
	flag     ast.Expr // that value
	repair   string   // what to do about it, where that is not to start the child with owned.Start
}

// fieldSource judges "field: value" of SysProcAttr.
func (w *walker) fieldSource(field string, value ast.Expr) (source, bool) {
	s := source{pos: value.Pos(), end: value.End(), effect: effects[field], text: field + ": " + w.print(value)}
	switch field {
	case "CreationFlags":
		set := w.bits(value)
		if names, effect := detachingBits(set.known); names != "" {
			s.text, s.effect = field+": "+names, effect
			return s, true
		}
		s.may, s.flag = true, value
		return s, set.open
	case "Pgid":
		set := w.bits(value)
		s.may, s.flag = set.open, value
		return s, set.open || set.known != 0
	default:
		t := w.boolean(value)
		s.may, s.flag = t == maybe, value
		return s, t != never
	}
}

// literalSource judges a SysProcAttr literal as a whole: several detaching
// fields of one literal are one source, at the first of them.
func (w *walker) literalSource(lit *ast.CompositeLit) (source, bool) {
	var found []source
	for i, element := range lit.Elts {
		field, value := w.element(lit, i, element)
		if effects[field] == "" {
			continue
		}
		if s, ok := w.fieldSource(field, value); ok {
			s.pos, s.end = element.Pos(), element.End()
			found = append(found, s)
		}
	}
	if len(found) == 0 {
		return source{}, false
	}
	first := found[0]
	if certain := slices.IndexFunc(found, func(s source) bool { return !s.may }); certain >= 0 {
		first = found[certain]
	}
	var texts []string
	for _, s := range found {
		texts = append(texts, s.text)
	}
	first.text = strings.Join(texts, ", ")
	first.pos, first.end = found[0].pos, found[0].end
	return first, true
}

// element returns the field name and value of a literal's element.
func (w *walker) element(lit *ast.CompositeLit, i int, element ast.Expr) (string, ast.Expr) {
	if kv, ok := element.(*ast.KeyValueExpr); ok {
		if id, ok := kv.Key.(*ast.Ident); ok {
			return id.Name, kv.Value
		}
		return "", nil
	}
	t := w.info.TypeOf(lit)
	if t == nil {
		return "", nil
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || i >= s.NumFields() {
		return "", nil
	}
	return s.Field(i).Name(), element
}

// compositeLit reports attributes written on the spot, judges commands written
// as literals, and learns which fields of other structs are given what.
func (w *walker) compositeLit(lit *ast.CompositeLit) {
	t := w.info.TypeOf(lit)
	if isType(t, sysProcAttr) {
		if s, ok := w.literalSource(lit); ok {
			o := w.reportSource(s, s.pos, s.end)
			w.decidedBy(s.flag, o)
		}
		return
	}
	if isType(t, execCmd) {
		w.commandLiteral(lit)
	}
	for _, element := range lit.Elts {
		kv, ok := element.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		id, ok := kv.Key.(*ast.Ident)
		if !ok {
			continue
		}
		field, ok := w.info.Uses[id].(*types.Var)
		if !ok || !field.IsField() {
			continue
		}
		w.setFlagObject(field, kv, kv.Value)
		if o := w.origin(kv.Value); o != nil && !isPlumbing(field) {
			w.markField(nil, field, o)
		}
	}
}

// directCall reports functions that detach by being called.
func (w *walker) directCall(call *ast.CallExpr, callee name) {
	if direct, ok := directCalls[callee]; ok {
		w.reportDirect(call, callee, direct)
		return
	}
	if rawSyscalls[callee] && len(call.Args) > 0 {
		if effect, text := w.rawSyscall(call.Args[0]); effect != "" {
			w.reportSource(source{text: text, effect: effect, repair: leaveToOwner}, call.Pos(), call.End())
		}
	}
}

func (w *walker) reportDirect(call *ast.CallExpr, callee name, direct directCall) {
	s := source{text: w.print(call.Fun), effect: direct.effect, repair: direct.repair}
	if direct.flags > 0 {
		if direct.flags > len(call.Args) {
			return
		}
		names, effect := detachingBits(w.bits(call.Args[direct.flags-1]).known)
		if names == "" {
			return
		}
		s.text, s.effect = s.text+" with "+names, effect
	}
	w.reportSource(s, call.Pos(), call.End())
}

// rawSyscall judges a system call's number: SYS_SETSID by name, or its value
// on the platform under analysis.
func (w *walker) rawSyscall(number ast.Expr) (effect, text string) {
	if id := lastIdent(number); id != nil {
		if effect := syscallEffects[id.Name]; effect != "" {
			return effect, id.Name
		}
	}
	value := w.info.Types[number].Value
	if value == nil {
		return "", ""
	}
	for _, imported := range w.pkg.Imports() {
		if imported.Path() != "syscall" && imported.Path() != "golang.org/x/sys/unix" {
			continue
		}
		for constant, effect := range syscallEffects {
			c, ok := imported.Scope().Lookup(constant).(*types.Const)
			if ok && c.Val().ExactString() == value.ExactString() {
				return effect, constant
			}
		}
	}
	return "", ""
}

func lastIdent(expr ast.Expr) *ast.Ident {
	switch e := ast.Unparen(expr).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	case *ast.CallExpr:
		if len(e.Args) == 1 {
			return lastIdent(e.Args[0])
		}
	}
	return nil
}

var releaseMethod = name{"os", "Process", "Release"}

// release reports Process.Release on a child that this function started and
// does not wait for.
func (w *walker) release(call *ast.CallExpr, callee name) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if ok && callee == releaseMethod {
		w.reportRelease(sel, call, "()")
	}
}

// releaseValue reports "return cmd.Process.Release": whoever calls it lets go.
func (w *walker) releaseValue(id *ast.Ident) {
	sel, ok := w.parent(1).(*ast.SelectorExpr)
	if ok && !w.isCalled(sel, 1) {
		w.reportRelease(sel, sel, "")
	}
}

func (w *walker) reportRelease(sel *ast.SelectorExpr, at ast.Expr, arguments string) {
	if w.waited() || !w.isChild(sel.X) {
		return
	}
	w.reportSource(source{
		text:   w.print(sel) + arguments,
		effect: "lets go of the child: nothing waits for it or stops it any more",
	}, at.Pos(), at.End())
}

// isChild reports whether an *os.Process is certainly a child that was started
// here, not one that os.FindProcess named.
func (w *walker) isChild(process ast.Expr) bool {
	switch e := ast.Unparen(process).(type) {
	case *ast.SelectorExpr:
		return e.Sel.Name == "Process" && isType(w.info.TypeOf(e.X), execCmd)
	case *ast.Ident:
		entry := w.local(e)
		return entry != nil && (slices.ContainsFunc(entry.calls, w.startsProcess) || slices.ContainsFunc(entry.exprs, w.isChildField))
	}
	return false
}

func (w *walker) startsProcess(call *ast.CallExpr) bool {
	_, callee := w.callee(call)
	return callee == name{"os", "", "StartProcess"}
}

func (w *walker) isChildField(expr ast.Expr) bool {
	_, ok := ast.Unparen(expr).(*ast.SelectorExpr)
	return ok && w.isChild(expr)
}

// waited reports whether the function, or one around it, waits for a command.
func (w *walker) waited() bool {
	for f := w.current; f != nil; f = f.outer {
		if f.waits {
			return true
		}
	}
	return false
}
