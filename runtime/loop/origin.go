package loop

import (
	"fmt"
	"runtime"
)

// An Origin is the place in the program that gave the loop something to run. It
// is one word, and costs a symbol lookup only when it is asked for its names.
type Origin struct {
	pc uintptr
}

// Frame returns the function, file and line of the origin. It is the zero Frame
// if the origin is not known.
func (o Origin) Frame() runtime.Frame {
	if o.pc == 0 {
		return runtime.Frame{}
	}
	frame, _ := runtime.CallersFrames([]uintptr{o.pc}).Next()
	return frame
}

// String returns "function (file:line)".
func (o Origin) String() string {
	frame := o.Frame()
	if frame.PC == 0 {
		return "an unknown place"
	}
	return fmt.Sprintf("%s (%s:%d)", frame.Function, frame.File, frame.Line)
}

// callerOf returns where the function that calls callerOf was called from, with
// a skip of 1.
func callerOf(skip int) uintptr {
	var pc [1]uintptr
	runtime.Callers(skip+2, pc[:])
	return pc[0]
}
