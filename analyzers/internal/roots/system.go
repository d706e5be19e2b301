package roots

// unixCalls are of both packages that wrap Unix system calls. What a call's
// flags and time limits decide is in the conditions.
var unixCalls = map[Kind]string{
	Disk: `Open Creat Openat Read Write Pread Pwrite Rename Renameat Unlink Unlinkat
		Mkdir Mkdirat Rmdir Link Symlink Mknod Mknodat Mkfifo
		Chmod Fchmod Fchmodat Chown Fchown Fchownat Lchown Truncate Ftruncate
		Utimes Futimes Futimesat UtimesNano Getdents ReadDirent Fallocate Sendfile
		Splice Tee Mount Unmount Setxattr`,
	Fsync: "Fsync Fdatasync Sync SyncFileRange",
	Stat:  "Stat Lstat Fstat Statfs Fstatfs Access Faccessat Getcwd Chdir Readlink Getxattr",
	Net:   "Connect Accept Accept4 Recvmsg Select",
	Exec:  "Exec",
	Wait:  "Pause",
}

// system lists what blocks among system calls.
var system = listing{
	"syscall": merged(unixCalls, map[Kind]string{
		Exec: "ForkExec StartProcess",
		Net:  "Sendmsg SendmsgN",
	}),
	"golang.org/x/sys/unix": merged(unixCalls, map[Kind]string{
		Disk: `Openat2 OpenByHandleAt Preadv Preadv2 Pwritev Pwritev2 Readv Writev
			Renameat2 RenamexNp RenameatxNp Linkat Symlinkat CopyFileRange Clonefile Clonefileat Fclonefileat
			IoctlFileClone IoctlFileCloneRange Mkfifoat UtimesNanoAt Lutimes Vmsplice`,
		Fsync: "Msync Syncfs",
		Stat:  "Statx Fstatat Faccessat2 Readlinkat Lgetxattr Statvfs",
		Net:   "RecvmsgBuffers Sendmsg SendmsgN SendmsgBuffers Send Ppoll Pselect",
		Wait:  "Waitid",
		Sleep: "Nanosleep ClockNanosleep",
	}),
	"golang.org/x/sys/windows": {
		Disk: `Open Read Write ReadFile WriteFile CreateFile DeleteFile MoveFile MoveFileEx
			CreateDirectory RemoveDirectory Mkdir Rmdir Unlink Rename FindFirstFile`,
		Fsync: "Fsync FlushFileBuffers FlushViewOfFile",
		Stat:  "GetFileAttributes GetFileAttributesEx Readlink",
		Net: `Connect Accept WSARecv WSARecvFrom WSARecvMsg WSASend WSASendTo WSASendMsg
			ConnectNamedPipe WSALookupServiceBegin`,
		Exec:  "CreateProcess CreateProcessAsUser ShellExecute",
		Wait:  "WaitForMultipleObjects GetQueuedCompletionStatus",
		Sleep: "SleepEx",
	},
	"github.com/gofrs/flock": {
		Flock: "Flock.{Lock,RLock,TryLockContext,TryRLockContext}",
	},
}

// merged returns both lists in one.
func merged(a, b map[Kind]string) map[Kind]string {
	both := make(map[Kind]string)
	for _, list := range []map[Kind]string{a, b} {
		for kind, names := range list {
			both[kind] += " " + names
		}
	}
	return both
}
