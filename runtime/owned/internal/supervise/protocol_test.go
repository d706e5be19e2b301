//go:build unix

package supervise

import (
	"bufio"

	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Each line would end a bystander if it were acted on: %g is its group, %b its
// birth.
var refused = map[string]string{
	"unknown verb":            "register %g %g %b 1000\n",
	"verb in capitals":        "OWN %g %g %b 1000\n",
	"no grace":                "own %g %g %b\n",
	"a word too many":         "own %g %g %b 1000 1\n",
	"grace with a letter":     "own %g %g %b 1s\n",
	"grace of nine digits":    "own %g %g %b 100000000\n",
	"grace zero":              "own %g %g %b 0\n",
	"negative group":          "own -%g %g %b 1000\n",
	"group with leading zero": "own 0%g %g %b 1000\n",
	"group of ten digits":     "own 1234567890 %g %b 1000\n",
	"signed member":           "own %g +%g %b 1000\n",
	"birth with a quote":      "own %g %g '%b' 1000\n",
	"command in the group":    "own %g;kill %g %b 1000\n",
	"command in the birth":    "own %g %g $(kill${IFS}-9${IFS}%g) 1000\n",
	"carriage return":         "own %g %g %b 1000\r\n",
	"several on one line":     "own own %g %g %b 1000\n",
	"over-long":               "own %g %g %b 1000" + strings.Repeat(" ", 255) + "\n",
	"over-long at its end":    strings.Repeat("x", 300) + "own %g %g %b 1000\n",
}

const exact = "own %g %g %b 1000\n"

func (r *run) fill(line string, c *child) string {
	return strings.NewReplacer("%g", strconv.Itoa(c.id.PID), "%b", r.born(c)).Replace(line)
}

func TestLinesThatAreNotExactAreNotActedOn(t *testing.T) {
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		r := startRun(t, command)
		owned := r.start("sleep", "620")
		r.own(owned, long)
		bystanders := map[string]*child{}
		for name, line := range refused {
			bystanders[name] = r.start("sleep", "621")
			r.say("%s", r.fill(line, bystanders[name]))
		}
		notEnded := r.start("sleep", "622")
		r.say("%s", strings.TrimSuffix(r.fill(exact, notEnded), "\n"))
		r.end()
		r.mustBeDead(owned)
		r.mustLive(notEnded)
		for name, bystander := range bystanders {
			if !bystander.alive() {
				t.Errorf("%s: acted on", name)
			}
		}
	})
}

func TestAnExactLineAfterABadOneIsActedOn(t *testing.T) {
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		r := startRun(t, command)
		r.say("%s\n\n \n%s", strings.Repeat("y", 5000), "own 5\n")
		owned := r.start("sleep", "622")
		r.own(owned, long)
		r.end()
		r.mustBeDead(owned)
	})
}

func TestTheGroupsOfTheOwnerAndTheSupervisorAreRefused(t *testing.T) {
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		var ownersGroup *child
		r := startRun(t, func() *exec.Cmd {
			cmd := command()
			before := &run{T: t}
			ownersGroup = before.start("sleep", "623")
			cmd.Env = append(cmd.Env, "OWNER_GROUP="+strconv.Itoa(ownersGroup.id.PID))
			return cmd
		})
		supervisor := &child{Cmd: r.cmd}
		supervisor.id.PID = r.cmd.Process.Pid
		if r.proc {
			supervisor.id = identity(t, r.cmd.Process.Pid)
		}
		r.own(ownersGroup, 100*time.Millisecond)
		r.own(supervisor, 100*time.Millisecond)
		r.say("own 1 1 1 100\nown 0 1 1 100\n")
		r.end() // With code 0, so nobody killed it.
		r.mustLive(ownersGroup)
	})
}

func TestASupervisorInItsOwnersGroupRefusesToRun(t *testing.T) {
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		cmd := command()
		if !usesProc(cmd) {
			t.Skip("needs /proc")
		}
		cmd.Env = append(cmd.Env, "OWNER_GROUP="+strconv.Itoa(syscall.Getpgrp()), "PATH="+searchPath)
		err := cmd.Run()
		if cmd.ProcessState.ExitCode() != 2 {
			t.Errorf("it ended with %v", err)
		}
	})
}

// FuzzProtocol sends arbitrary lines after one that owns a child, and compares
// what becomes of the child with what the Go reading of the protocol says.
func FuzzProtocol(f *testing.F) {
	f.Add("dash", "drop %g\n")
	f.Add("busybox", "quit\n")
	f.Add("dash", "quit")
	f.Add("busybox", "drop %g \nown %g %g %b 1000\n")
	f.Add("dash", "drop  %g\n\tdrop\t%g\n")
	f.Add("busybox", "drop %g;\ndrop %g\\\n")
	f.Add("dash", strings.Repeat("z", 256)+"\ndrop %g")
	f.Add("busybox", strings.Repeat(" ", 245)+"drop %g\n")
	f.Add("dash", "own %g %g 1 1\nown %g 1 %b 1\n$(exit)\n`exit`\n*\n")
	f.Add("dash", "own %g 1 b 1\n\n")
	f.Add("busybox", "own %g %g %b 99999999\nown 1 1 1 1\n\xff\xfe\ngrace 1\n")
	f.Fuzz(func(t *testing.T, shell, lines string) {
		arguments := map[string][]string{"dash": {}, "busybox": {"sh"}}[shell]
		path, err := exec.LookPath(shell)
		if arguments == nil || err != nil || len(lines) > 4096 {
			t.Skip("not one of the shells, not here, or too much")
		}
		// A mark or a cgroup would reach processes that are not the test's,
		// and a shell drops NUL.
		lines = strings.NewReplacer("mark", "murk", "leaf", "loaf", "\x00", "").Replace(lines)
		r := startRun(t, Shell(path, arguments...))
		bystander := r.start("sleep", "624")
		owned := r.start("sleep", "625")
		r.own(owned, long)
		lines = r.fill(lines, owned)
		if r.say("%s", lines); expectOwned(owned, lines) {
			r.end()
			r.mustBeDead(owned)
		} else {
			r.end()
			r.mustLive(owned)
		}
		r.mustLive(bystander)
	})
}

// expectOwned is what the lines leave owned according to the twin.
func expectOwned(c *child, lines string) bool {
	s := server{ownerGroup: syscall.Getpgrp(), ownGroup: -1, groups: map[int]Group{}}
	id := c.id.PID
	s.groups[id] = Group{ID: id, Member: id, Start: c.id.Start}
	quit := s.listen(bufio.NewReaderSize(strings.NewReader(lines), lineLimit+1))
	group, owned := s.groups[id]
	return owned && !quit && group.Member == id && group.Start == c.id.Start
}
