package frameworks

// tcell leaves the loop to the program: it is the code that takes the screen's
// events. Other programs and frameworks are built on that.
var tcell = []family{{
	loop:    Loop{Name: "the screen's event loop"},
	paths:   []string{"github.com/gdamore/tcell", "github.com/gdamore/tcell/v2", "github.com/gdamore/tcell/v3"},
	receive: "Screen.{PollEvent,EventQ}",
}}
