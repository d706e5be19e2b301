package lockowner

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestRowsOfProcLocks(t *testing.T) {
	ext4 := device{8, 0x1a}
	for name, test := range map[string]struct {
		line string
		want *row
	}{
		"a write lock":         {"1: POSIX  ADVISORY  WRITE 4242 08:1a:131 1073741825 1073741825", &row{4242, ext4, 131, 1073741825, 1073741825}},
		"without an end":       {"12: POSIX  ADVISORY  WRITE 7 08:1a:131 0 EOF", &row{7, ext4, 131, 0, EndOfFile}},
		"an OFD lock":          {"3: OFDLCK ADVISORY  WRITE -1 08:1a:131 120 120", &row{0, ext4, 131, 120, 120}},
		"a long device":        {"3: POSIX  ADVISORY  WRITE 7 103:00100:18446744073709551615 0 9", &row{7, device{0x103, 0x100}, 18446744073709551615, 0, 9}},
		"a read lock":          {"4: POSIX  ADVISORY  READ 4242 08:1a:131 123 123", nil},
		"one that waits":       {"1: -> POSIX  ADVISORY  WRITE 4243 08:1a:131 1073741825 1073741825", nil},
		"one that waits twice": {"1:    -> POSIX  ADVISORY  WRITE 4243 08:1a:131 0 EOF", nil},
		"flock":                {"5: FLOCK  ADVISORY  WRITE 4242 08:1a:131 0 EOF", nil},
		"a lease":              {"6: LEASE  ACTIVE    WRITE 4242 08:1a:131 0 EOF", nil},
		"a lease that breaks":  {"6: LEASE  BREAKING  READ 4242 08:1a:131 0 EOF", nil},
		"a delegation":         {"6: DELEG  ACTIVE    READ 4242 08:1a:131 0 EOF", nil},
		"a file that is gone":  {"7: POSIX  ADVISORY  WRITE 4242 <none>:0 0 EOF", nil},
		"no inode":             {"7: POSIX  *NOINODE* WRITE 4242 <none>:0 0 EOF", nil},
		"an unlock":            {"7: POXIX  ADVISORY  UNLCK 4242 08:1a:131 0 EOF", nil},
		"mandatory locking":    {"7: ACCESS ADVISORY  WRITE 4242 08:1a:131 0 EOF", nil},
		"another namespace":    {"7: POSIX  ADVISORY  WRITE 0 08:1a:131 0 EOF", nil},
		"a remote holder":      {"7: POSIX  ADVISORY  WRITE -42 08:1a:131 0 EOF", nil},
		"cut off":              {"8: POSIX  ADVISORY  WRITE 4242 08:1a:131 10737", nil},
		"too long":             {"8: POSIX  ADVISORY  WRITE 4242 08:1a:131 0 EOF x", nil},
		"backwards":            {"8: POSIX  ADVISORY  WRITE 4242 08:1a:131 9 3", nil},
		"a negative offset":    {"8: POSIX  ADVISORY  WRITE 4242 08:1a:131 -1 3", nil},
		"an offset too large":  {"8: POSIX  ADVISORY  WRITE 4242 08:1a:131 9223372036854775808 EOF", nil},
		"a decimal inode only": {"8: POSIX  ADVISORY  WRITE 4242 08:1a:1f 0 EOF", nil},
		"an empty line":        {"", nil},
	} {
		got, ok := parseRow(test.line)
		if ok != (test.want != nil) || ok && got != *test.want {
			t.Errorf("%s: parseRow(%q) = %v, %v", name, test.line, got, ok)
		}
	}
}

func FuzzParseRow(f *testing.F) {
	for _, line := range []string{
		"1: POSIX  ADVISORY  WRITE 4242 08:1a:131 1073741825 1073741825",
		"1: -> POSIX  ADVISORY  WRITE 4243 08:1a:131 1073741825 1073741825",
		"2: FLOCK  ADVISORY  WRITE 700 00:19:20 0 EOF",
		"3: OFDLCK ADVISORY  READ  -1 00:06:1025 0 EOF",
		"3: OFDLCK ADVISORY  WRITE -1 00:06:1025 0 EOF",
		"4: LEASE  ACTIVE    READ 3244 08:01:1 0 EOF",
		"5: POSIX  ADVISORY  WRITE 4242 <none>:0 0 EOF",
		"lock:\t1: POSIX  ADVISORY  WRITE 4242 00:2d:257 120 120",
		"8: POSIX  ADVISORY  WRITE 4242 08:1a",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		r, ok := parseRow(line)
		if !ok {
			return
		}
		if r.pid < 0 || r.start < 0 || r.end < r.start || strings.Contains(line, "->") && strings.Fields(line)[1] == "->" {
			t.Fatalf("%q gave %+v", line, r)
		}
		if again, ok := parseRow(r.line()); !ok || again != r {
			t.Errorf("%q gave %+v, which reads as %+v", line, r, again)
		}
		if len(lockNames("state.db-shm", r.start, r.end)) == 0 {
			t.Errorf("%+v has no name", r)
		}
	})
}

// line writes the row as the kernel does.
func (r row) line() string {
	kind, pid, end := "POSIX ", r.pid, fmt.Sprint(r.end)
	if r.pid == 0 {
		kind, pid = "OFDLCK", -1
	}
	if r.end == EndOfFile {
		end = "EOF"
	}
	return fmt.Sprintf("1: %s ADVISORY  WRITE %d %02x:%02x:%d %d %s", kind, pid, r.device.major, r.device.minor, r.inode, r.start, end)
}

