//go:build unix

package supervise

import (
	"fmt"
	"strings"
	"time"
)

// A Group is a process group that dies with its owner.
type Group struct {
	ID     int
	Member int    // a process of the group
	Start  uint64 // its start time, as in procid.Identity
	Grace  time.Duration
}

// Marks is how descendants are known that left their group.
type Marks struct {
	Cookie string // 32 hexadecimal digits, in their environment
	Locks  uint64 // their soft limit on file locks
}

// maxGrace keeps the grace within the eight digits of the protocol: a day.
const maxGrace = 24 * time.Hour

func milliseconds(grace time.Duration) int64 {
	return max(1, min(grace, maxGrace).Milliseconds())
}

func (g Group) line() string {
	return fmt.Sprintf("own %d %d %s %d\n", g.ID, g.Member, birth(g.Start), milliseconds(g.Grace))
}

func (m Marks) line() string {
	return fmt.Sprintf("mark %s %d\n", m.Cookie, m.Locks)
}

// preamble is what a supervisor is told before any group.
func (c Config) preamble() string {
	var lines strings.Builder
	if c.Marks != (Marks{}) {
		lines.WriteString(c.Marks.line())
	}
	if c.Leaf != "" {
		fmt.Fprintf(&lines, "leaf %s\n", c.Leaf)
	}
	fmt.Fprintf(&lines, "grace %d\n", milliseconds(c.Grace))
	return lines.String()
}
