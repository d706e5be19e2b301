package frameworks

// goja runs scripts and what is posted to them on one goroutine, that of the
// runtime.
var goja = []family{{
	loop:      Loop{Name: "the JavaScript event loop"},
	paths:     []string{"github.com/dop251/goja_nodejs/eventloop", "github.com/Mzack9999/goja_nodejs/eventloop"},
	callbacks: "EventLoop.{RunOnLoop,SetTimeout,SetInterval,Run}",
	selfWaits: "EventLoop.{Stop,Terminate}",
}}
