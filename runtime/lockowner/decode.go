package lockowner

import (
	"fmt"
	"strings"
)

// The files beside a database, https://sqlite.org/walformat.html.
const (
	walSuffix = "-wal"
	shmSuffix = "-shm"
)

// A lockByte is one byte, or a range of them, that means something to SQLite.
type lockByte struct {
	first, last int64
	name        string
}

// mainLocks are the locks of the database file: PENDING_BYTE, RESERVED_BYTE
// and the 510 bytes from SHARED_FIRST in os.h of SQLite. They lie at 1 GiB,
// where no page is stored.
var mainLocks = []lockByte{
	{0x40000000, 0x40000000, "PENDING"},
	{0x40000001, 0x40000001, "RESERVED"},
	{0x40000002, 0x40000002 + 510 - 1, "SHARED range (exclusive)"},
}

// shmLocks are the locks of the -shm file: UNIX_SHM_BASE and UNIX_SHM_DMS in
// os_unix.c and WAL_WRITE_LOCK and what follows it in wal.c of SQLite. The base
// is (22+8)*4 = 120, right behind the index header.
var shmLocks = []lockByte{
	{120, 120, "WAL write"},
	{121, 121, "WAL checkpoint"},
	{122, 122, "WAL recover"},
	{123, 123, "WAL read slot 0"},
	{124, 124, "WAL read slot 1"},
	{125, 125, "WAL read slot 2"},
	{126, 126, "WAL read slot 3"},
	{127, 127, "WAL read slot 4"},
	{128, 128, "WAL dead-man switch"},
}

// lockNames returns what a lock on the bytes from start to end of the file
// means. The kernel joins neighbouring locks of one process, so it can be
// several; a range that is not SQLite's is given as it is.
func lockNames(file string, start, end int64) []string {
	known := mainLocks
	switch {
	case strings.HasSuffix(file, shmSuffix):
		known = shmLocks
	case strings.HasSuffix(file, walSuffix):
		known = nil // SQLite locks no byte of it.
	}
	var names []string
	for _, lock := range known {
		if start <= lock.last && end >= lock.first {
			names = append(names, lock.name)
		}
	}
	if len(names) == 0 || start < known[0].first || end > known[len(known)-1].last {
		names = append(names, rangeName(start, end))
	}
	return names
}

func rangeName(start, end int64) string {
	switch end {
	case start:
		return fmt.Sprintf("byte %d", start)
	case EndOfFile:
		return fmt.Sprintf("bytes from %d", start)
	}
	return fmt.Sprintf("bytes %d-%d", start, end)
}
