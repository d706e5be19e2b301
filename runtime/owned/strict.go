package owned

// Strict makes the program run under a monitor: a parent process that adopts
// orphans, so that everything that descends from the program ends with it,
// daemons and logins included, even if the supervisor is killed in the same
// instant. It has to be called first in main, after [Hook], and needs Linux;
// elsewhere it returns an error that wraps [errors.ErrUnsupported].
//
// The first process becomes the monitor: it starts the program again, hands
// signals on, and ends with the program's exit code, or 128+n if signal n ended
// it. So Strict returns only in the second one. If the monitor is killed, the
// kernel kills the program. The price is a second process of this program, of
// 4 MB or so, and a process ID that is not the one that was started.
//
// Processes that the supervisor looks after get their grace from it. The
// others get [DefaultGrace] from the monitor. Kept processes are left alone.
func Strict() error { return strict() }
