package ledger

import (
	"io"
	"os"
)

// Handle is the open file that holds the lock.
func (l *Ledger) Handle() *os.File { return l.file.handle }

// The bounds that tests go to.
const (
	MinIdle = minIdle
	MaxRow  = maxRow
)

// Scan reads rows as Read does.
func Scan(r io.Reader) (live []Entry, problems []string, err error) {
	c, err := scan(r)
	return c.book.entries(), c.problems, err
}
