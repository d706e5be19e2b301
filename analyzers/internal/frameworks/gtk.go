package frameworks

import (
	"go/types"
	"strings"
)

var gtkLoop = Loop{Name: "GLib's main loop"}

// gtk runs sources and signal handlers on the default main context. The
// functions are parameters of type any.
var gtk = []family{{
	loop: gtkLoop,
	paths: []string{
		"github.com/gotk3/gotk3/glib",
		"github.com/diamondburned/gotk4/pkg/core/glib",
		"github.com/diamondburned/gotk4/pkg/glib/v2",
	},
	callbacks: `IdleAdd:0 IdleAddPriority:1 TimeoutAdd:1 TimeoutAddPriority:2
		TimeoutSecondsAdd:1 TimeoutSecondsAddPriority:2
		Object.Connect:1 Object.ConnectAfter:1 Objector.Connect:1 Objector.ConnectAfter:1`,
}}

// isGTKSignal recognizes the methods of gotk4 that connect a handler to one
// signal, such as Button.ConnectClicked. They are generated, thousands of them.
func isGTKSignal(fn *types.Func, param int) bool {
	return strings.HasPrefix(fn.Name(), "Connect") && fn.Signature().Recv() != nil && fn.Pkg() != nil &&
		strings.HasPrefix(fn.Pkg().Path(), "github.com/diamondburned/gotk4") &&
		param < fn.Signature().Params().Len() && isFunction(fn.Signature().Params().At(param).Type())
}
