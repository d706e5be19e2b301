package loop

import "fmt"

// A PanicError is a panic of a callback or of an offloaded work.
type PanicError struct {
	// Value is what was given to panic.
	Value any
	// Origin is where the callback was posted or the work offloaded. The stack
	// below the loop does not say.
	Origin Origin
	// Stack is the stack of the panic, as of [runtime/debug.Stack].
	Stack []byte
}

// Error gives the value, the origin and the stack.
func (e *PanicError) Error() string {
	return fmt.Sprintf("loop: the callback posted at %v panicked: %v\n\n%s", e.Origin, e.Value, e.Stack)
}

// Unwrap returns the value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// panicked asks the program what a panic means, and reports whether the loop
// goes on. It runs on the loop.
func (l *Loop) panicked(e *PanicError) bool {
	l.gauge.panics.Add(1)
	l.turn.failure = l.settings.onPanic(e)
	return l.turn.failure == nil
}

// vanished is the failure of a loop whose callback ended the goroutine, as
// testing.T.FailNow does.
func (l *Loop) vanished() error {
	return fmt.Errorf("%w: the callback posted at %v called runtime.Goexit", ErrNoResult, l.turn.look().origin)
}
