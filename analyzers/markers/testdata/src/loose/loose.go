// Package loose holds directives that belong to no declaration.
package loose

//holdfast:owns the group is killed in Close // want `//holdfast:owns is attached to nothing`

func f() {
	f() //holdfast:loop // want `//holdfast:loop is attached to nothing`
}
