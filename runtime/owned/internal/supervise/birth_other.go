//go:build unix && !linux

package supervise

import (
	"strings"
	"time"
)

// birth is the start time as ps -o lstart prints it under TZ=UTC0 LC_ALL=C,
// its words joined by underscores.
func birth(start uint64) string {
	words := strings.Fields(time.UnixMicro(int64(start)).UTC().Format(time.ANSIC))
	return strings.Join(words, "_")
}
