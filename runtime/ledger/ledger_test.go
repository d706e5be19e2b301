package ledger_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

func TestWhoHasNotEnded(t *testing.T) {
	child, other := imaginary(1), imaginary(2)
	start := ledger.Entry{Event: ledger.EventStart, Process: child, Group: 7}
	for name, test := range map[string]struct {
		rows []ledger.Entry
		want []procid.Identity
	}{
		"started":                 {[]ledger.Entry{start}, []procid.Identity{child}},
		"ended":                   {[]ledger.Entry{start, {Event: ledger.EventExit, Process: child}}, nil},
		"released":                {[]ledger.Entry{start, {Event: ledger.EventRelease, Process: child}}, nil},
		"group released":          {[]ledger.Entry{start, {Event: ledger.EventRelease, Group: 7}}, nil},
		"another group released":  {[]ledger.Entry{start, {Event: ledger.EventRelease, Group: 8}}, []procid.Identity{child}},
		"another ended":           {[]ledger.Entry{start, {Event: ledger.EventExit, Process: other}}, []procid.Identity{child}},
		"number reused":           {[]ledger.Entry{start, {Event: ledger.EventExit, Process: procid.Identity{Boot: child.Boot, PID: child.PID, Start: 99}}}, []procid.Identity{child}},
		"kept after it started":   {[]ledger.Entry{start, {Event: ledger.EventKeep, Process: child, Reason: "it serves others"}}, []procid.Identity{child}},
		"group of unknown leader": {[]ledger.Entry{{Event: ledger.EventOwn, Group: 9}, start}, []procid.Identity{{}, child}},
		"end without a start":     {[]ledger.Entry{{Event: ledger.EventExit, Process: other}}, nil},
		"started, ended, started": {[]ledger.Entry{start, {Event: ledger.EventExit, Process: child}, start}, []procid.Identity{child}},
		"order of their starts":   {[]ledger.Entry{{Event: ledger.EventStart, Process: other}, start}, []procid.Identity{other, child}},
	} {
		t.Run(name, func(t *testing.T) {
			l, dir := open(t)
			for _, row := range test.rows {
				if err := l.Append(row); err != nil {
					t.Fatal(err)
				}
			}
			record := recordOf(t, dir, procid.Self())
			var got []procid.Identity
			for _, e := range record.Live {
				got = append(got, e.Process)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
			if diff := cmp.Diff(l.Live(), record.Live); diff != "" {
				t.Errorf("the owner and the reader differ:\n%s", diff)
			}
		})
	}
}

func TestARowComesBackAsItWasWritten(t *testing.T) {
	l, dir := open(t)
	want := ledger.Entry{
		Time: time.Date(2026, 3, 4, 5, 6, 7, 8, time.UTC), Event: ledger.EventKeep, Process: imaginary(1), Group: 2, Session: 3,
		Name: "model", Family: "llm", Reason: "loads for a minute", Command: []string{"llama-server", "-m", "a b\n\x00"},
		Dir: "/srv", Log: "/var/log/x", Cookie: "c",
	}
	if err := l.Append(want); err != nil {
		t.Fatal(err)
	}
	record := recordOf(t, dir, procid.Self())
	if diff := cmp.Diff([]ledger.Entry{want}, record.Live); diff != "" {
		t.Error(diff)
	}
	if record.Opened.Process != procid.Self() || record.Opened.Command[0] != os.Args[0] || record.Opened.Dir == "" {
		t.Errorf("the owner's own row is %+v", record.Opened)
	}
	if record.Alive != procid.Alive || !record.Locked {
		t.Errorf("this owner is %v, locked %v", record.Alive, record.Locked)
	}
}

func TestAppendRefusesRowsThatSayNothing(t *testing.T) {
	l, dir := open(t)
	for name, e := range map[string]ledger.Entry{
		"no event":              {Process: imaginary(1)},
		"unknown event":         {Event: "begin", Process: imaginary(1)},
		"nobody":                {Event: ledger.EventStart},
		"negative group":        {Event: ledger.EventOwn, Group: -1},
		"kept without a reason": {Event: ledger.EventKeep, Process: imaginary(1), Reason: " \t"},
		"too long a path":       {Event: ledger.EventStart, Process: imaginary(1), Log: strings.Repeat("/x", ledger.MaxRow/2)},
	} {
		if err := l.Append(e); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if record := recordOf(t, dir, procid.Self()); len(record.Live) > 0 || len(record.Problems) > 0 {
		t.Errorf("the ledger has %s", asJSON(record))
	}
}

func TestTextsForPeopleAreCut(t *testing.T) {
	l, dir := open(t)
	err := l.Append(ledger.Entry{
		Event: ledger.EventStart, Process: imaginary(1), Name: "x" + strings.Repeat("é", 1000),
		Command: strings.Fields(strings.Repeat(strings.Repeat("w", 200)+" ", 20)),
	})
	if err != nil {
		t.Fatal(err)
	}
	e := recordOf(t, dir, procid.Self()).Live[0]
	if size := len(strings.Join(e.Command, "")); len(e.Command) > 10 || size != 1024 {
		t.Errorf("the command has %d words and %d bytes", len(e.Command), size)
	}
	if e.Name != "x"+strings.Repeat("é", 511) {
		t.Errorf("the name has %d bytes", len(e.Name))
	}
}

func TestTwoLedgersOfOneProcessShareItsFile(t *testing.T) {
	first, dir := open(t)
	second, err := ledger.Open(dir, procid.Self())
	if err != nil {
		t.Fatal(err)
	}
	first.Append(ledger.Entry{Event: ledger.EventStart, Process: imaginary(1)})
	second.Append(ledger.Entry{Event: ledger.EventStart, Process: imaginary(2)})
	first.Close()
	first.Close()
	if err := first.Append(ledger.Entry{Event: ledger.EventStart, Process: imaginary(3)}); err == nil {
		t.Error("a closed ledger takes rows")
	}
	if err := second.Append(ledger.Entry{Event: ledger.EventStart, Process: imaginary(4)}); err != nil {
		t.Error(err)
	}
	record := recordOf(t, dir, procid.Self())
	if len(record.Live) != 3 || !record.Locked {
		t.Errorf("got %s", asJSON(record))
	}
	second.Close()
	if record := recordOf(t, dir, procid.Self()); record.Locked || len(record.Live) != 3 {
		t.Errorf("after the last Close: %s", asJSON(record))
	}
	if err := ledger.Remove(dir, procid.Self()); err == nil {
		t.Error("removed the file of an owner that lives, only because it is not locked")
	}
}

func TestCloseLeavesNothingIfNothingIsLeft(t *testing.T) {
	l, dir := open(t)
	l.Append(ledger.Entry{Event: ledger.EventStart, Process: imaginary(1)})
	l.Append(ledger.Entry{Event: ledger.EventExit, Process: imaginary(1)})
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if items, err := os.ReadDir(dir); err != nil || len(items) > 0 {
		t.Errorf("left %v, %v", items, err)
	}
}

func TestAFileOfManyEndedChildrenIsMadeSmall(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file is not replaced there")
	}
	l, dir := open(t)
	l.Append(ledger.Entry{Event: ledger.EventOpen, Cookie: "old"})
	l.Append(ledger.Entry{Event: ledger.EventMark, Cookie: "old"})
	l.Append(ledger.Entry{Event: ledger.EventMark, Cookie: "c", Locks: 1 << 40, Leaf: "/sys/fs/cgroup/x"})
	l.Append(ledger.Entry{Event: ledger.EventKeep, Process: imaginary(0), Reason: "it serves others"})
	for n := 1; n < 20*ledger.MinIdle; n++ {
		if err := l.Append(ledger.Entry{Event: ledger.EventStart, Process: imaginary(n)}); err != nil {
			t.Fatal(err)
		}
		if err := l.Append(ledger.Entry{Event: ledger.EventExit, Process: imaginary(n)}); err != nil {
			t.Fatal(err)
		}
	}
	record := recordOf(t, dir, procid.Self())
	if len(record.Live) != 1 || record.Live[0].Process != imaginary(0) || record.Opened.Time.IsZero() || !record.Locked {
		t.Errorf("got %s", asJSON(record))
	}
	m := record.Marks
	if len(m) != 2 || m[0].Cookie != "old" || m[1].Cookie != "c" || m[1].Locks != 1<<40 || m[1].Leaf != "/sys/fs/cgroup/x" {
		t.Errorf("the marks are %s", asJSON(m))
	}
	text, err := os.ReadFile(record.File)
	if err != nil {
		t.Fatal(err)
	}
	if rows := bytes.Count(text, []byte("\n")); rows > 2*ledger.MinIdle {
		t.Errorf("the file has %d rows for one living child", rows)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.new")); len(left) > 0 {
		t.Errorf("left %q", left)
	}
}

// A file can end at any byte. The rows before are there, at most the last is
// reported, and the owner can go on.
func TestAFileCutAtAnyByteKeepsItsWholeRows(t *testing.T) {
	dir := t.TempDir()
	whole := func() (text []byte) {
		l, err := ledger.Open(dir, procid.Self())
		if err != nil {
			t.Fatal(err)
		}
		for n := range 4 {
			l.Append(ledger.Entry{Event: ledger.EventStart, Process: imaginary(n), Name: "née \\ \""})
		}
		defer l.Close()
		text, err = os.ReadFile(l.Path())
		if err != nil {
			t.Fatal(err)
		}
		return text
	}()
	path := filepath.Join(dir, strings.ReplaceAll(procid.Self().String(), ":", ".")+".jsonl")
	for size := range len(whole) + 1 {
		if err := os.WriteFile(path, whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		// The end of a line is no part of its row.
		rows := max(0, bytes.Count(append(whole[:size:size], whole[size:min(size+1, len(whole))]...), []byte("\n"))-1)
		record := recordOf(t, dir, procid.Self())
		if len(record.Live) != rows || len(record.Problems) > 1 {
			t.Fatalf("cut to %d bytes: %d of %d rows, problems %q", size, len(record.Live), rows, record.Problems)
		}
		goOn(t, dir, size, rows)
	}
}

func goOn(t *testing.T, dir string, size, rows int) {
	t.Helper()
	l, err := ledger.Open(dir, procid.Self())
	if err != nil {
		t.Fatalf("cut to %d bytes: %v", size, err)
	}
	defer l.Close()
	if err := l.Append(ledger.Entry{Event: ledger.EventStart, Process: imaginary(99)}); err != nil {
		t.Fatal(err)
	}
	record := recordOf(t, dir, procid.Self())
	if len(record.Live) != rows+1 || record.Live[rows].Process != imaginary(99) || len(record.Problems) > 1 || record.Opened.Time.IsZero() {
		t.Fatalf("cut to %d bytes, then opened: %s", size, asJSON(record))
	}
}

func TestDamageIsReportedAndTheRestKept(t *testing.T) {
	good := func(n int) string {
		return fmt.Sprintf(`{"time":"2026-01-02T03:04:05Z","event":"start","process":{"boot":"b","pid":%d,"start":1}}`, n)
	}
	long := strings.Repeat("x", 3*ledger.MaxRow)
	for name, test := range map[string]struct {
		text     string
		rows     int
		problems int
		words    string
	}{
		"whole":                   {good(1) + "\n" + good(2) + "\n", 2, 0, ""},
		"last line end cut":       {good(1) + "\n" + good(2), 2, 0, ""},
		"cut":                     {good(1) + "\n" + good(2)[:40], 1, 1, "line 2 is cut off after 40 bytes"},
		"cut and gone on":         {good(1)[:40] + "\n" + good(2) + "\n", 1, 1, "line 1: no row"},
		"zeroes":                  {good(1) + "\n" + strings.Repeat("\x00", 4096) + "\n" + good(2) + "\n", 2, 1, "line 2: no row"},
		"long line":               {good(1) + "\n" + long + "\n" + good(2) + "\n", 2, 1, "line 2 is longer"},
		"long line at the end":    {good(1) + "\n" + long, 1, 1, "line 2 is longer"},
		"two rows in a line":      {good(1) + good(2) + "\n" + good(3) + "\n", 1, 1, "something follows"},
		"unknown event":           {`{"event":"fork","process":{"boot":"b","pid":1,"start":1}}` + "\n" + good(2) + "\n", 1, 1, "no event"},
		"nobody":                  {`{"event":"start"}` + "\n" + good(2) + "\n", 1, 1, "neither"},
		"other JSON":              {"[1]\nnull\n7\n" + good(2) + "\n", 1, 3, "line 1: no row"},
		"many problems":           {strings.Repeat("x\n", 1000) + good(2) + "\n", 1, 20, "there are more"},
		"empty":                   {"", 0, 0, ""},
		"a row as long as may be": {good(1) + strings.Repeat(" ", ledger.MaxRow-len(good(1))-1) + "\n", 1, 0, ""},
	} {
		live, problems, err := ledger.Scan(strings.NewReader(test.text))
		if err != nil || len(live) != test.rows || len(problems) != test.problems || !strings.Contains(strings.Join(problems, " "), test.words) {
			t.Errorf("%s: %d rows, problems %q, %v; want %d rows and %d problems", name, len(live), problems, err, test.rows, test.problems)
		}
	}
}

func TestWhatIsNoLedgerIsReportedAndNeverWaitedFor(t *testing.T) {
	l, dir := open(t)
	l.Append(ledger.Entry{Event: ledger.EventStart, Process: imaginary(1)})
	strange := plantStrangers(t, dir)
	records, err := ledger.Read(dir)
	if err != nil || len(records) != len(strange)+1 {
		t.Fatalf("got %s, %v", asJSON(records), err)
	}
	for _, r := range records {
		if r.Owner == procid.Self() {
			continue
		}
		if len(r.Problems) == 0 || len(r.Live) > 0 || r.Dead() && !r.Owner.IsZero() && r.Owner.State() != procid.Gone {
			t.Errorf("%s: %s", r.File, asJSON(r))
		}
	}
}

func TestADirectoryThatThereIsNotIsEmpty(t *testing.T) {
	records, err := ledger.Read(filepath.Join(t.TempDir(), "none"))
	if err != nil || len(records) > 0 {
		t.Errorf("got %v, %v", records, err)
	}
	if records, err := ledger.Read(os.Args[0]); err == nil {
		t.Errorf("a file as the directory: %v", records)
	}
}

func TestTheDirectoryIsWhereTheUserSays(t *testing.T) {
	t.Setenv(ledger.DirVariable, "")
	t.Setenv("XDG_STATE_HOME", "relative")
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("LocalAppData", filepath.Join(home, ".local", "state"))
	expectDir(t, filepath.Join(home, ".local", "state", "holdfast", "ledger"))
	if filepath.Separator == '/' {
		t.Setenv("XDG_STATE_HOME", filepath.Join(home, "xdg"))
		expectDir(t, filepath.Join(home, "xdg", "holdfast", "ledger"))
	}
	t.Setenv(ledger.DirVariable, filepath.Join(home, "here"))
	expectDir(t, filepath.Join(home, "here"))
}

func expectDir(t *testing.T, want string) {
	t.Helper()
	if got, err := ledger.Dir(); err != nil || got != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

func TestOpenRefusesOwnersWithoutIdentity(t *testing.T) {
	for _, id := range []procid.Identity{{}, {Boot: "../../x", PID: 1}, {Boot: "b.c", PID: 1}, {Boot: "b", PID: -1}} {
		if l, err := ledger.Open(t.TempDir(), id); err == nil {
			t.Errorf("opened %s", l.Path())
		}
	}
}

// FuzzScan protects the reader of a file that anything may have happened to:
// it ends, and a whole row that follows the damage is found.
func FuzzScan(f *testing.F) {
	f.Add([]byte(`{"event":"start","process":{"boot":"b","pid":1,"start":1}}`))
	f.Add([]byte("{\"event\":\"release\",\"group\":7}\n{\"event\":\"exit\",\"process\":{"))
	f.Add([]byte("\x00\n\n\xff{}"))
	f.Fuzz(func(t *testing.T, damage []byte) {
		row := `{"time":"2026-01-02T03:04:05Z","event":"start","process":{"boot":"last","pid":7,"start":7}}`
		live, problems, err := ledger.Scan(bytes.NewReader(append(damage, "\n"+row+"\n"...)))
		if err != nil || len(live) == 0 || live[len(live)-1].Process.Boot != "last" {
			t.Errorf("%q: the row after it is lost: %v, %v, %v", damage, live, problems, err)
		}
		for _, e := range live {
			if e.Process.IsZero() && e.Group <= 0 {
				t.Errorf("%q: a row about nobody: %+v", damage, e)
			}
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	l, _ := open(b)
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		l.Append(ledger.Entry{Event: ledger.EventStart, Process: imaginary(n), Group: n + 1})
		if err := l.Append(ledger.Entry{Event: ledger.EventExit, Process: imaginary(n)}); err != nil {
			b.Fatal(err)
		}
	}
}

func open(t testing.TB) (*ledger.Ledger, string) {
	t.Helper()
	dir := t.TempDir()
	l, err := ledger.Open(dir, procid.Self())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l, dir
}
