package frameworks

// holdfastPath is the import path of this module's own loop.
const holdfastPath = "github.com/holdfast-go/holdfast/runtime/loop"

// holdfast is this module's own loop: it takes functions, and hands work to a
// pool whose result comes back to it.
var holdfast = []family{{
	loop:      Loop{Name: "the loop"},
	paths:     []string{holdfastPath},
	callbacks: "Loop.{Post,Call,After,Every} Offload:2 WithOnPanic",
	offLoop:   "Offload:1",
	selfWaits: "Loop.Call",
}}
