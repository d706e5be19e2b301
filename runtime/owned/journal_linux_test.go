package owned_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/owned"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// Whatever the disk of the ledger does, children start, are waited for and end.
func TestAStalledLedgerHoldsNoStart(t *testing.T) {
	for name, before := range map[string]bool{"before it is open": true, "when it is open": false} {
		t.Run(name, func(t *testing.T) {
			disk := mountSlowDisk(t)
			o := owned.New(owned.LedgerDir(disk.folder), owned.OwnerGrace(200*time.Millisecond))
			if !before {
				if err := o.Containment().Ledger; err != nil {
					t.Fatal(err)
				}
			}
			disk.hang()
			var last *owned.Child
			for range 20 {
				last = mustStart(t, o, exec.Command("sleep", "600"))
			}
			await(t, "the disk to hang", disk.hangs)
			last.Identity()
			if err := last.Stop(context.Background()); err != nil {
				t.Error(err)
			}
			if !disk.hangs() {
				t.Error("the disk has answered, so that the test shows nothing")
			}
			if !before {
				kept := exec.Command("sleep", "600")
				if _, err := o.Keep(kept, "the test wants it to live"); err == nil || kept.Process != nil {
					t.Errorf("kept without a row: %v", err)
				}
			}
			if err := o.Close(context.Background()); err == nil {
				t.Error("Close says that the ledger was written")
			}
			if !disk.hangs() {
				t.Error("the disk has answered, so that the test shows nothing")
			}
			disk.release()
			await(t, "the file of an owner that left nothing to go", func() bool {
				files, err := filepath.Glob(filepath.Join(disk.behind, "*.jsonl"))
				return err == nil && len(files) == 0
			})
		})
	}
}

// A ledger tells what happened in the order of the rows.
func TestRowsAreCompleteAndInOrderAfterClose(t *testing.T) {
	dir := t.TempDir()
	l, err := ledger.Open(dir, procid.Self()) // It keeps Close from removing the file.
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	eachTier(t, func(t *testing.T, tier owned.Tier) {
		o := owned.New(owned.AtMost(tier), owned.LedgerDir(dir), owned.OwnerGrace(200*time.Millisecond))
		const children = 50
		identities := map[string]procid.Identity{}
		for n := range children {
			script := []string{"exec sleep 600", "true", "sleep 601 & exec sleep 600"}[n%3]
			cmd := exec.Command("sh", "-c", script)
			name := tier.String() + strconv.Itoa(n)
			c := mustStart(t, o, cmd, owned.Name(name))
			identities[name] = c.Identity()
		}
		if err := o.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		events := map[string]string{}
		for _, row := range rowsIn(t, l.Path()) {
			id, mine := identities[row.Name]
			if !mine {
				continue
			}
			events[row.Name] += row.Event + " "
			if row.Process != id {
				t.Errorf("%s of %s is of %v, not of %v", row.Event, row.Name, row.Process, id)
			}
		}
		for name := range identities {
			if got, want := events[name], ledger.EventStart+" "+ledger.EventExit+" "; got != want {
				t.Errorf("the rows of %s are %q, not %q", name, got, want)
			}
		}
	})
}

func rowsIn(t *testing.T, path string) (rows []ledger.Entry) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var row ledger.Entry
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("%s: %v", lines.Bytes(), err)
		}
		rows = append(rows, row)
	}
	return rows
}
