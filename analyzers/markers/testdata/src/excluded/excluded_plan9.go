package excluded

func f() {} // detached_spawn: ok — one two three

func g() {} // detached-spawn: ok — nobody can judge whether it is used
