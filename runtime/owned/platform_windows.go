package owned

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"

	"golang.org/x/sys/windows"
)

// A platform is what an Owner holds its children with: a job object that the
// kernel closes when this process dies, and that takes everything in it along.
type platform struct {
	job windows.Handle
}

func shellCommand(shell string, arguments ...string) func() *exec.Cmd {
	return func() *exec.Cmd { return exec.Command(shell, arguments...) }
}

func hook() {}

func isControlling(*os.File) bool { return false }

func ownsTerminal(*os.File) bool { return false }

func (p *platform) open(*Owner) error {
	job, err := newJob(windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | windows.JOB_OBJECT_LIMIT_BREAKAWAY_OK)
	if err != nil {
		return err
	}
	p.job = job
	return nil
}

// start starts the child suspended, so that it runs nothing, and starts
// nothing, before it is in the jobs.
//
//holdfast:owns it is in a job that ends with this process before it runs
func (p *platform) start(c *Child) error {
	if c.settings.foreground {
		return fmt.Errorf("Foreground: %w", errors.ErrUnsupported)
	}
	attributes := &syscall.SysProcAttr{}
	if c.cmd.SysProcAttr != nil {
		*attributes = *c.cmd.SysProcAttr
	}
	attributes.CreationFlags |= windows.CREATE_SUSPENDED | windows.CREATE_NEW_PROCESS_GROUP
	c.cmd.SysProcAttr = attributes
	inner, err := newJob(windows.JOB_OBJECT_LIMIT_BREAKAWAY_OK)
	if err != nil {
		return err
	}
	if err := c.cmd.Start(); err != nil {
		windows.CloseHandle(inner)
		return err
	}
	if err := p.confine(c, inner); err != nil {
		c.cmd.Process.Kill()
		c.cmd.Wait()
		windows.CloseHandle(inner)
		return err
	}
	c.hold = &hold{job: inner, pid: c.PID(), ended: c.ended}
	c.owner.add(c)
	c.identified(identify(c.PID()))
	return nil
}

// confine puts the suspended child into the job of the owner and into one of
// its own within that, and lets it run.
func (p *platform) confine(c *Child, inner windows.Handle) error {
	var result error
	err := c.cmd.Process.WithHandle(func(process uintptr) {
		for _, job := range []windows.Handle{p.job, inner} {
			if result = windows.AssignProcessToJobObject(job, windows.Handle(process)); result != nil {
				result = fmt.Errorf("putting the child into a job: %w", result)
				return
			}
		}
		result = resume(uint32(c.PID()))
	})
	return errors.Join(err, result)
}

func (p *platform) own(_ *Owner, groups []int) error {
	return fmt.Errorf("owning process groups %v: there are none on Windows: %w", groups, errors.ErrUnsupported)
}

func (p *platform) disown(int) {}

func (p *platform) findAdopted(int) *hold { return nil }

// close ends the children, what is left of them, and the job.
func (p *platform) close(ctx context.Context, children []*Child) error {
	errs := make([]error, len(children))
	var stops sync.WaitGroup
	for i, c := range children {
		stops.Go(func() { errs[i] = c.Stop(ctx) })
	}
	stops.Wait()
	return errors.Join(append(errs, windows.CloseHandle(p.job))...)
}

func (o *Owner) supervisorPID() (int, error) { return 0, nil }

func (o *Owner) tier() (Tier, []string) { return Job, nil }

func (o *Owner) handoff([]string) ([]string, func(), error) {
	return nil, nil, fmt.Errorf("Windows has no exec: %w", errors.ErrUnsupported)
}

// Signal ends the process if the signal is os.Kill. Windows has no others.
func (k *Kept) Signal(signal os.Signal) error {
	if signal != os.Kill {
		return fmt.Errorf("signalling %s: %w", k.Name(), errors.ErrUnsupported)
	}
	process, err := os.FindProcess(k.PID())
	if err != nil {
		return os.ErrProcessDone
	}
	defer process.Release()
	if now := identify(k.PID()); now != k.entry.Process {
		return os.ErrProcessDone
	}
	return process.Kill()
}

func (k *Kept) stop(context.Context) error {
	if err := k.Signal(os.Kill); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}

// startKept starts cmd outside of the job, which holds only what is put into it.
//
//holdfast:owns the ledger notes who it is and why it is kept, and Recover finds it
func startKept(cmd *exec.Cmd) error {
	attributes := &syscall.SysProcAttr{}
	if cmd.SysProcAttr != nil {
		*attributes = *cmd.SysProcAttr
	}
	attributes.CreationFlags |= windows.CREATE_NEW_PROCESS_GROUP
	cmd.SysProcAttr = attributes
	return cmd.Start()
}
