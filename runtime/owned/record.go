package owned

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// noLedger is the directory that stands for keeping no ledger.
const noLedger = "off"

// openLedger opens the ledger. Without one children are owned all the same:
// it is for who cleans up after an owner and supervisor that died together.
func (o *Owner) openLedger() {
	dir := o.config.ledger
	if dir == "" {
		dir = os.Getenv(ledger.DirVariable)
	}
	if dir == noLedger {
		return
	}
	o.ledger, o.ledgerErr = ledger.Open(dir, procid.Self())
	if o.ledgerErr != nil {
		return
	}
	directory, _ := os.Getwd()
	entry := ledger.Entry{Event: ledger.EventOpen, Process: procid.Self(), Command: os.Args, Dir: directory, Cookie: o.cookie}
	o.platform.note(&entry)
	o.record(entry)
	go thinOut(filepath.Dir(o.ledger.Path()))
}

// crowded is how many files a ledger may have before an owner that starts
// looks which can go. A program that ends without Close leaves one.
const crowded = 100

func thinOut(dir string) {
	if files, err := os.ReadDir(dir); err == nil && len(files) > crowded {
		ForgetFinished(context.Background(), dir)
	}
}

func (o *Owner) record(entry ledger.Entry) error {
	if o.ledger == nil {
		return o.ledgerErr
	}
	if err := o.ledger.Append(entry); err != nil {
		return fmt.Errorf("writing the ledger: %w", err)
	}
	return nil
}
