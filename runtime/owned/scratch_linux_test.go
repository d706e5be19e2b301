package owned_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/holdfast-go/holdfast/runtime/owned"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// scratchFamilySize is how many processes answer the roll in an image.
const scratchFamilySize = 4

// An image made from scratch has no shell: the program is its own supervisor.
func TestWithoutAShellTheProgramIsItsOwnSupervisor(t *testing.T) {
	program := buildScratch(t)
	for _, tier := range []owned.Tier{owned.Portable, owned.Marks} { // The image has no cgroups.
		control, victim := startScratch(t, program, tier), startScratch(t, program, tier)
		controls, family := control.present(scratchFamilySize), victim.present(scratchFamilySize)
		for _, pid := range victim.supervisors() {
			if name, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid)); filepath.Base(name) != "program" {
				t.Errorf("the supervisor %d is %q", pid, name)
			}
		}
		victim.cmd.Process.Kill()
		victim.cmd.Wait()
		awaitDeath(t, family)
		await(t, "the supervisor to end", func() bool { return len(victim.supervisors()) == 0 })
		mustLive(t, controls)
	}
}

// buildScratch builds the program of an image, which needs no library.
func buildScratch(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("changing the root directory takes root")
	}
	program := filepath.Join(t.TempDir(), "program")
	build := exec.Command("go", "build", "-o", program, "./testdata/scratch")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the program: %v\n%s", err, out)
	}
	return program
}

// A scratch is an owner in an image of its own.
type scratch struct {
	*owner
	root string
}

func startScratch(t *testing.T, program string, tier owned.Tier) scratch {
	t.Helper()
	root := makeImage(t, program)
	s := scratch{&owner{T: t, roll: filepath.Join(root, "roll"), errors: &bytes.Buffer{}}, root}
	s.cmd = exec.Command("/program", "own", itoa(int(tier)))
	s.cmd.Env = []string{"HOLDFAST_LEDGER_DIR=off", "SCRATCH=" + root}
	s.cmd.Dir, s.cmd.Stderr = "/", s.errors
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.cmd.Process.Kill()
		s.cmd.Wait()
		awaitDeath(t, s.called())
		await(t, "the supervisor to end", func() bool { return len(s.supervisors()) == 0 })
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the owner says nothing: %v\n%s", err, s.errors)
	}
	if got := strings.TrimSpace(line); got != tier.String() {
		t.Fatalf("the tier is %s, not %v", got, tier)
	}
	return s
}

// makeImage makes a directory with the program, /proc and /dev/null, which the
// OCI runtime specification has in every container.
func makeImage(t *testing.T, program string) string {
	t.Helper()
	root := t.TempDir()
	text, err := os.ReadFile(program)
	if err == nil {
		err = os.WriteFile(filepath.Join(root, "program"), text, 0o755)
	}
	for _, directory := range []string{"dev", "proc"} {
		if err == nil {
			err = os.Mkdir(filepath.Join(root, directory), 0o755)
		}
	}
	if err == nil {
		err = unix.Mknod(filepath.Join(root, "dev/null"), unix.S_IFCHR|0o666, int(unix.Mkdev(1, 3)))
	}
	if err == nil {
		err = unix.Mount("proc", filepath.Join(root, "proc"), "proc", 0, "")
	}
	if err != nil {
		t.Skip("making an image: ", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(filepath.Join(root, "proc"), unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return root
}

// supervisors returns the living supervisors in the image.
func (s scratch) supervisors() (pids []int) {
	directories, _ := filepath.Glob("/proc/[0-9]*")
	for _, directory := range directories {
		root, _ := os.Readlink(directory + "/root")
		environ, _ := os.ReadFile(directory + "/environ")
		var pid int
		fmt.Sscanf(filepath.Base(directory), "%d", &pid)
		if root == s.root && bytes.Contains(environ, []byte("HOLDFAST_ROLE=supervisor")) {
			if id, err := procid.Of(pid); err == nil && id.State() == procid.Alive {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}
