// Package used holds markers and directives that have, or lack, something to do.
package used

func spawn() {}
func other() {}

func trailing() {
	spawn() // detached-spawn: ok — one two three
	other() // detached-spawn: ok — one two three // want `unused detached-spawn marker: there is nothing to accept on line 9; delete it`
}

func above() {
	// detached-spawn: ok — the reason goes
	// on over two lines
	spawn()

	// detached-spawn: ok — one two three // want `unused detached-spawn marker`

	spawn() // want `spawn without a marker`
}

func previousStatement() {
	other() // detached-spawn: ok — one two three // want `unused detached-spawn marker`
	spawn() // want `spawn without a marker`
}

func blockComment() {
	/* detached-spawn: ok — one two three */
	spawn()
	/* detached-spawn: ok — one two three */ spawn()
	/* detached-spawn: ok — one two three */ other() // want `unused detached-spawn marker`
}

func severalOnOneLine() {
	func() { spawn(); spawn() }() // detached-spawn: ok — one two three
}

//holdfast:owns the group is killed in Close
func owner() { spawn() }

//holdfast:owns the group is killed in Close // want `unused directive //holdfast:owns: it changes nothing about the declaration on line 42; delete it`
func innocent() { other() }

const text = `
// detached-spawn: ok — one two three
`

// loop-block: ok — nobody judges this rule in this run
func ofAnotherRule() {
}

//holdfast:nonblocking
func ofAnotherVerb() {}
