package schedule

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
)

const (
	prefix = "session-" // also keeps names such as NUL from being a device
	suffix = ".json"
)

// path returns the file of a session. Different sessions have different files,
// also where case does not count in file names.
func (f *Files) path(session string) string {
	return filepath.Join(f.dir, prefix+escape(session)+suffix)
}

func escape(session string) string {
	var b strings.Builder
	for _, c := range []byte(session) {
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '-', c == '_':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02x", c)
		}
	}
	if b.Len() > longestName {
		sum := sha256.Sum256([]byte(session))
		return "~" + hex.EncodeToString(sum[:]) // escape makes no ~
	}
	return b.String()
}
