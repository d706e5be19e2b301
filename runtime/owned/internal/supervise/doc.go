// Package supervise runs the supervisor of an owner: a small process that reads
// from a pipe what the owner starts, and ends all of it when the pipe ends.
//
// The owner holds the only write end, so the pipe ends when the owner dies, in
// whatever way. The supervisor is a shell script (supervisor.sh), because a
// shell waiting on a pipe costs 0.1 to 0.3 MB of private memory where a Go
// program costs ten times that, and because every POSIX system has one.
// [Serve] does the same in Go for systems without /bin/sh.
//
// # Protocol
//
// Lines of at most 255 bytes, fields between single spaces:
//
//	own GROUP MEMBER BIRTH GRACE   the group dies with the owner
//	drop GROUP                     it no longer does
//	mark COOKIE LOCKS              what descendants carry in their environment, and as RLIMIT_LOCKS
//	leaf DIRECTORY                 the cgroup in which they are born
//	grace MILLISECONDS             for descendants outside of owned groups
//	quit                           end, and leave everything alone
//
// MEMBER is a process of the group and BIRTH its start time, ticks after the
// boot where there is a /proc and the output of ps -o lstart with underscores
// where there is none. Before the supervisor signals a group it has found one
// member with the birth it knows, so a recycled number is never signalled. A
// line that is malformed, too long or not ended is ignored, and so are groups
// at or below 1, the supervisor's own and the owner's.
package supervise
