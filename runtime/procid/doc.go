// Package procid says which process a number stands for.
//
// A process ID alone names nobody for long: the kernel gives it to another
// process as soon as the first one is reaped (with Linux's default of 32768
// numbers a machine can come round in under a second). An [Identity] adds when
// the process started and in which boot, so that a note about a process, in
// memory or in a file, never matches a stranger.
//
//	child, err := procid.Of(cmd.Process.Pid)
//	...
//	if child.State() == procid.Alive {
//		// The very process, not one that has its number now.
//	}
//
// # What it promises
//
// [Identity.State] is [Alive] or [Zombie] for the identified process only, and
// [Gone] as soon as it is reaped, whoever has its number by then. Whatever is
// not certain (a process that this user may not look at, a file of another PID
// namespace, a system without support) is [CannotTell]: leave it alone.
//
// # What escapes it
//
// A state is true when it is read; the process can end right after. Between
// the check and a kill(2) lies a window of microseconds, in which the process
// would have to be reaped and its number come round. Where it matters, hold a
// pidfd first and check second.
//
// Two processes that get the same number within one tick of the clock (10 ms
// on Linux, 1 µs on macOS, 100 ns on Windows) are one to this package. A round
// of all numbers took 700 ms where it was measured (Linux 6.18, 32768 numbers,
// nothing but vfork on both processors), but a PID namespace with a pid_max of
// a few hundred can come round within a tick.
//
// A process keeps its identity over exec.
//
// # Systems
//
// Linux reads /proc, which has to be that of the PID namespace of the caller.
// macOS asks sysctl(3) for kern.proc.pid. Windows asks GetProcessTimes. On
// other systems [Of] returns an error that wraps [errors.ErrUnsupported],
// [Self] returns the zero Identity, and every state is CannotTell.
package procid
