package lockowner

import (
	"path"
	"strconv"
	"strings"
)

// mountDevice returns the device of the file system that file lies on, after
// the text of /proc/self/mountinfo (proc_pid_mountinfo(5)). It is that of the
// superblock, as in /proc/locks, whatever stat(2) says.
//
// The mount is the one with the longest mount point above it, the last one
// of several on the same point.
func mountDevice(mountinfo, file string) (found device, ok bool) {
	longest := -1
	for line := range strings.Lines(mountinfo) {
		fields := strings.Fields(line)
		if len(fields) < 5 {
			continue
		}
		point := unescapeMount(fields[4])
		if len(point) < longest || !isBelow(file, point) {
			continue
		}
		device, valid := parseMountDevice(fields[2])
		if valid {
			found, ok, longest = device, true, len(point)
		}
	}
	return found, ok
}

func isBelow(file, directory string) bool {
	return file == directory || strings.HasPrefix(file, strings.TrimSuffix(directory, "/")+"/")
}

// parseMountDevice parses "8:1", in decimal.
func parseMountDevice(text string) (device, bool) {
	major, minor, ok := strings.Cut(text, ":")
	m, err1 := strconv.ParseUint(major, 10, 32)
	n, err2 := strconv.ParseUint(minor, 10, 32)
	return device{uint32(m), uint32(n)}, ok && err1 == nil && err2 == nil
}

// unescapeMount undoes the octal escapes of space, tab, newline and backslash.
func unescapeMount(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+3 < len(text) {
			if n, err := strconv.ParseUint(text[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return path.Clean(b.String())
}
