package loop

import (
	"bytes"
	"runtime"
	"strconv"
)

// maxStacks bounds the text of all stacks: about fifty thousand goroutines.
const maxStacks = 64 << 20

// allStacks returns the stacks of all goroutines as text. It stops the world.
func allStacks() []byte {
	for size := 256 << 10; ; size *= 2 {
		buf := make([]byte, size)
		n := runtime.Stack(buf, true)
		if n < size || size >= maxStacks {
			return buf[:n]
		}
	}
}

// stackOf returns a copy of one goroutine's part of all stacks, nil if it is not
// there.
func stackOf(id uint64, stacks []byte) []byte {
	header := append(strconv.AppendUint([]byte("goroutine "), id, 10), ' ')
	for len(stacks) > 0 {
		one, rest, _ := bytes.Cut(stacks, []byte("\n\n"))
		if bytes.HasPrefix(one, header) {
			return bytes.Clone(one)
		}
		stacks = rest
	}
	return nil
}

// stateOf returns what stands between the brackets of "goroutine 7 [IO wait, 2
// minutes]:".
func stateOf(stack []byte) string {
	line, _, _ := bytes.Cut(stack, []byte("\n"))
	_, state, _ := bytes.Cut(line, []byte("["))
	state, _, _ = bytes.Cut(state, []byte("]"))
	return string(state)
}

// goroutineID returns the number that stack dumps give the current goroutine.
// The runtime has no other way to ask for it.
func goroutineID() uint64 {
	var buf [40]byte
	text := buf[:runtime.Stack(buf[:], false)]
	text = bytes.TrimPrefix(text, []byte("goroutine "))
	number, _, _ := bytes.Cut(text, []byte(" "))
	id, _ := strconv.ParseUint(string(number), 10, 64)
	return id
}
