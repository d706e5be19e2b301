package owned

import (
	"context"
	"os"
	"path/filepath"

	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// noLedger is the directory that stands for keeping no ledger.
const noLedger = "off"

// openLedger has the ledger opened. Without one children are owned all the
// same: it is for who cleans up after an owner and supervisor that died
// together.
func (o *Owner) openLedger() {
	dir := o.config.ledger
	if dir == "" {
		dir = os.Getenv(ledger.DirVariable)
	}
	if dir == noLedger {
		return
	}
	opening := ledger.Entry{
		Time: now(), Event: ledger.EventOpen, Process: procid.Self(), Command: os.Args, Cookie: o.cookie,
	}
	o.platform.note(&opening)
	o.journal.open(func() (*ledger.Ledger, error) {
		l, err := ledger.Open(dir, opening.Process)
		if err != nil {
			return nil, err
		}
		opening.Dir, _ = os.Getwd()
		go thinOut(filepath.Dir(l.Path()))
		return l, l.Append(opening)
	})
}

// crowded is how many files a ledger may have before an owner that starts
// looks which can go. A program that ends without Close leaves one.
const crowded = 100

func thinOut(dir string) {
	if files, err := os.ReadDir(dir); err == nil && len(files) > crowded {
		ForgetFinished(context.Background(), dir)
	}
}
