package ledger

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// The bounds of what is read of one file. An owner keeps its file below some
// hundred kilobytes, so more is no ledger.
const (
	maxFile     = 64 << 20
	maxProblems = 20
)

// contents is what one file holds.
type contents struct {
	book         book
	problems     []string
	unterminated bool // the last line has no end
}

// scan reads all lines. It enters every line that is a whole row, whatever
// stands around it, and reports the others. The error is that of reading.
func scan(r io.Reader) (contents, error) {
	var c contents
	limited := &io.LimitedReader{R: r, N: maxFile}
	lines := bufio.NewReaderSize(limited, maxRow)
	for number := 1; ; number++ {
		line, terminated, err := readLine(lines)
		if len(line) > 0 || terminated || errors.Is(err, errLongLine) {
			c.unterminated = !terminated
		}
		if len(line) > 0 {
			c.enter(number, line, terminated)
		}
		switch {
		case errors.Is(err, errLongLine):
			c.report("line %d is longer than %d bytes", number, maxRow)
		case errors.Is(err, io.EOF):
			if limited.N <= 0 {
				c.report("only the first %d bytes were read", maxFile)
			}
			return c, nil
		case err != nil:
			return c, err
		}
	}
}

func (c *contents) enter(number int, line []byte, terminated bool) {
	e, err := parseRow(line)
	switch {
	case err == nil:
		c.book.enter(e)
	case terminated:
		c.report("line %d: %v", number, err)
	default:
		c.report("line %d is cut off after %d bytes", number, len(line))
	}
}

func (c *contents) report(format string, args ...any) {
	switch len(c.problems) {
	case maxProblems:
	case maxProblems - 1:
		c.problems = append(c.problems, "there are more problems")
	default:
		c.problems = append(c.problems, fmt.Sprintf(format, args...))
	}
}

var errLongLine = errors.New("the line is too long")

// readLine returns the next line without its end, and whether it had one. A
// line that does not fit the reader is skipped to its end.
func readLine(lines *bufio.Reader) (line []byte, terminated bool, err error) {
	line, err = lines.ReadSlice('\n')
	if err == nil {
		return line[:len(line)-1], true, nil
	}
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, false, err
	}
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = lines.ReadSlice('\n')
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, err
	}
	return nil, err == nil, errLongLine
}
