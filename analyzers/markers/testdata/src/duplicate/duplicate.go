// Package duplicate holds markers and directives given twice.
package duplicate

func spawn() {}

func f() {
	// detached-spawn: ok — one two three
	spawn() // detached-spawn: ok — four five six // want `duplicate detached-spawn marker`
}

//holdfast:owns the group is killed in Close
//holdfast:owns the group is killed in Stop // want `//holdfast:owns is a duplicate`
func g() { spawn() }

//holdfast:owns the group is killed in Close // want `unused directive //holdfast:owns`
//holdfast:owns the group is killed in Stop // want `//holdfast:owns is a duplicate`
func idle() {}

//holdfast:loop
//holdfast:nonblocking // want `//holdfast:nonblocking contradicts //holdfast:loop`
func h() {}
