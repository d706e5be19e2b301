package machine

import (
	"bufio"
	"encoding/hex"
	"errors"
	"io"
	"net/netip"
	"strconv"
	"strings"
)

// stateListen is TCP_LISTEN of the kernel's include/net/tcp_states.h.
const stateListen = "0A"

// parseListeners reads the lines of /proc/net/tcp or tcp6 and returns the
// listening sockets by their inode. Lines that are none are passed over.
func parseListeners(r io.Reader) (map[uint64]*listener, error) {
	found := map[uint64]*listener{}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) < 10 || fields[3] != stateListen {
			continue
		}
		port, err := parsePort(fields[1])
		inode, inodeErr := strconv.ParseUint(fields[9], 10, 64)
		if err == nil && inodeErr == nil && inode != 0 {
			found[inode] = &listener{port: port}
		}
	}
	return found, lines.Err()
}

// parsePort reads "0100007F:1F90": an address in 32-bit words, each in the
// byte order of the machine, which is taken for little-endian, and a port.
func parsePort(text string) (Port, error) {
	addressText, portText, _ := strings.Cut(text, ":")
	address, err := hex.DecodeString(addressText)
	if err != nil || len(address) != 4 && len(address) != 16 {
		return Port{}, errors.New("no address: " + text)
	}
	for i := 0; i < len(address); i += 4 {
		address[i], address[i+1], address[i+2], address[i+3] = address[i+3], address[i+2], address[i+1], address[i]
	}
	port, err := strconv.ParseUint(portText, 16, 16)
	if err != nil {
		return Port{}, errors.New("no port: " + text)
	}
	ip, _ := netip.AddrFromSlice(address)
	return netip.AddrPortFrom(ip.Unmap(), uint16(port)), nil
}

// parseSocket reads "socket:[12345]", where a file descriptor leads to.
func parseSocket(link string) (inode uint64, ok bool) {
	number, ok := strings.CutPrefix(link, "socket:[")
	if !ok {
		return 0, false
	}
	inode, err := strconv.ParseUint(strings.TrimSuffix(number, "]"), 10, 64)
	return inode, err == nil
}
