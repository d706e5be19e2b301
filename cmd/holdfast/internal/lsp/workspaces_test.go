package lsp_test

import (
	"testing"
)

// TestWorkspace has two modules in a go.work, with a finding in one through the
// unsaved text of the other, and a module that is not in it.
func TestWorkspace(t *testing.T) {
	s := start(t, `
-- go.work --
go 1.26

use (
	./app
	./lib
)
-- app/go.mod --
module example.com/app

go 1.26
-- app/main.go --
package main

import "example.com/lib"

func main() { handle() }

//holdfast:loop
func handle() { lib.Do() }
-- lib/go.mod --
module example.com/lib

go 1.26
-- lib/lib.go --
package lib

func Do() {}
-- apart/go.mod --
module example.com/apart

go 1.26
-- apart/apart.go --
package apart
`)
	s.Open("app/main.go")
	s.Open("lib/lib.go")
	s.Replace("lib/lib.go", "func Do() {}", "import \"time\"\n\nfunc Do() { time.Sleep(1) }")
	s.ours("app/main.go", "Do (lib/lib.go:5) → time.Sleep")
	s.Replace("lib/lib.go", "time.Sleep(1)", "_ = time.Now")
	s.ours("app/main.go")
	s.Open("apart/apart.go")
	s.Until("a word about the module apart", func() bool { return s.Seen("window/showMessage") == 1 })
	s.quit(0)
}

// TestNoModule opens a file that belongs to none.
func TestNoModule(t *testing.T) {
	s := start(t, "-- a.go --\npackage a\n")
	s.Open("a.go")
	s.Until("a line in the log", func() bool { return s.Seen("window/logMessage") == 1 })
	write(t, s.Path("go.mod"), "module m\n\ngo 1.26\n")
	s.SetText("a.go", "package a\n\nimport \"time\"\n\n//holdfast:loop\nfunc f() { time.Sleep(1) }\n")
	s.ours("a.go", "loop-block")
	s.quit(0)
}

// TestAFileShowsWhatItsOwnPackageSays has a loop whose interface only the program
// knows the implementation of. Its finding would come and go with the packages
// that happen to be judged together.
func TestAFileShowsWhatItsOwnPackageSays(t *testing.T) {
	s := start(t, `
-- go.mod --
module m

go 1.26
-- main.go --
package main

import (
	"m/store"
	"m/ui"
)

func main() { ui.New(store.Disk{}).Update("") }

//holdfast:loop
func here() { store.Disk{}.Save("") }
-- store/store.go --
package store

import (
	"os"
	"time"
)

type Disk struct{}

func (Disk) Save(text string) { os.Remove(text); _ = time.Now }
-- ui/ui.go --
package ui

type Saver interface{ Save(text string) }

type Model struct{ saver Saver }

func New(s Saver) *Model { return &Model{s} }

//holdfast:loop
func (m *Model) Update(text string) { m.saver.Save(text) }
`)
	s.Open("store/store.go")
	s.Open("ui/ui.go")
	s.Open("main.go")
	s.ours("main.go", "os.Remove")
	s.Replace("store/store.go", "os.Remove(text); _ = time.Now", "time.Sleep(1); _ = os.Getpid") // and all that depends on it
	s.ours("main.go", "time.Sleep")
	s.Hover("ui/ui.go", "Model") // its answer is behind what the run has published
	s.ours("ui/ui.go")
	s.quit(0)
}
