package owned

// Hook lets the program be its own supervisor on systems without /bin/sh, such
// as an image made from scratch. It has to be the first thing in main, before
// anything that takes long or has an effect: a process that was started to be
// a supervisor does its work in Hook and never returns from it. In any other
// process Hook returns at once.
//
// A program that always has a shell beside it does not need Hook. One that does
// not call it and finds no shell gets an error from [Owner.Start].
func Hook() { hook() }
