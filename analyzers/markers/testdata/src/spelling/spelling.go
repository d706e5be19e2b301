// Package spelling holds what means to be a marker or directive.
package spelling

func spawn() {}

func markers() {
	spawn() // detached_spawn: ok — one two three // want `misspelt marker "detached_spawn: ok" accepts nothing: write "detached-spawn: ok — reason"` `spawn without a marker`
	spawn() // Detached-Spawn: OK — one two three // want `misspelt marker` `spawn without a marker`
	spawn() // detached-spawn ok — one two three // want `misspelt marker` `spawn without a marker`
	spawn() // detached-spawn: ok // want `this detached-spawn marker has no reason` `spawn without a marker`
	spawn() // detached-spawn: ok — see above // want `this detached-spawn marker has words that are no reason` `spawn without a marker`
	spawn() // detached spawn, which is ok // want `spawn without a marker`
	spawn() //nolint:detachedspawn // want `spawn without a marker`
	spawn() //nolint:gosec // detached-spawn: ok — one two three
	spawn() //detached-spawn:ok one two three
}

// holdfast:owns the group is killed in Close // want `misspelt directive "holdfast:owns" says nothing: write "//holdfast:owns"`
func spaced() {
	spawn() // want `spawn without a marker`
}

//holdfast:own the group is killed in Close // want `unknown directive //holdfast:own: did you mean //holdfast:owns\?`
func short() {
	spawn() // want `spawn without a marker`
}

//holdfast:loop allow=disc // want `unknown kind "disc": did you mean "disk"\?`
func kind() {}
