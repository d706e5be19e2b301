package excluded

func i( { // detached_spawn: ok
