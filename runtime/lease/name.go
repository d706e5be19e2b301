package lease

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

// A lease's file is named "lease-SESSION.MODE.BOOT.PID.START" and empty: all
// that there is to say is in a listing of the directory.

// MaxName is the most bytes of a session's name on the disk, where small
// letters, digits, "-" and "_" take one byte and all other bytes three. With
// the identity of a process it makes a file name of at most 255 bytes, which
// is NAME_MAX of all usual file systems.
const MaxName = 144

const prefix = "lease-"

var modeNames = map[Mode]string{Shared: "s", Exclusive: "x"}

func check(session string, mode Mode) error {
	if _, ok := modeNames[mode]; !ok {
		return fmt.Errorf("there is no mode %d", mode)
	}
	if session == "" {
		return errors.New("the session has no name")
	}
	if n := len(escape(session)); n > MaxName {
		return fmt.Errorf("the name of session %.50q takes %d bytes on the disk, more than %d", session, n, MaxName)
	}
	return nil
}

func fileName(l Lease) string {
	id := l.Holder
	return prefix + strings.Join([]string{escape(l.Session), modeNames[l.Mode], id.Boot, strconv.Itoa(id.PID), strconv.FormatUint(id.Start, 10)}, ".")
}

// parseFileName reads what fileName wrote, and nothing else.
func parseFileName(name string) (Lease, bool) {
	rest, ok := strings.CutPrefix(name, prefix)
	fields := strings.Split(rest, ".")
	if !ok || len(fields) != 5 {
		return Lease{}, false
	}
	session, ok := unescape(fields[0])
	if !ok {
		return Lease{}, false
	}
	holder, err := procid.Parse(strings.Join(fields[2:], ":"))
	if err != nil {
		return Lease{}, false
	}
	l := Lease{Session: session, Holder: holder}
	if fields[1] == modeNames[Exclusive] {
		l.Mode = Exclusive
	}
	return l, check(l.Session, l.Mode) == nil && fileName(l) == name
}

// escape writes all but a few bytes as "%2e": capitals too, which some file
// systems do not tell from small letters.
func escape(session string) string {
	var b strings.Builder
	for _, c := range []byte(session) {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_' {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02x", c)
	}
	return b.String()
}

func unescape(name string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if name[i] != '%' {
			b.WriteByte(name[i])
			continue
		}
		if i+2 >= len(name) {
			return "", false
		}
		c, err := strconv.ParseUint(name[i+1:i+3], 16, 8)
		if err != nil {
			return "", false
		}
		b.WriteByte(byte(c))
		i += 2
	}
	return b.String(), true
}
