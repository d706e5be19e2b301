package frameworks

// gocui runs key handlers, layouts and updates on the goroutine of MainLoop.
// Update queues from a goroutine of its own and waits for nothing.
var gocui = []family{{
	loop: Loop{Name: "gocui's main loop"},
	paths: []string{
		"github.com/jroimartin/gocui",
		"github.com/awesome-gocui/gocui",
		"github.com/jesseduffield/gocui",
		"github.com/jesseduffield/lazygit/pkg/gocui",
	},
	callbacks: `Gui.{Update,UpdateAsync,SetKeybinding,SetManagerFunc,SetTabClickBinding}
		Gui.{SetFocusHandler,SetOpenHyperlinkFunc} View.SetOnSelectItem`,
	methods: "Manager.Layout Editor.Edit",
	fields:  "ViewMouseBinding.Handler Gui.{OnSearchEscape,ErrorHandler}",
	types:   "ManagerFunc EditorFunc",
	offLoop: "Gui.OnWorker",
}}
