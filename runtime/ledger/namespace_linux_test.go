package ledger_test

import (
	"testing"

	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// An owner in a container that shares the directory has a number that means
// somebody else here. What is left to tell by is its lock.
func TestAnOwnerInAnotherPIDNamespaceLivesAsLongAsItsLock(t *testing.T) {
	dir := t.TempDir()
	elsewhere := procid.Self()
	elsewhere.Boot += "-1234567890"
	l, err := ledger.Open(dir, elsewhere)
	if err != nil {
		t.Fatal(err)
	}
	l.Append(ledger.Entry{Event: ledger.EventStart, Process: imaginary(1)})
	if record := recordOf(t, dir, elsewhere); record.Alive != procid.Alive || !record.Locked {
		t.Errorf("with its lock: %v, locked %v", record.Alive, record.Locked)
	}
	l.Close()
	if record := recordOf(t, dir, elsewhere); record.Alive != procid.CannotTell || record.Dead() || record.Locked {
		t.Errorf("without: %v, dead %v, locked %v", record.Alive, record.Dead(), record.Locked)
	}
	if err := ledger.Remove(dir, elsewhere); err == nil {
		t.Error("removed the file of an owner that may live")
	}
}