func TestByteRangesInSQLitesWords(t *testing.T) {
	const main, wal, shm = "/a/state.db", "/a/state.db-wal", "/a/state.db-shm"
	for name, test := range map[string]struct {
		file       string
		start, end int64
		want       string
	}{
		"pending":                {main, 0x40000000, 0x40000000, "PENDING"},
		"reserved":               {main, 0x40000001, 0x40000001, "RESERVED"},
		"shared":                 {main, 0x40000002, 0x400001ff, "SHARED range (exclusive)"},
		"one byte of shared":     {main, 0x40000100, 0x40000100, "SHARED range (exclusive)"},
		"exclusive, joined":      {main, 0x40000000, 0x400001ff, "PENDING+RESERVED+SHARED range (exclusive)"},
		"beyond shared":          {main, 0x40000200, 0x40000200, "byte 1073742336"},
		"a page":                 {main, 0, 4095, "bytes 0-4095"},
		"the whole file":         {main, 0, EndOfFile, "PENDING+RESERVED+SHARED range (exclusive)+bytes from 0"},
		"write":                  {shm, 120, 120, "WAL write"},
		"checkpoint":             {shm, 121, 121, "WAL checkpoint"},
		"recover":                {shm, 122, 122, "WAL recover"},
		"write to recover":       {shm, 120, 122, "WAL write+WAL checkpoint+WAL recover"},
		"the first read slot":    {shm, 123, 123, "WAL read slot 0"},
		"the last read slot":     {shm, 127, 127, "WAL read slot 4"},
		"dead-man switch":        {shm, 128, 128, "WAL dead-man switch"},
		"beside the shm locks":   {shm, 119, 119, "byte 119"},
		"behind the shm locks":   {shm, 128, 129, "WAL dead-man switch+bytes 128-129"},
		"main's byte in the shm": {shm, 0x40000001, 0x40000001, "byte 1073741825"},
		"shm's byte in main":     {main, 120, 120, "byte 120"},
		"anything in the wal":    {wal, 120, 121, "bytes 120-121"},
	} {
		if got := strings.Join(lockNames(test.file, test.start, test.end), "+"); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestTheMountOfAPath(t *testing.T) {
	const mountinfo = `22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 27 0:45 /@home /home rw shared:2 - btrfs /dev/vdb rw,subvol=/@home
31 30 0:46 / /home/me/my\040data\134x rw - overlay overlay rw
32 27 0:47 / /mnt rw - tmpfs first rw
33 27 0:48 / /mnt rw - tmpfs second rw
34 27 broken / /mnt/deep rw - tmpfs x rw
35
`
	for path, want := range map[string]device{
		"/var/lib/state.db":         {254, 0},
		"/proc/state.db":            {0, 21}, // which is listed before the root
		"/home/state.db":            {0, 45},
		"/homeless/state.db":        {254, 0},
		`/home/me/my data\x/s.db`:   {0, 46},
		"/home/me/my data/state.db": {0, 45},
		"/mnt/state.db":             {0, 48},
		"/mnt/deep/state.db":        {0, 48},
	} {
		if got, ok := mountDevice(mountinfo, path); !ok || got != want {
			t.Errorf("%s lies on %v, %v, want %v", path, got, ok, want)
		}
	}
	if got, ok := mountDevice("", "/x"); ok {
		t.Errorf("no mounts, yet %v", got)
	}
}

func TestCommandLinesAreBoundedAndOnOneLine(t *testing.T) {
	for name, test := range map[string]struct {
		words []string
		want  string
	}{
		"plain":         {[]string{"holdfast", "check", "./..."}, "holdfast check ./..."},
		"spaces":        {[]string{"sh", "-c", "a b", ""}, `sh -c "a b" ""`},
		"a forged line": {[]string{"x\nWARN all is well", "\x1b[2J", "\xff"}, `"x\nWARN all is well" "\x1b[2J" "\xff"`},
		"eleven words":  {strings.Fields("1 2 3 4 5 6 7 8 9 10 11"), "1 2 3 4 5 6 7 8 9 10 ..."},
		"a long word":   {[]string{strings.Repeat("ü", 600)}, strings.Repeat("ü", 512) + " ..."},
		"a word cut":    {[]string{"x" + strings.Repeat("ü", 600)}, "x" + strings.Repeat("ü", 511) + " ..."},
	} {
		if got := commandLine(test.words); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestReportsInWords(t *testing.T) {
	candidate := Holder{PID: 42, Candidate: true, File: "/a/state.db", Command: "secret"}
	unsure := Holder{PID: 43, Candidate: true, File: "/a/state.db-shm", Locks: []string{"WAL write"}, Command: "secret"}
	for name, test := range map[string]struct {
		report Report
		want   string
	}{
		"an error":           {Report{}, "not known"},
		"nobody":             {Report{Database: "/a/state.db"}, "no write-class lock is held (the holder may have released it just before)"},
		"nobody known":       {Report{Database: "/a/state.db", OnlyCandidates: true}, "no process is known to have it open (this system does not say who holds a lock)"},
		"candidates":         {Report{Database: "/a/state.db", OnlyCandidates: true, Holders: []Holder{candidate}}, "candidate: pid 42 has state.db open"},
		"a lock not certain": {Report{Database: "/a/state.db", Holders: []Holder{unsure, candidate}}, "candidate: pid 43 may hold WAL write on state.db-shm | candidate: pid 42 has state.db open"},
	} {
		if got := test.report.String(); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestADiskThatHangsHoldsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		report, err := within(ctx, func() (Report, error) {
			time.Sleep(time.Hour)
			return Report{Database: "/a/state.db"}, nil
		})
		if !errors.Is(err, context.DeadlineExceeded) || report.String() != "not known" {
			t.Errorf("%v, %v", report, err)
		}
		time.Sleep(time.Hour)
	})
}
