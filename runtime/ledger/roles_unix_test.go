//go:build unix

package ledger_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

func init() {
	roles["leave the lock to a child"] = leaveLock
	roles["replace yourself"] = replaceYourself
	roles["run out of room"] = runOutOfRoom
}

// leaveLock starts a child that has the ledger's open file, as a fork has.
func leaveLock(l *ledger.Ledger, _ []string) {
	child := exec.Command("sleep", "600")
	child.ExtraFiles = []*os.File{l.Handle()}
	check(child.Start())
	id, err := procid.Of(child.Process.Pid)
	check(err)
	check(l.Append(ledger.Entry{Event: ledger.EventStart, Process: id}))
	fmt.Println("ready")
	waitForEnd()
}

// replaceYourself notes three children, the second and the third of which it
// notes, and ends, in the program that it has become.
func replaceYourself(l *ledger.Ledger, args []string) {
	if len(args) == 0 {
		check(l.Append(ledger.Entry{Event: ledger.EventStart, Process: imaginary(1)}))
		check(l.Append(ledger.Entry{Event: ledger.EventStart, Process: imaginary(3)}))
		check(syscall.Exec(os.Args[0], []string{os.Args[0], "again"}, os.Environ()))
	}
	check(l.Append(ledger.Entry{Event: ledger.EventStart, Process: imaginary(2)}))
	check(l.Append(ledger.Entry{Event: ledger.EventExit, Process: imaginary(3)}))
	fmt.Println("ready")
	waitForEnd()
}

// runOutOfRoom notes four children, and has room for a half of the second and
// none of the third until the fourth comes.
func runOutOfRoom(l *ledger.Ledger, _ []string) {
	note := func(n int) error {
		return l.Append(ledger.Entry{Event: ledger.EventStart, Process: imaginary(n), Name: strconv.Itoa(n)})
	}
	check(note(0))
	signal.Ignore(syscall.SIGXFSZ)
	var room syscall.Rlimit
	check(syscall.Getrlimit(syscall.RLIMIT_FSIZE, &room))
	info, err := l.Handle().Stat()
	check(err)
	little := room
	setRoom(&little.Cur, info.Size()+50)
	check(syscall.Setrlimit(syscall.RLIMIT_FSIZE, &little))
	for n := 1; n <= 2; n++ {
		if err := note(n); !errors.Is(err, syscall.EFBIG) {
			check(fmt.Errorf("row %d without room: %v", n, err))
		}
	}
	check(syscall.Setrlimit(syscall.RLIMIT_FSIZE, &room))
	check(note(3))
	fmt.Println("ready")
	waitForEnd()
}

// setRoom sets a limit, the type of which depends on the system.
func setRoom[T int64 | uint64](limit *T, size int64) {
	*limit = T(size)
}
