package lines

func crlf() {
	// detached-spawn: ok — one two
	// three
	spawn()
	/*
	   detached-spawn: ok — one two
	   three
	*/
	spawn()
	other() // detached-spawn: ok — one two three // want `unused detached-spawn marker`
}
