package frameworks

import (
	"go/types"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

// A family lists what packages with the same names do with one loop. Names
// are those of package symbols.
type family struct {
	loop  Loop
	paths []string // import paths, of every major version that differs in nothing listed

	// Functions; their parameters of a function type are meant, or the one
	// whose index stands after a colon, whatever its type: IdleAdd:0.
	callbacks, offLoop string

	methods           string // of interfaces that the program implements
	fields, offFields string // of structs
	types, offTypes   string // named function types
	receive           string // functions whose results, or channels, the body takes
	receiveFields     string // of structs, that hold the channel
	selfWaits         string // functions that wait for the loop
	unordered         string // functions that end the loop's order when given false
}

func families() []family {
	return slices.Concat(
		holdfast,
		bubbleTea, tview, gocui, tcell, fyne, gio, ebitengine, gtk, wails,
		gnet, evio, nbio, netpoll, quic,
		raft, gossip, nats, paho, paho5,
		goja, clientGo, controllerRuntime,
	)
}

// An entry is a function of the tables with the parameter that is meant.
type entry struct {
	loop  Loop
	param int // everyFunction, or an index
}

const everyFunction = -1

// takes reports whether the entry means the parameter.
func (e entry) takes(fn *types.Func, param int) bool {
	sig := fn.Signature()
	if last := sig.Params().Len() - 1; sig.Variadic() && param > last {
		param = last
	}
	if e.param != everyFunction {
		return e.param == param
	}
	return param < sig.Params().Len() && isFunction(sig.Params().At(param).Type())
}

// isFunction reports whether the type is a function's, or a list of functions.
func isFunction(t types.Type) bool {
	if list, ok := t.Underlying().(*types.Slice); ok {
		t = list.Elem()
	}
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// An index has the families by symbol.
type index struct {
	callbacks, offLoop                               *symbols.Table[entry]
	fields, offFields, types, receive, receiveFields *symbols.Table[Loop]
	offTypes, selfWaits, unordered                   *symbols.Table[Loop]
	methods                                          map[string][]method // by the method's name
	paths                                            map[string]bool
}

var tables = sync.OnceValue(func() *index {
	x := &index{
		callbacks: symbols.NewTable[entry](), offLoop: symbols.NewTable[entry](),
		fields: symbols.NewTable[Loop](), offFields: symbols.NewTable[Loop](),
		types: symbols.NewTable[Loop](), offTypes: symbols.NewTable[Loop](),
		receive: symbols.NewTable[Loop](), receiveFields: symbols.NewTable[Loop](),
		selfWaits: symbols.NewTable[Loop](), unordered: symbols.NewTable[Loop](),
		methods: make(map[string][]method), paths: make(map[string]bool),
	}
	for _, f := range families() {
		x.add(f)
	}
	return x
})

func (x *index) add(f family) {
	for _, path := range f.paths {
		plain := symbols.Path(path)
		x.paths[plain] = true
		addEntries(x.callbacks, plain, f.callbacks, f.loop)
		addEntries(x.offLoop, plain, f.offLoop, f.loop)
		x.fields.Add(plain, f.fields, f.loop)
		x.offFields.Add(plain, f.offFields, f.loop)
		x.types.Add(plain, f.types, f.loop)
		x.offTypes.Add(plain, f.offTypes, f.loop)
		x.receive.Add(plain, f.receive, f.loop)
		x.receiveFields.Add(plain, f.receiveFields, f.loop)
		x.selfWaits.Add(plain, f.selfWaits, f.loop)
		x.unordered.Add(plain, f.unordered, f.loop)
		for _, name := range symbols.Expand(f.methods) {
			owner, name, _ := strings.Cut(name, ".")
			x.methods[name] = append(x.methods[name], method{path: path, owner: owner, loop: f.loop})
		}
	}
}

// addEntries lists functions, each with the index of its parameter or without.
func addEntries(table *symbols.Table[entry], path, names string, loop Loop) {
	for _, name := range symbols.Expand(names) {
		name, index, hasIndex := strings.Cut(name, ":")
		e := entry{loop: loop, param: everyFunction}
		if hasIndex {
			e.param, _ = strconv.Atoi(index)
		}
		table.Add(path, name, e)
	}
}
