// Package fix shows what -fix rewrites: spellings and what is unused.
package fix

func spawn() {}
func other() {}

func f() {
	spawn() // detached_spawn: ok — one two three // want `misspelt marker` `spawn without a marker`
	spawn() // detached-spawn: ok // want `no reason` `spawn without a marker`
	other() // detached-spawn: ok — one two three // want `unused detached-spawn marker`

	// want +2 `unused detached-spawn marker`

	other() // detached-spawn: ok — one two three

	/* detached-spawn: ok — one two three */ // want `unused detached-spawn marker`
	other()
}

// holdfast:owns the group is killed in Close // want `misspelt directive`
func g() {
	spawn() // want `spawn without a marker`
}

//holdfast:own the group is killed in Close // want `unknown directive`
func h() {
	spawn() // want `spawn without a marker`
}
