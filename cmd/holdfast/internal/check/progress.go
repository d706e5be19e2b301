package check

import (
	"fmt"
	"io"
	"os"
	"time"
)

// progress shows on a terminal, and nowhere else, that something is being done.
type progress struct {
	terminal io.Writer // nil if there is none
	last     time.Time
	shown    bool
}

// progressInterval keeps a fast run from flooding a slow terminal.
const progressInterval = 100 * time.Millisecond

func newProgress(stderr io.Writer) *progress {
	file, ok := stderr.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return &progress{}
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return &progress{}
	}
	return &progress{terminal: file}
}

// show replaces the line.
func (p *progress) show(platform string, packages int) {
	if p.terminal == nil || time.Since(p.last) < progressInterval {
		return
	}
	p.last, p.shown = time.Now(), true
	fmt.Fprintf(p.terminal, "\r\x1b[Kholdfast: %s: %d packages judged", platform, packages)
}

// clear takes the line away.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.terminal, "\r\x1b[K")
		p.shown = false
	}
}
