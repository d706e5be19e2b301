package frameworks

import (
	"go/types"

	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

var teaLoop = Loop{Name: "Bubble Tea's loop"}

var teaPaths = []string{
	"github.com/charmbracelet/bubbletea",
	"github.com/charmbracelet/bubbletea/v2",
	"charm.land/bubbletea/v2",
}

// bubbleTea runs Update, View and Init on one goroutine, and every command that
// they return on one of its own. Its Exec blocks the loop by design.
var bubbleTea = []family{
	{
		loop:      teaLoop,
		paths:     teaPaths,
		methods:   "Model.{Init,Update,View}",
		callbacks: "WithFilter",
		fields:    "View.OnMouse",
		offTypes:  "Cmd",
		offLoop:   "Tick Every Batch Sequence Exec ExecProcess",
		selfWaits: "Program.{Send,Quit,Wait,Println,Printf}",
	},
	{
		loop:    teaLoop,
		paths:   []string{"github.com/charmbracelet/bubbles/list", "charm.land/bubbles/v2/list"},
		methods: "ItemDelegate.{Update,Render,Height,Spacing}",
	},
}

// isTeaMethod recognizes models and components, which need not be models, by
// signature: Update takes a message and returns a command; the View and Init of
// a type with such an Update go with it.
func isTeaMethod(recv types.Type, fn *types.Func) bool {
	switch fn.Name() {
	case "Update":
		return isTeaUpdate(fn.Signature())
	case "Init":
		return returnsTea(fn.Signature(), "Cmd")
	case "View":
		return isTeaView(fn.Signature()) && hasTeaUpdate(recv, fn.Pkg())
	}
	return false
}

func isTeaUpdate(sig *types.Signature) bool {
	return sig.Params().Len() > 0 && returnsTea(sig, "Cmd")
}

// isTeaView accepts what the versions of a view are: text, text with a cursor,
// and a View.
func isTeaView(sig *types.Signature) bool {
	if sig.Results().Len() == 0 {
		return false
	}
	basic, ok := types.Unalias(sig.Results().At(0).Type()).(*types.Basic)
	return ok && basic.Kind() == types.String || returnsTea(sig, "View")
}

func hasTeaUpdate(recv types.Type, pkg *types.Package) bool {
	obj, _, _ := types.LookupFieldOrMethod(recv, true, pkg, "Update")
	update, ok := obj.(*types.Func)
	return ok && isTeaUpdate(update.Signature())
}

// returnsTea reports whether the last result is Bubble Tea's type of that name.
func returnsTea(sig *types.Signature, name string) bool {
	n := sig.Results().Len()
	return n > 0 && isTea(sig.Results().At(n-1).Type(), name)
}

func isTea(t types.Type, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Name() != name || named.Obj().Pkg() == nil {
		return false
	}
	path := symbols.Path(named.Obj().Pkg().Path())
	return path == "github.com/charmbracelet/bubbletea" || path == "charm.land/bubbletea"
}

// isTeaCommand reports whether the type is that of a command without its name,
// func() tea.Msg. Version 2 calls a message what its terminal library calls an
// event.
func isTeaCommand(t types.Type) bool {
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || sig.Params().Len() != 0 || sig.Results().Len() != 1 {
		return false
	}
	result := sig.Results().At(0).Type()
	if isTea(result, "Msg") {
		return true
	}
	named, ok := types.Unalias(result).(*types.Named)
	return ok && named.Obj().Name() == "Event" && named.Obj().Pkg() != nil &&
		named.Obj().Pkg().Path() == "github.com/charmbracelet/ultraviolet"
}
