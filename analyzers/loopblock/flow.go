package loopblock

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

// flow notes what a statement or expression stores where.
func (p *program) flow(n ast.Node, current *node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		p.assign(n.Lhs, n.Rhs)
	case *ast.ValueSpec:
		lhs := make([]ast.Expr, len(n.Names))
		for i, name := range n.Names {
			lhs[i] = name
		}
		p.assign(lhs, n.Values)
	case *ast.RangeStmt:
		if id, ok := n.Value.(*ast.Ident); ok {
			p.ranged[p.info.ObjectOf(id)] = true
		}
		p.store(n.Value, origin{expr: n.X})
		if _, isChannel := p.typeOf(n.X).(*types.Chan); isChannel {
			p.store(n.Key, origin{expr: n.X})
		}
	case *ast.SendStmt:
		p.store(n.Chan, origin{expr: n.Value})
	case *ast.CompositeLit:
		p.fields(n)
	case *ast.ReturnStmt:
		if current != nil {
			current.returns = append(current.returns, n)
		}
	case *ast.CallExpr:
		if p.info.Types[n.Fun].IsType() && len(n.Args) == 1 && p.holdsFunctions(p.info.TypeOf(n.Fun)) {
			p.converted = append(p.converted, n)
		}
		if p.isBuiltin(n, "close") && len(n.Args) == 1 {
			p.closed[p.place(n.Args[0])] = true
		}
		if fn := p.static(n); fn != nil && fn.Pkg() == p.pass.Pkg {
			p.callsites[fn] = append(p.callsites[fn], n)
		}
	}
}

func (p *program) assign(lhs, rhs []ast.Expr) {
	for i, to := range lhs {
		switch {
		case len(rhs) == len(lhs):
			p.noteSingle(to, rhs[i])
			p.notePassed(to, rhs[i])
			p.store(to, origin{expr: rhs[i]})
		case len(rhs) == 1:
			p.store(to, origin{rhs[0], i})
		}
	}
}

// notePassed notes a channel that an assignment stores in a field.
func (p *program) notePassed(to, from ast.Expr) {
	if selector, ok := ast.Unparen(to).(*ast.SelectorExpr); ok {
		p.notePassedField(symbols.Named(p.info.TypeOf(selector.X)), selector.Sel.Name, from)
	}
}

func (p *program) notePassedField(owner *types.Named, field string, value ast.Expr) {
	if _, ok := p.typeOf(value).(*types.Chan); ok && owner != nil {
		p.passed = append(p.passed, passedChannel{owner, field, value})
	}
}

func (p *program) noteSingle(to, from ast.Expr) {
	id, ok := to.(*ast.Ident)
	if !ok || id.Name == "_" {
		return
	}
	obj := p.info.ObjectOf(id)
	if _, again := p.singles[obj]; again {
		from = nil
	}
	p.singles[obj] = from
}

// store notes that a value goes to the variable or field that an expression
// names, or into the slice, map or channel that it holds.
func (p *program) store(to ast.Expr, from origin) {
	if to == nil {
		return
	}
	obj := p.place(to)
	if obj == nil {
		return
	}
	if _, isChannel := obj.Type().Underlying().(*types.Chan); isChannel {
		p.noteChannel(obj, from.expr)
	}
	if p.holdsFunctions(obj.Type()) {
		p.keep(obj, from)
	}
}

func (p *program) keep(obj types.Object, from origin) {
	if p.sources[obj] == nil {
		p.holders = append(p.holders, obj)
	}
	p.sources[obj] = append(p.sources[obj], from)
}

// place returns the variable or field that holds what an expression denotes.
func (p *program) place(expr ast.Expr) types.Object {
	switch e := ast.Unparen(expr).(type) {
	case *ast.Ident:
		if v, ok := p.info.ObjectOf(e).(*types.Var); ok {
			return v.Origin()
		}
	case *ast.SelectorExpr:
		if v, ok := p.info.ObjectOf(e.Sel).(*types.Var); ok {
			return v.Origin()
		}
	case *ast.IndexExpr:
		return p.place(e.X)
	case *ast.StarExpr:
		return p.place(e.X)
	case *ast.SliceExpr:
		return p.place(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.AND || e.Op == token.ARROW {
			return p.place(e.X)
		}
	}
	return nil
}

// fields notes what a composite literal stores in the fields of its struct.
func (p *program) fields(lit *ast.CompositeLit) {
	structure, ok := structOf(p.info.TypeOf(lit))
	if !ok {
		return
	}
	named := symbols.Named(p.info.TypeOf(lit))
	for i, element := range lit.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			if name, ok := pair.Key.(*ast.Ident); ok {
				p.store(name, origin{expr: pair.Value})
				p.notePassedField(named, name.Name, pair.Value)
			}
			continue
		}
		if i < structure.NumFields() {
			p.storeField(structure.Field(i).Origin(), element)
		}
	}
}

func (p *program) storeField(field *types.Var, value ast.Expr) {
	if _, isChannel := field.Type().Underlying().(*types.Chan); isChannel {
		p.noteChannel(field, value)
	}
	if p.holdsFunctions(field.Type()) {
		p.keep(field, origin{expr: value})
	}
}

func structOf(t types.Type) (*types.Struct, bool) {
	if t == nil {
		return nil, false
	}
	if pointer, ok := t.Underlying().(*types.Pointer); ok { // an elided &T in a slice of *T
		t = pointer.Elem()
	}
	structure, ok := t.Underlying().(*types.Struct)
	return structure, ok
}

// noteChannel looks at how a channel is made.
func (p *program) noteChannel(obj types.Object, from ast.Expr) {
	if source := p.place(from); source != nil && source != obj {
		p.aliases = append(p.aliases, alias{obj, source})
	}
	call, ok := ast.Unparen(from).(*ast.CallExpr)
	if !ok {
		return
	}
	if !p.isBuiltin(call, "make") {
		p.channelCalls = append(p.channelCalls, channelCall{obj, call})
		return
	}
	c := p.channels[obj]
	if c == nil {
		c = &channel{unbuffered: true}
		p.channels[obj] = c
	}
	c.made = true
	if len(call.Args) > 1 {
		size := p.info.Types[call.Args[1]].Value
		if size == nil || size.String() != "0" {
			c.unbuffered = false
		}
	}
}
