package procid

// An Info is what the system says of a process beside who it is.
type Info struct {
	Identity
	State   State  `json:"state"`
	Parent  int    `json:"parent"`  // the PID of its parent; 0 if that is outside of the PID namespace
	Group   int    `json:"group"`   // its process group; 0 on Windows
	Session int    `json:"session"` // its session; 0 on macOS and Windows
	Name    string `json:"name"`    // a short name, which on Unix the process can choose
}

// All returns the processes of the machine that this user may see, zombies
// among them. It is no snapshot: processes come and go while it looks, for
// about 10 µs a process. The error wraps [errors.ErrUnsupported] where the
// system does not say. All is safe for concurrent use.
func All() ([]Info, error) {
	return all()
}
