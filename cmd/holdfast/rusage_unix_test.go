//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// maxRSS returns the memory, in bytes, of the largest among a process and its
// children.
func maxRSS(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" { // getrusage(2): bytes there, kilobytes elsewhere
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10
}
