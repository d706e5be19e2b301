package owned

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

// A hold is the job object of one child. It is nested in the owner's.
type hold struct {
	job   windows.Handle
	pid   int
	ended func(released bool)
}

func (h *hold) group() int { return 0 }

func (h *hold) releaseIfEmpty() {}

// leaderReaped is told that the child has been waited for. Its descendants are
// looked for now and then from here on.
func (h *hold) leaderReaped() {
	go func() {
		for delay := time.Millisecond; h.processes() > 0; delay = min(2*delay, 2*time.Second) {
			time.Sleep(delay)
		}
		h.ended(false)
		windows.CloseHandle(h.job)
	}()
}

// signal knows what Windows knows: an end at once, and a Ctrl-Break for console
// programs.
func (h *hold) signal(signal os.Signal) error {
	switch {
	case h.processes() == 0:
		return os.ErrProcessDone
	case signal == os.Kill:
		return windows.TerminateJobObject(h.job, 1)
	case signal == os.Interrupt:
		return windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(h.pid))
	}
	return fmt.Errorf("signal %v: %w", signal, errors.ErrUnsupported)
}

// stop asks with a Ctrl-Break, waits for the grace and ends the job.
func (c *Child) stop(ctx context.Context) error {
	h := c.hold
	h.signal(os.Interrupt) // A program without a console does not get it.
	deadline, cancel := context.WithTimeout(ctx, c.settings.grace)
	defer cancel()
	for h.processes() > 0 && deadline.Err() == nil {
		select {
		case <-deadline.Done():
		case <-time.After(10 * time.Millisecond):
		}
	}
	if err := h.signal(os.Kill); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("ending its job: %w", err)
	}
	return nil
}

// processes returns how many processes the job has.
func (h *hold) processes() int {
	var accounting struct {
		userTime, kernelTime, periodUserTime, periodKernelTime int64

		pageFaults, total, active, terminated uint32
	}
	const basicAccountingInformation = 1 // JobObjectBasicAccountingInformation
	err := windows.QueryInformationJobObject(h.job, basicAccountingInformation,
		uintptr(unsafe.Pointer(&accounting)), uint32(unsafe.Sizeof(accounting)), nil)
	if err != nil {
		return 0
	}
	return int(accounting.active)
}

func newJob(limits uint32) (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, fmt.Errorf("making a job object: %w", err)
	}
	var information windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	information.BasicLimitInformation.LimitFlags = limits
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&information)), uint32(unsafe.Sizeof(information)))
	if err != nil {
		windows.CloseHandle(job)
		return 0, fmt.Errorf("limiting a job object: %w", err)
	}
	return job, nil
}

// resume lets a process run that was created suspended. It has one thread,
// which os/exec does not give, so it is looked up.
func resume(pid uint32) error {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return fmt.Errorf("listing threads: %w", err)
	}
	defer windows.CloseHandle(snapshot)
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(snapshot, &entry); err == nil; err = windows.Thread32Next(snapshot, &entry) {
		if entry.OwnerProcessID == pid {
			return resumeThread(entry.ThreadID)
		}
	}
	return fmt.Errorf("finding the thread of process %d: %w", pid, err)
}

func resumeThread(id uint32) error {
	thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, id)
	if err != nil {
		return fmt.Errorf("opening thread %d: %w", id, err)
	}
	defer windows.CloseHandle(thread)
	if _, err := windows.ResumeThread(thread); err != nil {
		return fmt.Errorf("resuming thread %d: %w", id, err)
	}
	return nil
}

// waitIfChild returns nothing: nobody needs to wait for a process on Windows.
func waitIfChild(procid.Identity) func() error { return nil }
