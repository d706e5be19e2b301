// Package term is a stub.
package term

func GetSize(fd int) (width, height int, err error) { return 0, 0, nil }
