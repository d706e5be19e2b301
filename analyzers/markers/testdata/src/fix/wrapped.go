package fix

func wrapped() { // want +2 `unused detached-spawn marker`
	// Say hello.
	// detached-spawn: ok — one two
	// three
	other()
}

// want +2 `unused directive //holdfast:owns`

//holdfast:owns the group is killed in Close
func i() {
	other()
}
