// Package lines has lines that //line renumbers: markers go by physical ones.
package lines

func spawn() {}
func other() {}

func f() {
//line lines.go:100
	// detached-spawn: ok — one two three
//line lines.go:200
	spawn()
//line lines.go:12
	other() // detached-spawn: ok — one two three // want `there is nothing to accept on line 13`
}
