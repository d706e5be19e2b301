// Package procfs reads what Linux says of processes under /proc. Its parsers
// build everywhere and never trust what they read: a process names itself.
package procfs

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
)

// Stat is what /proc/PID/stat says of a process, as far as ownership goes.
type Stat struct {
	PID     int
	Name    string // at most 15 bytes, chosen by the process
	State   byte   // one letter: R, S, D, T, t, Z, X, I, ...
	Parent  int    // 0 if the parent is outside this PID namespace
	Group   int    // process group
	Session int
	Threads int    // counts a dead leader as long as it is not reaped
	Start   uint64 // clock ticks (1/100 s) after the boot
}

// Dead reports whether nothing of the process runs any more: it is a zombie
// that waits for its parent. A leader that ended before its other threads is
// shown as a zombie too, but the process lives on.
func (s Stat) Dead() bool {
	switch s.State {
	case 'Z':
		return s.Threads <= 1
	case 'X', 'x':
		return true
	}
	return false
}

// ReadStat reads /proc/pid/stat. It returns an error that wraps
// os.ErrNotExist if there is no such process, or none that this user may see.
func ReadStat(pid int) (Stat, error) {
	var buffer [longestStat]byte
	text, err := readInto(buffer[:], "/proc/"+strconv.Itoa(pid)+"/stat")
	if err != nil {
		return Stat{}, err
	}
	return ParseStat(text)
}

// longestStat holds the 52 fields of proc_pid_stat(5) at 20 digits each and the
// name, which is 63 bytes at most even in a kernel thread. A longer line of a
// later kernel is cut far behind the fields that are read.
const longestStat = 2048

// The places of the fields of proc_pid_stat(5) after the name in parentheses,
// counted from the state, which is field 3 there.
const (
	first        = 3
	fieldState   = 0
	fieldParent  = 4 - first
	fieldGroup   = 5 - first
	fieldSession = 6 - first
	fieldThreads = 20 - first
	fieldStart   = 22 - first
)

var errStat = errors.New("not a line of /proc/PID/stat")

// ParseStat parses the one line of /proc/PID/stat. The name in it may hold
// spaces, parentheses and line ends, so it reaches to the last parenthesis.
func ParseStat(text []byte) (Stat, error) {
	opening, closing := bytes.IndexByte(text, '('), bytes.LastIndexByte(text, ')')
	if opening < 1 || closing < opening {
		return Stat{}, errStat
	}
	fields := bytes.Fields(text[closing+1:])
	if len(fields) <= fieldStart || len(fields[fieldState]) != 1 {
		return Stat{}, errStat
	}
	numbers := numberParser{}
	s := Stat{
		PID:     numbers.parse(bytes.TrimSpace(text[:opening])),
		Name:    string(text[opening+1 : closing]),
		State:   fields[fieldState][0],
		Parent:  numbers.parse(fields[fieldParent]),
		Group:   numbers.parse(fields[fieldGroup]),
		Session: numbers.parse(fields[fieldSession]),
		Threads: numbers.parse(fields[fieldThreads]),
	}
	start, err := strconv.ParseUint(string(fields[fieldStart]), 10, 64)
	if err != nil || numbers.bad || s.PID < 1 {
		return Stat{}, errStat
	}
	s.Start = start
	return s, nil
}

// A numberParser parses numbers that may not be negative and remembers whether
// one was bad. The kernel's PIDs and counts of threads fit 32 bits.
type numberParser struct{ bad bool }

func (p *numberParser) parse(text []byte) int {
	n, err := strconv.ParseUint(string(text), 10, 31)
	if err != nil {
		p.bad = true
	}
	return int(n)
}

// Processes returns the PIDs of all processes that this user may see, in the
// order of /proc, which is ascending.
func Processes() ([]int, error) {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil, fmt.Errorf("listing processes: %w", err)
	}
	defer proc.Close()
	names, err := proc.Readdirnames(-1)
	if err != nil {
		return nil, fmt.Errorf("listing processes: %w", err)
	}
	var pids []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil && pid > 0 {
			pids = append(pids, pid)
		}
	}
	return pids, nil
}
