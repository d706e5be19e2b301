package detachedspawn

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/holdfast-go/holdfast/analyzers/internal/chain"
)

// A view is a package as one platform sees it: the files that a build for it
// would compile, with types. The pass is the first view of a package; files
// that the pass's build leaves out are seen through views of their own.
type view struct {
	fset     *token.FileSet
	pkg      *types.Package
	info     *types.Info
	files    []*ast.File
	markers  *markers
	imported func(types.Object) *Detaching // what other packages' facts say

	facts      map[types.Object]*Detaching   // what this package's objects do
	literals   map[*ast.FuncLit]*Detaching   // what its function literals do
	taints     map[types.Object]*origin      // local variables that detach
	parameters map[types.Object]parameter    // whose parameter an object is
	values     map[types.Object]*assignments // what variables are given
	findings   map[findingKey]*finding
	owned      map[types.Object]token.Pos // functions that own what they start, and where they say so
	usedOwns   map[token.Pos]bool         // directives that changed something
	truths     map[types.Object]truth     // what is known of local variables
	bitSets    map[types.Object]bitSet
	words      map[types.Object]word
	lists      map[types.Object][]word
	returned   map[types.Object][]word  // arguments that functions of this package return
	methods    map[string][]*types.Func // of types that may implement an interface; nil before it is needed
	changed    bool                     // whether the last round learnt something
}

// A parameter is a parameter of a function, by its index in facts.
type parameter struct {
	function *function
	index    int
}

// An origin is why a value detaches: the way to the source, and what it does.
type origin struct {
	hops     []chain.Hop
	effect   string
	function *Detaching // for a function value: what calling it does
	field    bool       // read from a field: other instances may hold something else
}

// maxRounds bounds the search for helpers of helpers. Each round carries a
// fact one call further; real programs need three (measured on 25 repositories).
const maxRounds = 12

// run finds everything in the view. Facts are in v.facts and findings in
// v.findings afterwards.
func (v *view) run() {
	v.facts = make(map[types.Object]*Detaching)
	v.literals = make(map[*ast.FuncLit]*Detaching)
	v.taints = make(map[types.Object]*origin)
	v.parameters = make(map[types.Object]parameter)
	v.findings = make(map[findingKey]*finding)
	v.truths = make(map[types.Object]truth)
	v.bitSets = make(map[types.Object]bitSet)
	v.returned = make(map[types.Object][]word)
	v.owned = make(map[types.Object]token.Pos)
	v.usedOwns = make(map[token.Pos]bool)
	for _, f := range v.files {
		v.markers.add(f)
	}
	v.values = collectAssignments(v.info, v.files)
	functions := v.collectFunctions()
	for range maxRounds {
		v.changed = false
		v.words = make(map[types.Object]word)
		v.lists = make(map[types.Object][]word)
		for _, f := range v.files {
			w := &walker{view: v, functions: functions}
			w.walk(f)
		}
		if !v.changed {
			break
		}
	}
}

// fact returns what is known of an object of this or another package, or nil.
func (v *view) fact(obj types.Object) *Detaching {
	if obj == nil || obj.Pkg() == nil {
		return nil
	}
	switch o := obj.(type) {
	case *types.Func:
		obj = o.Origin()
	case *types.Var:
		obj = o.Origin()
	}
	if v.isOwned(obj) {
		return nil
	}
	if obj.Pkg() == v.pkg {
		return v.facts[obj]
	}
	return v.imported(obj)
}

// isOwned reports whether a function takes what it starts in hand, and notes
// that its directive was asked for.
func (v *view) isOwned(obj types.Object) bool {
	pos, ok := v.owned[obj]
	if ok && v.facts[obj].detaches() {
		v.usedOwns[pos] = true
	}
	return ok
}

// learn merges what was found into the fact of an object of this package.
func (v *view) learn(obj types.Object, o *origin, change func(*Detaching) bool) {
	if obj == nil || obj.Pkg() != v.pkg {
		return
	}
	fact := v.facts[obj]
	if fact == nil {
		fact = new(Detaching)
	}
	if change(fact) {
		fact.explain(o.effect, func() []chain.Hop { return v.through(obj, o) })
		v.facts[obj] = fact
		v.changed = true
	}
}

// maxHops bounds a chain; what lies between its start and its end beyond that
// is left out, the source never.
const maxHops = 8

// through puts the object in front of the origin's hops.
func (v *view) through(obj types.Object, o *origin) []chain.Hop {
	hops := append([]chain.Hop{chain.At(v.fset, obj.Pos(), obj.Name())}, o.hops...)
	if len(hops) > maxHops {
		hops = append(hops[:maxHops-1], hops[len(hops)-1])
	}
	return hops
}

// A function is a declared function or a function literal.
type function struct {
	object  types.Object // nil for a literal
	literal *ast.FuncLit
	results []*types.Var
	waits   bool // it, or a literal in it, waits for a command
	started map[types.Object]bool
	created map[types.Object]bool // fields given a value here
	outer   *function
}

// fact returns the fact under construction for the function.
func (v *view) functionFact(f *function) *Detaching {
	if f.literal != nil {
		return v.literals[f.literal]
	}
	return v.facts[f.object]
}

// learnFunction merges what was found into a function's or literal's fact.
func (v *view) learnFunction(f *function, o *origin, change func(*Detaching) bool) {
	if f.literal == nil {
		v.learn(f.object, o, change)
		return
	}
	fact := v.literals[f.literal]
	if fact == nil {
		fact = new(Detaching)
	}
	if change(fact) {
		fact.explain(o.effect, func() []chain.Hop { return o.hops })
		v.literals[f.literal] = fact
		v.changed = true
	}
}
