package frameworks

// gio leaves the loop to the program: it is the code that takes the window's
// events.
var gio = []family{{
	loop:      Loop{Name: "the window's event loop"},
	paths:     []string{"gioui.org/app"},
	receive:   "Window.Event",
	callbacks: "Window.Run",
}}

// ebitengine runs a game's methods one after the other, many times a second.
var ebitengine = []family{{
	loop:    Loop{Name: "Ebitengine's game loop"},
	paths:   []string{"github.com/hajimehoshi/ebiten/v2", "github.com/hajimehoshi/ebiten"},
	methods: "Game.{Update,Draw,Layout} LayoutFer.LayoutF FinalScreenDrawer.DrawFinalScreen",
}}
