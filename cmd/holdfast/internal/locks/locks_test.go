package locks

import (
	"bytes"
	"strings"
	"testing"

	"github.com/holdfast-go/holdfast/runtime/lockowner"
)

func TestWhatIsNotProvenIsNotPrintedAsProven(t *testing.T) {
	candidate := lockowner.Holder{PID: 42, Candidate: true, File: "/a/state.db"}
	for name, test := range map[string]struct {
		report lockowner.Report
		code   int
		want   string
	}{
		"a candidate":     {lockowner.Report{OnlyCandidates: true, Holders: []lockowner.Holder{candidate}}, exitHeld, "candidate: has it open"},
		"nobody known":    {lockowner.Report{Database: "/a/state.db", OnlyCandidates: true}, exitTrouble, "no process is known"},
		"not certain":     {lockowner.Report{Holders: []lockowner.Holder{{PID: 42, Candidate: true, Locks: []string{"PENDING"}}}}, exitHeld, "candidate: PENDING"},
		"without a pid":   {lockowner.Report{Holders: []lockowner.Holder{{Locks: []string{"PENDING"}}}}, exitHeld, "?    PENDING (OFD lock: the kernel exports no pid)"},
		"nobody, as said": {lockowner.Report{Database: "/a/state.db"}, exitFree, "/a/state.db: no write-class lock"},
	} {
		var out bytes.Buffer
		if err := writeTable(&out, test.report); err != nil {
			t.Fatal(err)
		}
		if code := exitCode(test.report); code != test.code || !strings.Contains(out.String(), test.want) {
			t.Errorf("%s: exit %d, want %d, and %q, want %q", name, code, test.code, out.String(), test.want)
		}
	}
}
