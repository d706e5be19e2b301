package owned

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/holdfast-go/holdfast/runtime/owned/internal/census"
)

// monitorVariable holds the process ID of the monitor, for its child.
const monitorVariable = "HOLDFAST_MONITOR"

var monitored atomic.Bool

func underMonitor() bool { return monitored.Load() }

func strict() error {
	if os.Getenv(monitorVariable) == strconv.Itoa(os.Getppid()) {
		os.Unsetenv(monitorVariable)
		monitored.Store(true)
		return nil
	}
	// The kernel ends the program when the thread ends that started it, so the
	// monitor stays on this one.
	runtime.LockOSThread()
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("owned: adopting orphans: %w", err)
	}
	caught := make(chan os.Signal, 16)
	signal.Notify(caught, handedOn()...)
	program, err := startProgram()
	if err != nil {
		return fmt.Errorf("owned: starting the program under its monitor: %w", err)
	}
	go handOn(caught, program)
	code := reapUntil(program)
	endDescendants()
	os.Exit(code)
	return nil
}

// handedOn returns the signals that the monitor does not ignore.
func handedOn() (signals []os.Signal) {
	for _, number := range []syscall.Signal{
		syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2,
	} {
		if !signal.Ignored(number) {
			signals = append(signals, number)
		}
	}
	return signals
}

// startProgram starts this program again, in this process's group, so that a
// terminal's signals reach it as they would without a monitor.
func startProgram() (int, error) {
	return syscall.ForkExec("/proc/self/exe", os.Args, &syscall.ProcAttr{
		Env:   append(os.Environ(), monitorVariable+"="+strconv.Itoa(os.Getpid())),
		Files: []uintptr{0, 1, 2},
		Sys:   &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL},
	})
}

// handOn leaves out what a terminal has sent to the program already.
func handOn(caught <-chan os.Signal, program int) {
	for number := range caught {
		fromTerminal := number == syscall.SIGINT || number == syscall.SIGQUIT
		if fromTerminal && CanForeground(os.Stdin) {
			continue
		}
		syscall.Kill(program, number.(syscall.Signal)) // It is not reaped before its end is handled.
	}
}

// reapUntil reaps orphans until the program has ended, and returns its exit
// code.
func reapUntil(program int) int {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR), err == nil && pid != program:
		case err != nil:
			return 1
		case status.Signaled():
			return 128 + int(status.Signal())
		default:
			return status.ExitStatus()
		}
	}
}

// endDescendants lets supervisors do their work and ends what is left then.
func endDescendants() {
	go func() {
		for {
			syscall.Wait4(-1, nil, 0, nil)
			time.Sleep(time.Millisecond)
		}
	}()
	for start := time.Now(); census.HasSupervisor(os.Getpid()) && time.Since(start) < time.Minute; {
		time.Sleep(5 * time.Millisecond)
	}
	run(census.Ending{Claim: census.Claim{Root: os.Getpid()}, Grace: DefaultGrace})
}
