package tests

func f() { // detached-spawn: ok — one two three
	spawn() // detached_spawn: ok
}
