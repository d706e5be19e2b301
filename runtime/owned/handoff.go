package owned

import "fmt"

// Handoff prepares the [Default] owner for syscall.Exec, by which a program
// replaces itself with a newer one and stays the same process. The children,
// the supervisor and the waits go over to the new program, which calls [Resume]
// before anything else:
//
//	env, cancel, err := owned.Handoff(os.Environ())
//	if err != nil { ... }
//	err = syscall.Exec(path, os.Args, env) // Does not return if it works.
//	cancel()
//
// Without it the exec would close the pipe of the supervisor, which ends all
// children then. Nothing can be started between Handoff and cancel. Children
// whose output this program reads through a pipe lose that pipe: give them a
// file. Other owners than the default one are not handed over.
//
// Handoff waits until the supervisor and the ledger have been told everything,
// for three seconds at most, and returns an error if one has not.
func Handoff(env []string) (handedOff []string, cancel func(), err error) {
	handedOff, cancel, err = Default().handoff(env)
	if err != nil {
		return nil, nil, fmt.Errorf("owned: handing off: %w", err)
	}
	return handedOff, cancel, nil
}

// Resume returns the children that the program handed over that this process
// was before, see [Handoff]. It returns none if there was no such program. It
// has to be called before anything else is started, since everything started
// earlier inherits the files that were handed over.
func Resume() ([]*Child, error) {
	o := Default()
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.open(); err != nil {
		return nil, err
	}
	if o.resumeErr != nil {
		return nil, fmt.Errorf("owned: resuming: %w", o.resumeErr)
	}
	children := make([]*Child, 0, len(o.children))
	for c := range o.children {
		children = append(children, c)
	}
	return children, nil
}
