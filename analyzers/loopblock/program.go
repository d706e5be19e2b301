package loopblock

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/holdfast-go/holdfast/analyzers/internal/marker"
)

// A program is one package under analysis: its functions, what flows into its
// variables, and what its imports are known to do.
type program struct {
	pass    *analysis.Pass
	options *settings
	info    *types.Info
	known   *imports
	markers *markers

	nodes     []*node // in the order of the source
	declared  map[*types.Func]*node
	literals  map[*ast.FuncLit]*node
	params    map[*types.Var]*parameter
	sources   map[types.Object][]origin // what is stored where, if it may hold functions
	holders   []types.Object            // the keys of sources, in the order of the source
	passed    []passedChannel
	converted []*ast.CallExpr // conversions to function types

	channelCalls []channelCall
	aliases      []alias
	channels     map[types.Object]*channel
	closed       map[types.Object]bool // the channels that the package closes
	callsites    map[*types.Func][]*ast.CallExpr
	singles      map[types.Object]ast.Expr // what a variable holds that is assigned once; nil if more often
	ranged       map[types.Object]bool     // the variables that take each of a collection
	memo         map[types.Object][]value
	holds        map[types.Type]bool
	local        []*implementer      // of this package, made when first asked for
	foreign      []*implementer      // of the module's other packages
	loaded       bool                // local and foreign are made
	abstracts    map[string][]target // what methods of interfaces of other packages may run
	demanded     map[string]abstract // the methods of interfaces that were met here
	distant      map[string]abstract // those that other packages of the module met
	types        *lookup
	posted       map[types.Object]string // the loops that release wait groups; made when first asked for
	directed     *directives
}

// A node is a function with a body in this package: declared or literal.
type node struct {
	obj     *types.Func   // nil for a literal
	decl    *ast.FuncDecl // nil for a literal
	lit     *ast.FuncLit  // nil for a declared function
	body    *ast.BlockStmt
	sig     *types.Signature
	name    string // as a hop shows it
	outer   *node  // the function around a literal
	returns []*ast.ReturnStmt

	steps    []*step                // in the order of the source
	called   map[*types.Var]*called // the parameters, its own and those of functions around it, that it calls
	busy     []*step                // those of the steps that run something
	ways     ways
	abstract int  // how many of them end at a method of an interface
	cut      bool // it has more steps than are looked at
}

// A parameter is a place in a function's parameter list that takes functions.
type parameter struct {
	node  *node
	index int
}

// An origin is an expression whose value is stored somewhere. Of a call with
// several results it is the one with the index.
type origin struct {
	expr   ast.Expr
	result int
}

// A passedChannel is a channel that is stored in a field of a struct.
type passedChannel struct {
	owner *types.Named
	field string
	value ast.Expr
}

// A channelCall is a call whose result, a channel, is kept somewhere.
type channelCall struct {
	to   types.Object
	call *ast.CallExpr
}

// An alias is a channel that is stored in a second place.
type alias struct{ to, from types.Object }

// A channel is what the package shows about one of its channels.
type channel struct {
	made       bool // somewhere with make
	unbuffered bool // wherever it is made
}

// literalName is the name of every function without one.
const literalName = "function literal"

func newProgram(pass *analysis.Pass, options *settings) *program {
	p := &program{
		pass:      pass,
		options:   options,
		info:      pass.TypesInfo,
		known:     newImports(pass, options),
		markers:   newMarkers(pass.Fset),
		declared:  make(map[*types.Func]*node),
		literals:  make(map[*ast.FuncLit]*node),
		params:    make(map[*types.Var]*parameter),
		sources:   make(map[types.Object][]origin),
		channels:  make(map[types.Object]*channel),
		closed:    make(map[types.Object]bool),
		callsites: make(map[*types.Func][]*ast.CallExpr),
		singles:   make(map[types.Object]ast.Expr),
		ranged:    make(map[types.Object]bool),
		memo:      make(map[types.Object][]value),
		holds:     make(map[types.Type]bool),
		abstracts: make(map[string][]target),
		demanded:  make(map[string]abstract),
	}
	files := p.judged()
	for _, file := range files {
		p.markers.add(file)
	}
	p.directed = readDirectives(p, files)
	for _, file := range files {
		p.survey(file)
	}
	for _, n := range p.nodes {
		p.describe(n)
	}
	return p
}

// survey finds the functions of a file and notes what flows where.
func (p *program) survey(file *ast.File) {
	var around []*node // the functions around what is visited
	var ends []token.Pos
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			return true
		}
		for len(ends) > 0 && n.Pos() >= ends[len(ends)-1] {
			around, ends = around[:len(around)-1], ends[:len(ends)-1]
		}
		var current *node
		if len(around) > 0 {
			current = around[len(around)-1]
		}
		if made := p.function(n, current); made != nil {
			around, ends = append(around, made), append(ends, n.End())
			return true
		}
		p.flow(n, current)
		return true
	})
}

// function returns the node for a syntax node that is a function with a body.
func (p *program) function(n ast.Node, outer *node) *node {
	var made *node
	switch n := n.(type) {
	case *ast.FuncDecl:
		obj, _ := p.info.Defs[n.Name].(*types.Func)
		if obj == nil || n.Body == nil {
			return nil
		}
		made = &node{obj: obj, decl: n, body: n.Body, sig: obj.Signature(), name: obj.Name()}
		p.declared[obj] = made
	case *ast.FuncLit:
		sig, _ := p.info.TypeOf(n).(*types.Signature)
		if sig == nil {
			return nil
		}
		made = &node{lit: n, body: n.Body, sig: sig, name: literalName, outer: outer}
		p.literals[n] = made
	default:
		return nil
	}
	p.nodes = append(p.nodes, made)
	for i := range made.sig.Params().Len() {
		if param := made.sig.Params().At(i); p.holdsFunctions(param.Type()) {
			p.params[param] = &parameter{made, i}
		}
	}
	return made
}

func (p *program) isBuiltin(call *ast.CallExpr, name string) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	builtin, ok := p.info.Uses[id].(*types.Builtin)
	return ok && builtin.Name() == name
}

// typeOf returns the underlying type of an expression; of an invalid one, nil.
func (p *program) typeOf(expr ast.Expr) types.Type {
	if t := p.info.TypeOf(expr); t != nil {
		return t.Underlying()
	}
	return nil
}

// holdsFunctions reports whether a value of the type is a function, or a
// slice, array, map, channel or pointer of functions.
func (p *program) holdsFunctions(t types.Type) bool {
	if known, ok := p.holds[t]; ok {
		return known
	}
	p.holds[t] = false // a type that holds itself
	result := false
	switch u := t.Underlying().(type) {
	case *types.Signature:
		result = true
	case *types.Slice:
		result = p.holdsFunctions(u.Elem())
	case *types.Array:
		result = p.holdsFunctions(u.Elem())
	case *types.Map:
		result = p.holdsFunctions(u.Elem())
	case *types.Chan:
		result = p.holdsFunctions(u.Elem())
	case *types.Pointer:
		result = p.holdsFunctions(u.Elem())
	}
	p.holds[t] = result
	return result
}

// judged returns the files to look at: all, without tests unless asked for.
func (p *program) judged() []*ast.File {
	var files []*ast.File
	for _, file := range p.pass.Files {
		if p.options.tests || !isTest(p.pass, file) {
			files = append(files, file)
		}
	}
	return files
}

// marker returns the marker that accepts what stands at a position, or nil.
func (p *program) marker(positions ...token.Pos) *marker.Marker {
	return p.markers.find(positions...)
}
