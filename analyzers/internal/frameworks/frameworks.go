// Package frameworks is the table of the Go frameworks that run a program's
// code on a goroutine that must not block: what they run there, what they run
// elsewhere, and which of their calls wait for that goroutine.
//
// It knows five shapes of code that a loop runs: methods of an interface, or
// with a signature, that the framework calls; functions that one of its
// functions takes; functions in one of its structs' fields; the body that
// receives from one of its channels; functions converted to one of its types.
//
// Everything here is safe for concurrent use.
package frameworks

import (
	"go/types"

	"github.com/holdfast-go/holdfast/analyzers/internal/roots"
	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

// A Loop is a goroutine of a framework.
type Loop struct {
	Name    string       // as a message says it: "Update runs on Bubble Tea's loop"
	Allow   []roots.Kind // kinds that this entry is expected to wait for
	Ordered bool         // a loop only where the package calls nothing that is [Unordered]
}

// Is reports whether the two are the same goroutine, whatever each entry is
// allowed.
func (l Loop) Is(other Loop) bool { return l.Name == other.Name }

// Callback reports whether the argument that fn takes as its parameter param
// runs on a loop. Arguments of a variadic function count up from the last
// parameter.
func Callback(fn *types.Func, param int) (Loop, bool) {
	entry, ok := tables().callbacks.Of(fn)
	if ok && entry.takes(fn, param) {
		return entry.loop, true
	}
	if isGTKSignal(fn, param) {
		return gtkLoop, true
	}
	return Loop{}, false
}

// OffLoop reports whether the argument that fn takes as its parameter param
// runs off the loop, or blocks it on purpose.
func OffLoop(fn *types.Func, param int) bool {
	entry, ok := tables().offLoop.Of(fn)
	return ok && entry.takes(fn, param)
}

// Field reports whether a function in the named field of the struct type runs
// on a loop.
func Field(owner *types.Named, field string) (Loop, bool) {
	return member(tables().fields, owner, field)
}

// OffField reports whether a function in the named field of the struct type
// runs off the loop.
func OffField(owner *types.Named, field string) bool {
	_, ok := member(tables().offFields, owner, field)
	return ok
}

// Type reports whether functions that are converted to the named type run on a
// loop.
func Type(t types.Type) (Loop, bool) {
	named, _ := types.Unalias(t).(*types.Named)
	if named == nil || named.Obj().Pkg() == nil {
		return Loop{}, false
	}
	return tables().types.Get(named.Obj().Pkg().Path(), named.Obj().Name())
}

// OffType reports whether functions of the type run off the loop that they are
// made on, such as Bubble Tea's commands.
func OffType(t types.Type) bool {
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil {
		_, off := tables().offTypes.Get(named.Obj().Pkg().Path(), named.Obj().Name())
		return off
	}
	return isTeaCommand(t)
}

// Receive reports whether code that receives from the result of the function,
// or handles it, in a loop is the loop's body.
func Receive(fn *types.Func) (Loop, bool) { return tables().receive.Of(fn) }

// ReceiveField reports whether code that receives from the channel that is put
// in the named field of the struct type is the loop's body.
func ReceiveField(owner *types.Named, field string) (Loop, bool) {
	return member(tables().receiveFields, owner, field)
}

// SelfWait returns the loop that a call of the function waits for. Only on
// that loop is it a deadlock; elsewhere it is a wait.
func SelfWait(fn *types.Func) (Loop, bool) { return tables().selfWaits.Of(fn) }

// Unordered reports whether a call of the function with the constant false as
// its first argument gives every callback of an [Loop.Ordered] loop a
// goroutine of its own.
func Unordered(fn *types.Func) bool {
	_, ok := tables().unordered.Of(fn)
	return ok
}

// Mentions reports whether the package has anything that these tables list. It
// is cheap enough to be asked of every import of a program.
func Mentions(path string) bool {
	known := tables().paths
	return known[path] || known[symbols.Path(path)]
}

// Imports returns the import paths of the packages that these tables list.
func Imports() []string {
	var paths []string
	for _, f := range families() {
		paths = append(paths, f.paths...)
	}
	return paths
}

func member(table *symbols.Table[Loop], owner *types.Named, name string) (Loop, bool) {
	obj := owner.Obj()
	if obj.Pkg() == nil {
		return Loop{}, false
	}
	return table.Get(obj.Pkg().Path(), obj.Name()+"."+name)
}
