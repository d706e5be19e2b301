package roots

// A Kind is what a blocking call waits for.
type Kind string

const (
	Disk  Kind = "disk"  // reads, writes and changes of a file system
	Fsync Kind = "fsync" // until the disk has it
	Stat  Kind = "stat"  // one cheap file system call; for ever on a dead NFS server
	Net   Kind = "net"   // a peer
	DNS   Kind = "dns"   // a name service
	Exec  Kind = "exec"  // the start of another program, and its end where the call waits for it
	Wait  Kind = "wait"  // another goroutine or process
	Sleep Kind = "sleep" // time
	Flock Kind = "flock" // another holder of a file lock
	DB    Kind = "db"    // a database, embedded or not
	Lock  Kind = "lock"  // a mutex
	Stdio Kind = "stdio" // the reader of standard output or of the log
	Self  Kind = "self"  // the very loop that the call runs on: a deadlock
)

// Kinds returns all kinds, in the order of their declarations.
func Kinds() []Kind {
	return []Kind{Disk, Fsync, Stat, Net, DNS, Exec, Wait, Sleep, Flock, DB, Lock, Stdio, Self}
}

// Default returns the kinds that are reported unless others are asked for:
// without stat, lock and stdio, of which every chain is full.
func Default() []Kind {
	return []Kind{Disk, Fsync, Net, DNS, Exec, Wait, Sleep, Flock, DB, Self}
}
