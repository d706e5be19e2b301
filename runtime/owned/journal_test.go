package owned

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// A disk that stays away must not cost memory for ever, and who looks is told.
func TestAJournalIsBoundedAndSaysWhatIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := make(chan struct{})
		j := journal{opened: make(chan struct{})}
		j.open(func() (*ledger.Ledger, error) {
			<-disk
			return nil, errors.New("no ledger in this test")
		})
		synctest.Wait() // It has begun to open.
		for range maxNoted + 3 {
			j.note(ledger.Entry{Event: ledger.EventExit, Group: 5})
		}
		if n := len(j.tasks); n != maxNoted {
			t.Errorf("%d rows wait", n)
		}
		if err := j.trouble(); !errors.Is(err, errDisk) {
			t.Errorf("with a disk that is away: %v", err)
		}
		if err := j.flush(); !errors.Is(err, errDisk) {
			t.Errorf("flushing to a disk that is away: %v", err)
		}
		close(disk)
		if err := j.flush(); err != nil {
			t.Error(err)
		}
		if err := j.trouble(); err == nil || !strings.HasPrefix(err.Error(), "3 rows are lost") {
			t.Errorf("it says %v", err)
		}
		j.note(ledger.Entry{Event: ledger.EventExit, Group: 5})
		synctest.Wait()
		if len(j.tasks) > 0 {
			t.Errorf("%d tasks wait although the disk is back", len(j.tasks))
		}
	})
}

func TestAJournalWritesInOrder(t *testing.T) {
	dir := t.TempDir()
	j := journal{opened: make(chan struct{})}
	j.open(func() (*ledger.Ledger, error) { return ledger.Open(dir, procid.Self()) })
	const rows = 500
	for n := range rows {
		j.note(ledger.Entry{Event: ledger.EventStart, Group: 1000 + n})
	}
	if err := j.write(ledger.Entry{Event: ledger.EventStart, Group: 1000 + rows}); err != nil {
		t.Fatal(err)
	}
	records, err := ledger.Read(dir)
	if err != nil || len(records) != 1 || len(records[0].Live) != rows+1 {
		t.Fatalf("got %+v, %v", records, err)
	}
	for n, row := range records[0].Live {
		if row.Group != 1000+n {
			t.Fatalf("row %d is that of group %d", n, row.Group)
		}
		if n > 0 && row.Time.Before(records[0].Live[n-1].Time) {
			t.Errorf("row %d is older than the one before", n)
		}
	}
	if err := j.close(); err != nil {
		t.Error(err)
	}
}

func TestAJournalThatNobodyWantsDoesNothing(t *testing.T) {
	j := journal{opened: make(chan struct{})}
	j.note(ledger.Entry{Event: ledger.EventExit, Group: 5})
	if err := errors.Join(j.flush(), j.trouble(), j.close()); err != nil || j.working {
		t.Errorf("it works: %v", err)
	}
}
