package lockowner

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// passes is how often /proc/locks is read. The kernel hands it out in pages
// of about 4 KiB and counts its way to the next one, so that a lock released
// elsewhere in between can make it skip one that is held.
const passes = 3

// maxLocks bounds one read of /proc/locks: 64 MiB are a million locks.
const maxLocks = 64 << 20

// A target is a file whose locks are looked for.
type target struct {
	path   string
	device device // of stat(2)
	mount  device // of the superblock, as in /proc/locks; often the same
	inode  uint64
}

func find(ctx context.Context, path string) (Report, error) {
	database, files, err := databaseFiles(path)
	if err != nil {
		return Report{}, err
	}
	targets, err := identify(files)
	if err != nil {
		return Report{}, err
	}
	rows, err := readRows(ctx, readLocks)
	if err != nil {
		return Report{}, err
	}
	report := Report{Database: database}
	for _, row := range rows {
		for _, target := range targets {
			if holder, ok := target.holder(row); ok {
				report.Holders = append(report.Holders, holder)
			}
		}
	}
	slices.SortStableFunc(report.Holders, func(a, b Holder) int {
		return cmp.Or(cmp.Compare(a.PID, b.PID), strings.Compare(a.File, b.File), cmp.Compare(a.Start, b.Start))
	})
	return report, nil
}

// identify looks the files up. One that vanishes meanwhile is left out: the
// last to close a database in WAL mode removes the files beside it.
func identify(files []string) ([]target, error) {
	mountinfo, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, fmt.Errorf("reading the mounts: %w", err)
	}
	var targets []target
	for _, file := range files {
		var stat syscall.Stat_t
		if err := syscall.Stat(file, &stat); err != nil {
			continue
		}
		t := target{path: file, device: deviceOf(stat), inode: stat.Ino}
		mount, ok := mountDevice(string(mountinfo), file)
		if !ok {
			mount = t.device
		}
		t.mount = mount
		targets = append(targets, t)
	}
	return targets, nil
}

func deviceOf(stat syscall.Stat_t) device {
	return device{unix.Major(stat.Dev), unix.Minor(stat.Dev)}
}

func readLocks() (string, error) {
	return readBounded("/proc/locks", maxLocks)
}

// readRows returns the union of what all passes of read saw.
func readRows(ctx context.Context, read func() (string, error)) ([]row, error) {
	var rows []row
	seen := make(map[row]bool)
	for range passes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, err := read()
		if err != nil {
			return nil, fmt.Errorf("reading the locks: %w", err)
		}
		for line := range strings.Lines(text) {
			if row, ok := parseRow(line); ok && !seen[row] {
				seen[row] = true
				rows = append(rows, row)
			}
		}
	}
	return rows, nil
}

func readBounded(path string, limit int64) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, limit))
	return string(text), err
}

// holder returns who holds the lock of the row, if it is one on the target.
func (t target) holder(r row) (Holder, bool) {
	if r.inode != t.inode || r.device != t.device && r.device != t.mount {
		return Holder{}, false
	}
	certainty := proven
	if r.device != t.device {
		certainty = t.lookInto(r)
	}
	if certainty == refuted {
		return Holder{}, false
	}
	return Holder{
		PID:       r.pid,
		Self:      r.pid == os.Getpid(),
		Candidate: certainty == open,
		Command:   commandOf(r.pid),
		File:      t.path,
		Locks:     lockNames(t.path, r.start, r.end),
		Start:     r.start,
		End:       r.end,
	}, true
}

// A certainty says whether a lock is known to be one on the target.
type certainty int

const (
	open certainty = iota
	proven
	refuted
)

// lookInto decides whether the row's process has its lock on the target, where
// device and inode leave it open: the subvolumes of btrfs share a superblock
// and count their inodes each for themselves. A descriptor that is the target
// to stat(2), and has the lock to the kernel, settles it.
func (t target) lookInto(r row) certainty {
	process := "/proc/" + strconv.Itoa(r.pid)
	descriptors, err := os.ReadDir(process + "/fd")
	if err != nil {
		return open
	}
	for _, descriptor := range descriptors {
		var stat syscall.Stat_t
		err := syscall.Stat(process+"/fd/"+descriptor.Name(), &stat) // follows the link without opening
		if err != nil || stat.Ino != t.inode || deviceOf(stat) != t.device {
			continue
		}
		info, err := os.ReadFile(process + "/fdinfo/" + descriptor.Name())
		if err != nil {
			return open
		}
		if hasLock(string(info), r) {
			return proven
		}
	}
	return refuted
}

// hasLock reports whether the text of /proc/PID/fdinfo/N has a line of the row.
func hasLock(info string, r row) bool {
	for line := range strings.Lines(info) {
		lock, ok := strings.CutPrefix(line, "lock:")
		if !ok {
			continue
		}
		if found, ok := parseRow(lock); ok && found == r {
			return true
		}
	}
	return false
}

// commandOf returns the command line of a process, or "".
func commandOf(pid int) string {
	if pid == 0 {
		return ""
	}
	text, err := readBounded("/proc/"+strconv.Itoa(pid)+"/cmdline", 2*maxCommand)
	if err != nil || text == "" {
		return ""
	}
	return commandLine(strings.Split(strings.TrimSuffix(text, "\x00"), "\x00"))
}
