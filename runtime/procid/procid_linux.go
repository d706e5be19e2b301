package procid

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/holdfast-go/holdfast/runtime/internal/procfs"
)

// look returns who has the number pid now and how it stands with it.
func look(pid int) (Identity, State, error) {
	if pid <= 0 {
		return Identity{}, CannotTell, os.ErrProcessDone
	}
	here, err := boot()
	if err != nil {
		return Identity{}, CannotTell, err
	}
	stat, err := procfs.ReadStat(pid)
	if errors.Is(err, os.ErrNotExist) {
		return Identity{}, CannotTell, confirmDone(pid, err)
	}
	if err != nil {
		return Identity{}, CannotTell, err
	}
	return Identity{Boot: here, PID: pid, Start: stat.Start}, aliveOrZombie(stat), nil
}

func aliveOrZombie(stat procfs.Stat) State {
	if stat.Dead() {
		return Zombie
	}
	return Alive
}

func all() ([]Info, error) {
	here, err := boot()
	if err != nil {
		return nil, err
	}
	pids, err := procfs.Processes()
	if err != nil {
		return nil, err
	}
	processes := make([]Info, 0, len(pids))
	for _, pid := range pids {
		stat, err := procfs.ReadStat(pid)
		if err != nil {
			continue // It ended meanwhile, or is hidden.
		}
		processes = append(processes, Info{
			Identity: Identity{Boot: here, PID: pid, Start: stat.Start},
			State:    aliveOrZombie(stat),
			Parent:   stat.Parent,
			Group:    stat.Group,
			Session:  stat.Session,
			Name:     stat.Name,
		})
	}
	return processes, nil
}

// confirmDone tells a process that there is not from one that /proc hides: with
// the mount option hidepid=2 other users' processes have no directory.
func confirmDone(pid int, missing error) error {
	if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return fmt.Errorf("the process exists but /proc hides it: %w", missing)
}

// initialNamespace is the name of the PID namespace that the system boots
// with: PROC_PID_INIT_INO in the kernel's include/linux/proc_ns.h.
const initialNamespace = "pid:[4026531836]"

// boot returns the name of this boot and this PID namespace. Both stay the
// same as long as the process lives.
var boot = sync.OnceValues(func() (string, error) {
	if err := checkMount(); err != nil {
		return "", err
	}
	text, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", fmt.Errorf("reading the boot ID: %w", err)
	}
	id, err := parseBootID(string(text))
	if err != nil {
		return "", err
	}
	namespace, err := os.Readlink("/proc/self/ns/pid")
	if err != nil || namespace == initialNamespace {
		return id, nil // A kernel without PID namespaces has only the initial one.
	}
	return id + namespaceSuffix(namespace), nil
})

// checkMount refuses the /proc of another PID namespace, as a program sees it
// that was put into a new namespace without a new /proc: there every number is
// another's.
func checkMount() error {
	self, err := os.Readlink("/proc/self")
	if err != nil {
		return fmt.Errorf("reading /proc: %w", err)
	}
	if self != strconv.Itoa(os.Getpid()) {
		return errors.New("/proc shows another PID namespace")
	}
	return nil
}

// bootIDLength is that of a UUID in text.
const bootIDLength = 36

func parseBootID(text string) (string, error) {
	id := strings.TrimSuffix(text, "\n")
	if len(id) != bootIDLength || validBoot(id) != nil {
		return "", fmt.Errorf("the boot ID %.100q is no UUID", text)
	}
	return id, nil
}

// namespaceSuffix turns "pid:[4026532177]" into "-4026532177".
func namespaceSuffix(namespace string) string {
	return "-" + strings.TrimSuffix(strings.TrimPrefix(namespace, "pid:["), "]")
}

// compareBoots finds identities of another PID namespace of this boot, whose
// numbers mean other processes here, to be unknown.
func compareBoots(other string) bootMatch {
	here, err := boot()
	switch {
	case err != nil:
		return unknownBoot
	case other == here:
		return sameBoot
	case len(other) >= bootIDLength && other[:bootIDLength] == here[:bootIDLength]:
		return unknownBoot
	}
	return otherBoot
}
