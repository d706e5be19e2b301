package campaign

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"github.com/holdfast-go/holdfast/runtime/owned"
)

// An order is what an owner does before it dies.
type order struct {
	Plain    bool       // start the children with os/exec and Setpgid, and own nothing
	Tier     owned.Tier // otherwise the highest tier to use
	Strict   bool       // run under a monitor
	Grace    time.Duration
	Ledger   string // directory; the usual one if empty
	Commands []command
	Burst    bool // go on starting the commands, in turn, until the end

	Threads   int // have so many, each asleep in the kernel
	Megabytes int // hold so many
}

// A command is a child to start.
type command struct {
	Args  []string
	Env   []string // beside that of the owner
	Stdin bool     // give it a pipe that ends with the owner
	Say   string   // written to that pipe
}

// A player is an owner at work.
type player struct {
	order
	owner  *owned.Owner
	groups []int       // of plain children
	pipes  []io.Closer // are held, or the collector would close them
	memory []byte
}

func play(o order) {
	p := &player{order: o, owner: owned.New(owned.AtMost(o.Tier), owned.OwnerGrace(o.Grace), owned.LedgerDir(o.Ledger))}
	p.grow()
	for _, c := range o.Commands {
		p.start(c)
	}
	report := owned.Report{}
	if !o.Plain {
		report = p.owner.Containment()
	}
	fmt.Println("ready", report.Tier, report.Supervisor, os.Getpid())
	if o.Burst {
		go func() {
			for {
				for _, c := range o.Commands {
					p.start(c)
				}
			}
		}()
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		switch lines.Text() {
		case "exit":
			p.exit()
		case "panic":
			go panic("as told") // Nobody's deferred calls run.
		}
	}
	p.exit()
}

// exit ends the owner as a program does that cleans up: what was started with
// os/exec is asked to end. Owned children need no clean-up.
func (p *player) exit() {
	for _, group := range p.groups {
		syscall.Kill(-group, syscall.SIGTERM)
	}
	os.Exit(0)
}

func (p *player) start(c command) {
	cmd := exec.Command(c.Args[0], c.Args[1:]...)
	cmd.Env = append(os.Environ(), c.Env...)
	if c.Stdin {
		pipe, err := cmd.StdinPipe()
		must(err)
		p.pipes = append(p.pipes, pipe)
		defer io.WriteString(pipe, c.Say)
	}
	if !p.Plain {
		child, err := p.owner.Start(cmd)
		must(err)
		go child.Wait()
		return
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	must(cmd.Start())
	p.groups = append(p.groups, cmd.Process.Pid)
	go cmd.Wait()
}

// grow makes the owner as large as it was told, so that it takes the kernel
// some time to take it down.
func (p *player) grow() {
	p.memory = make([]byte, p.Megabytes<<20)
	for i := 0; i < len(p.memory); i += os.Getpagesize() {
		p.memory[i] = 1
	}
	asleep := make(chan struct{})
	for range p.Threads {
		go func() {
			runtime.LockOSThread()
			asleep <- struct{}{}
			for {
				syscall.Select(0, nil, nil, nil, &syscall.Timeval{Sec: 1000})
			}
		}()
	}
	for range p.Threads {
		<-asleep
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
