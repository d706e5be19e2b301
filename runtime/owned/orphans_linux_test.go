package owned_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/owned"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

func TestAnOwnerThinsOutACrowdedLedger(t *testing.T) {
	dir := t.TempDir()
	const many = 150
	for n := range many {
		gone := procid.Identity{Boot: procid.Self().Boot, PID: 1<<30 + n, Start: 1}
		l, err := ledger.Open(dir, gone)
		if err != nil {
			t.Fatal(err)
		}
		l.Append(ledger.Entry{Event: ledger.EventStart, Process: gone})
		l.Close()
	}
	o := owned.New(owned.LedgerDir(dir))
	child, err := o.Start(exec.Command("sleep", "600"))
	if err != nil {
		t.Fatal(err)
	}
	await(t, "the files of finished owners to go", func() bool {
		files, err := os.ReadDir(dir)
		return err == nil && len(files) == 1
	})
	await(t, "the row of the child", func() bool {
		records, err := ledger.Read(dir)
		return err == nil && len(records) == 1 && len(records[0].Live) == 1 && records[0].Live[0].Process == child.Identity()
	})
	if err := o.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
