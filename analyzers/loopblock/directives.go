package loopblock

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/holdfast-go/holdfast/analyzers/internal/marker"
	"github.com/holdfast-go/holdfast/analyzers/internal/roots"
	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

// directives is what the source of this package, the facts of others and the
// flag -declare say of functions, types and fields.
type directives struct {
	program  *program
	verdicts map[*types.Func]*verdict // of this package's functions
	loops    map[types.Object]Loop    // functions, parameters, fields and named types whose code runs on a loop
	off      map[types.Object]bool    // parameters, fields and named types whose code runs elsewhere
	literals map[*ast.FuncLit]*verdict
	workers  map[ast.Node]bool // functions with a loop of their own that may block
	abstract []*types.Func     // methods of interfaces with a directive
	used     marker.Used
}

// A verdict is what a directive says of a function. It is the last word for
// those who call it.
type verdict struct {
	blocks []*blocker // what it blocks with; none: it never blocks
	trust  bool       // nonblocking, whatever the body seems to say
	loop   *Loop
	silent bool // says nothing about blocking
}

// ownLoop is the name of the loop of a directive.
const ownLoop = "an event loop"

func readDirectives(p *program, files []*ast.File) *directives {
	d := &directives{
		program:  p,
		verdicts: make(map[*types.Func]*verdict),
		loops:    make(map[types.Object]Loop),
		off:      make(map[types.Object]bool),
		literals: make(map[*ast.FuncLit]*verdict),
		workers:  make(map[ast.Node]bool),
		used:     make(marker.Used),
	}
	for _, file := range files {
		if read := p.markers.of(file.FileStart); read != nil && len(read.Directives) > 0 {
			d.file(read, file)
		}
	}
	return d
}

// file reads the directives of one file.
func (d *directives) file(read *marker.File, file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if obj, ok := d.program.info.Defs[n.Name].(*types.Func); ok {
				d.function(read, n, obj, obj.Signature())
			}
		case *ast.FuncLit:
			if sig, ok := d.program.info.TypeOf(n).(*types.Signature); ok {
				d.function(read, n, nil, sig)
			}
		case *ast.Field:
			d.field(read, n)
		case *ast.TypeSpec:
			d.typeSpec(read, n)
		}
		return true
	})
}

// function reads what stands on a function: declared, literal or abstract.
func (d *directives) function(read *marker.File, node ast.Node, obj *types.Func, sig *types.Signature) {
	name := literalName
	if obj != nil {
		name = rootName(obj)
	}
	v := &verdict{silent: true}
	for _, verb := range []marker.Verb{marker.Loop, marker.Worker, marker.Blocking, marker.Nonblocking, marker.Offloop} {
		for _, directive := range read.On(node, verb) {
			d.used[directive.Pos] = true
			if verb == marker.Worker {
				d.workers[node] = true
			}
			d.apply(v, directive, name, sig)
			if obj != nil && symbols.IsAbstract(obj) {
				d.abstract = append(d.abstract, obj)
			}
		}
	}
	if v.silent && v.loop == nil {
		return
	}
	if literal, ok := node.(*ast.FuncLit); ok {
		d.literals[literal] = v
	} else if obj != nil {
		d.verdicts[obj] = v
	}
}

// apply adds to a verdict what one directive says.
func (d *directives) apply(v *verdict, directive *marker.Directive, name string, sig *types.Signature) {
	switch directive.Verb {
	case marker.Loop:
		loop := loopOf(directive)
		if len(directive.Args) == 0 {
			v.loop = &loop
			return
		}
		for _, param := range namedParams(sig, directive.Args) {
			d.loops[param] = loop
		}
	case marker.Offloop:
		for _, param := range namedParams(sig, directive.Args) {
			d.off[param] = true
		}
	case marker.Blocking:
		v.silent = false
		for _, kind := range blockingKinds(directive) {
			if !d.program.options.on(kind) {
				continue
			}
			v.blocks = append(v.blocks, &blocker{kind: kind, name: name})
		}
	case marker.Nonblocking:
		v.silent, v.trust = false, directive.Has("trust")
	}
}

func loopOf(directive *marker.Directive) Loop {
	loop := Loop{Name: ownLoop}
	for _, kind := range directive.List("allow") {
		loop.Allow = append(loop.Allow, roots.Kind(kind))
	}
	return loop
}

func blockingKinds(directive *marker.Directive) []roots.Kind {
	var kinds []roots.Kind
	for _, kind := range directive.List("kinds") {
		kinds = append(kinds, roots.Kind(kind))
	}
	if kinds == nil {
		return []roots.Kind{roots.Wait}
	}
	return kinds
}

// namedParams returns the parameters of the names; without names, all that
// are functions.
func namedParams(sig *types.Signature, names []string) []*types.Var {
	var list []*types.Var
	for param := range sig.Params().Variables() {
		_, isFunction := param.Type().Underlying().(*types.Signature)
		if slices.Contains(names, param.Name()) || len(names) == 0 && isFunction {
			list = append(list, param)
		}
	}
	return list
}

