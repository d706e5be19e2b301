package x

func f() {} // detached_spawn: ok
