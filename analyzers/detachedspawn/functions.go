package detachedspawn

import (
	"go/ast"
	"go/token"
	"go/types"
)

// collectFunctions indexes every function and literal of the view by its node.
func (v *view) collectFunctions() map[ast.Node]*function {
	functions := make(map[ast.Node]*function)
	for _, file := range v.files {
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.FuncDecl); ok && decl.Body != nil {
				f := &function{object: v.info.Defs[decl.Name]}
				if d := v.markers.owns(decl); d != nil {
					v.owned[f.object] = d.Pos
				}
				v.addFunction(functions, decl, f, decl.Recv, decl.Type, decl.Body)
				continue
			}
			v.collectLiterals(functions, nil, decl)
		}
	}
	return functions
}

func (v *view) addFunction(functions map[ast.Node]*function, node ast.Node, f *function, recv *ast.FieldList, typ *ast.FuncType, body *ast.BlockStmt) {
	functions[node] = f
	f.started = make(map[types.Object]bool)
	f.created = make(map[types.Object]bool)
	v.addParameters(f, recv, receiver)
	v.addParameters(f, typ.Params, 0)
	if typ.Results != nil {
		for _, field := range typ.Results.List {
			for _, id := range field.Names {
				obj, _ := v.info.Defs[id].(*types.Var)
				f.results = append(f.results, obj)
			}
		}
	}
	v.describe(f, body)
	v.collectLiterals(functions, f, body)
}

func (v *view) addParameters(f *function, fields *ast.FieldList, index int) {
	if fields == nil {
		return
	}
	for _, field := range fields.List {
		for _, id := range field.Names {
			if obj := v.info.Defs[id]; obj != nil {
				v.parameters[obj] = parameter{f, index}
			}
			index++
		}
		if len(field.Names) == 0 {
			index++
		}
	}
}

// collectLiterals adds the outermost function literals below root, and
// through them the inner ones.
func (v *view) collectLiterals(functions map[ast.Node]*function, outer *function, root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if !ok {
			return true
		}
		f := &function{literal: lit, outer: outer}
		v.addFunction(functions, lit, f, nil, lit.Type, lit.Body)
		return false
	})
}

// describe notes what the body does with commands as a whole: whether it
// waits for one, which it starts, and which fields it fills.
func (v *view) describe(f *function, body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			_, callee := v.callee(n)
			if waits[callee] {
				f.waits = true
			}
			if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && starts[callee] {
				if obj := v.target(sel.X); obj != nil {
					f.started[obj] = true
				}
			}
		case *ast.AssignStmt:
			if n.Tok != token.ASSIGN {
				return true
			}
			for _, lhs := range n.Lhs {
				if sel, ok := ast.Unparen(lhs).(*ast.SelectorExpr); ok {
					if field, ok := v.info.Uses[sel.Sel].(*types.Var); ok {
						f.created[field] = true
					}
				}
			}
		}
		return true
	})
}

// callee resolves what a call calls: its object, where types know it, and its
// name, which imports alone suffice to know.
func (v *view) callee(call *ast.CallExpr) (types.Object, name) {
	fun := ast.Unparen(call.Fun)
	switch f := fun.(type) {
	case *ast.IndexExpr:
		fun = f.X
	case *ast.IndexListExpr:
		fun = f.X
	}
	switch f := fun.(type) {
	case *ast.Ident:
		obj := v.info.Uses[f]
		return obj, v.calledName(obj)
	case *ast.SelectorExpr:
		if obj := v.info.Uses[f.Sel]; obj != nil {
			return obj, v.calledName(obj)
		}
		if id, ok := f.X.(*ast.Ident); ok {
			if pkg, ok := v.info.Uses[id].(*types.PkgName); ok {
				return nil, name{pkg.Imported().Path(), "", f.Sel.Name}
			}
		}
	}
	return nil, name{}
}

// calledName returns the name of a function, or of the one that a variable
// stands for, as in "var execCommand = exec.Command".
func (v *view) calledName(obj types.Object) name {
	variable, ok := obj.(*types.Var)
	if !ok {
		return nameOf(obj)
	}
	entry := v.values[variable]
	if entry == nil || len(entry.exprs) != 1 {
		return name{}
	}
	if id := lastIdent(entry.exprs[0]); id != nil {
		return nameOf(v.info.Uses[id])
	}
	return name{}
}

// nameOf returns the name of a function or method, or the zero name.
func nameOf(obj types.Object) name {
	fn, ok := obj.(*types.Func)
	if !ok || fn.Pkg() == nil {
		return name{}
	}
	n := name{pkg: fn.Pkg().Path(), name: fn.Name()}
	if recv := fn.Signature().Recv(); recv != nil {
		if named := namedType(recv.Type()); named != nil {
			n.receiver = named.Obj().Name()
		}
	}
	return n
}

// target returns the variable that an expression is rooted in or the field
// that it selects last: cmd of cmd, &cmd and *cmd, s.cmd's field cmd of s.cmd.
func (v *view) target(expr ast.Expr) types.Object {
	switch e := ast.Unparen(expr).(type) {
	case *ast.Ident:
		return v.object(e)
	case *ast.SelectorExpr:
		return v.object(e.Sel)
	case *ast.StarExpr:
		return v.target(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return v.target(e.X)
		}
	case *ast.IndexExpr:
		return v.target(e.X)
	}
	return nil
}

func (v *view) object(id *ast.Ident) types.Object {
	if obj := v.info.Uses[id]; obj != nil {
		return obj
	}
	return v.info.Defs[id]
}