// field reads what stands on a field of a struct, a parameter, or a method of an
// interface.
func (d *directives) field(read *marker.File, field *ast.Field) {
	for _, name := range field.Names {
		switch obj := d.program.info.Defs[name].(type) {
		case *types.Func:
			d.function(read, field, obj, obj.Signature())
		case *types.Var:
			d.object(read, field, obj)
		}
	}
}

func (d *directives) typeSpec(read *marker.File, spec *ast.TypeSpec) {
	if obj := d.program.info.Defs[spec.Name]; obj != nil {
		d.object(read, spec, obj)
	}
}

// object reads what stands on a named function type or a field that holds functions.
func (d *directives) object(read *marker.File, node ast.Node, obj types.Object) {
	for _, directive := range read.On(node, marker.Loop) {
		d.loops[obj] = loopOf(directive)
		d.used[directive.Pos] = true
	}
	for _, directive := range read.On(node, marker.Offloop) {
		d.off[obj] = true
		d.used[directive.Pos] = true
	}
}

// of returns what directives say of blocking in a function, or nil: here, in
// another package, or by flag.
func (d *directives) of(fn *types.Func) *verdict {
	if v := d.verdicts[fn]; v != nil && !v.silent {
		return v
	}
	if v := d.program.options.declared.of(fn, d.program.options); v != nil && !v.silent {
		return v
	}
	if !symbols.IsAbstract(fn) {
		return nil
	}
	return d.foreign(fn)
}

// foreign returns what a fact says of an interface's method.
func (d *directives) foreign(fn *types.Func) *verdict {
	summary := d.program.known.function(fn)
	if summary == nil {
		return nil
	}
	if summary.param(self, Nonblocking) != nil {
		return &verdict{}
	}
	v := new(verdict)
	for _, path := range summary.Paths {
		v.blocks = append(v.blocks, &blocker{kind: path.Kind, name: path.Root, loop: path.Loop})
	}
	if v.blocks == nil {
		return nil
	}
	return v
}

// declarations are the directives of the flag -declare, by the full name of
// the function as types.Func.FullName gives it.
type declarations struct {
	text string
	list map[string][]*marker.Directive
}

func (d *declarations) String() string {
	if d == nil {
		return ""
	}
	return d.text
}

// Set reads "name verb words; name verb words".
func (d *declarations) Set(value string) error {
	list := make(map[string][]*marker.Directive)
	for entry := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ';' || r == '\n' }) {
		name, text, _ := strings.Cut(strings.TrimSpace(entry), " ")
		if name == "" {
			continue
		}
		directive, err := marker.Parse(strings.TrimSpace(text))
		if err != nil {
			return fmt.Errorf("declaration %q: %w", strings.TrimSpace(entry), err)
		}
		list[name] = append(list[name], directive)
	}
	d.text, d.list = value, list
	return nil
}

// of returns what the flag says of a function, or nil.
func (d *declarations) of(fn *types.Func, options *settings) *verdict {
	if len(d.list) == 0 {
		return nil
	}
	entries := d.list[fn.FullName()]
	if entries == nil {
		return nil
	}
	v := &verdict{silent: true}
	reader := &directives{
		program: &program{options: options},
		loops:   make(map[types.Object]Loop), off: make(map[types.Object]bool),
	}
	for _, directive := range entries {
		reader.apply(v, directive, rootName(fn), fn.Signature())
	}
	return v
}

// param returns what the flag says of a function's parameter.
func (d *declarations) param(fn *types.Func, index int) (loop Loop, onLoop, offLoop bool) {
	for _, directive := range d.list[fn.FullName()] {
		param := fn.Signature().Params().At(index)
		if !slices.Contains(namedParams(fn.Signature(), directive.Args), param) {
			continue
		}
		switch directive.Verb {
		case marker.Loop:
			if len(directive.Args) > 0 {
				return loopOf(directive), true, false
			}
		case marker.Offloop:
			return Loop{}, false, true
		}
	}
	return Loop{}, false, false
}

// isAway reports whether a directive or fact says that a function hands its
// parameter to a loop or another goroutine.
func (d *directives) isAway(fn *types.Func, index int) bool {
	if index >= fn.Signature().Params().Len() {
		return false
	}
	param := fn.Signature().Params().At(index)
	if _, onLoop := d.loops[param]; onLoop || d.off[param] {
		return true
	}
	if t, ok := types.Unalias(param.Type()).(*types.Named); ok {
		if _, onLoop := d.loops[t.Obj()]; onLoop || d.off[t.Obj()] {
			return true
		}
	}
	summary := d.program.known.function(fn)
	return summary != nil && (summary.param(index, OnLoop) != nil || summary.param(index, OffLoop) != nil)
}
