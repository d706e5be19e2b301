package lockowner

import (
	"strconv"
	"strings"
)

// A device is the number of a file system's device.
type device struct{ major, minor uint32 }

// A row is a write lock of POSIX kind in /proc/locks.
type row struct {
	pid        int // 0 for an OFD lock
	device     device
	inode      uint64
	start, end int64
}

// parseRow parses a line of /proc/locks (proc_locks(5)):
//
//	1: POSIX  ADVISORY  WRITE 4242 08:01:131 1073741825 1073741825
//	2: -> POSIX  ADVISORY  WRITE 4243 08:01:131 1073741825 1073741825
//
// It takes write locks only, of the kinds that SQLite's locks conflict with.
// One that waits ("->") holds nothing. The device is in hexadecimal, the inode
// in decimal, and "<none>:0" stands for a file that is gone.
func parseRow(line string) (row, bool) {
	fields := strings.Fields(line)
	if len(fields) != 8 || fields[2] != "ADVISORY" || fields[3] != "WRITE" {
		return row{}, false
	}
	pid, ok := parseOwner(fields[1], fields[4])
	if !ok {
		return row{}, false
	}
	device, inode, ok := parseFile(fields[5])
	if !ok {
		return row{}, false
	}
	start, ok := parseOffset(fields[6])
	if !ok {
		return row{}, false
	}
	end := int64(EndOfFile)
	if fields[7] != "EOF" {
		if end, ok = parseOffset(fields[7]); !ok || end < start {
			return row{}, false
		}
	}
	return row{pid, device, inode, start, end}, true
}

// parseOwner returns the PID of a lock of the kind. The kernel gives -1 for an
// OFD lock, and 0 or less for what another PID namespace or machine holds.
func parseOwner(kind, text string) (pid int, ok bool) {
	switch kind {
	case "OFDLCK":
		return 0, true
	case "POSIX":
		n, err := strconv.ParseUint(text, 10, 31)
		return int(n), err == nil && n > 0
	}
	return 0, false // FLOCK, LEASE, DELEG and ACCESS do not conflict with SQLite's.
}

func parseFile(text string) (device, uint64, bool) {
	parts := strings.Split(text, ":")
	if len(parts) != 3 {
		return device{}, 0, false
	}
	major, err1 := strconv.ParseUint(parts[0], 16, 32)
	minor, err2 := strconv.ParseUint(parts[1], 16, 32)
	inode, err3 := strconv.ParseUint(parts[2], 10, 64)
	if err1 != nil || err2 != nil || err3 != nil {
		return device{}, 0, false
	}
	return device{uint32(major), uint32(minor)}, inode, true
}

func parseOffset(text string) (int64, bool) {
	n, err := strconv.ParseUint(text, 10, 63)
	return int64(n), err == nil
}
