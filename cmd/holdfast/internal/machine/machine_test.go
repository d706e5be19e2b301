package machine

import (
	"maps"
	"net"
	"net/netip"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
)

func TestTakeFindsThePortsOfThisProcess(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("ports are looked up on Linux only")
	}
	var want []Port
	for _, address := range []string{"127.0.0.1:0", "[::1]:0"} {
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Log(err) // A machine without IPv6.
			continue
		}
		defer l.Close()
		want = append(want, netip.MustParseAddrPort(l.Addr().String()))
	}
	s, err := Take()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(s.Processes, func(p Process) bool { return p.PID == os.Getpid() })
	if i < 0 {
		t.Fatal("this process is not in the snapshot")
	}
	p := s.Processes[i]
	for _, port := range want {
		if !slices.Contains(p.Listening, port) || slices.Contains(s.Hidden, port) {
			t.Errorf("%v is not among %v; hidden are %v", port, p.Listening, s.Hidden)
		}
	}
	if !slices.Equal(p.Command[:1], os.Args[:1]) {
		t.Errorf("the command is %q", p.Command)
	}
}

func TestParseListeners(t *testing.T) {
	const head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
	for name, test := range map[string]struct {
		text string
		want map[uint64]string
	}{
		"none": {head, map[uint64]string{}},
		"loopback": {head + "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 12345 1 0000000000000000 100 0 0 10 0\n",
			map[uint64]string{12345: "127.0.0.1:8080"}},
		"IPv6": {"   0: B80D0120000000000000000001000000:0050 00000000000000000000000000000000:0000 0A 0:0 0:0 0 0 0 7\n",
			map[uint64]string{7: "[2001:db8::1]:80"}},
		"mapped":      {"   0: 0000000000000000FFFF00000100007F:0050 0:0 0A 0:0 0:0 0 0 0 7\n", map[uint64]string{7: "127.0.0.1:80"}},
		"established": {"   0: 0100007F:1F90 0100007F:C350 01 0:0 0:0 0 0 0 12345\n", map[uint64]string{}},
		"no inode":    {"   0: 0100007F:1F90 00000000:0000 0A 0:0 0:0 0 0 0 0\n", map[uint64]string{}},
		"rubbish":     {"x\n   0: 01:1F90 00000000:0000 0A 0:0 0:0 0 0 0 1\n   0: 0100007F:FFFFF 0:0 0A 0:0 0:0 0 0 0 1\n", map[uint64]string{}},
	} {
		found, err := parseListeners(strings.NewReader(test.text))
		got := map[uint64]string{}
		for inode, l := range found {
			got[inode] = l.port.String()
		}
		if err != nil || !maps.Equal(got, test.want) {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, test.want)
		}
	}
}

func TestCommandLineIsSafeToPrint(t *testing.T) {
	for _, test := range []struct {
		words []string
		want  string
	}{
		{[]string{"a", "", "b c"}, "a '' b c"},
		{[]string{"a\x1b[2J\r\n\u202e"}, "a�[2J���"},
		{[]string{strings.Repeat("é", 300)}, strings.Repeat("é", 99) + "…"},
		{nil, ""},
	} {
		if got := CommandLine(test.words); got != test.want {
			t.Errorf("%q: got %q, want %q", test.words, got, test.want)
		}
	}
}

func TestAge(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0s", 59 * time.Second: "59s", 61 * time.Second: "1m", 90 * time.Minute: "1h30m", 49 * time.Hour: "2d1h",
	} {
		if got := Age(d); got != want {
			t.Errorf("%v: got %s, want %s", d, got, want)
		}
	}
}

func BenchmarkTake(b *testing.B) {
	n := 0
	for b.Loop() {
		s, err := Take()
		if err != nil {
			b.Fatal(err)
		}
		n = len(s.Processes)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/process")
}

func FuzzParseListeners(f *testing.F) {
	f.Add("   0: 0100007F:1F90 00000000:0000 0A 0:0 0:0 0 0 0 12345\n")
	f.Fuzz(func(t *testing.T, text string) {
		found, _ := parseListeners(strings.NewReader(text))
		for inode, l := range found {
			if inode == 0 || !l.port.IsValid() {
				t.Errorf("%q gave %d %v", text, inode, l.port)
			}
		}
	})
}

func FuzzPrintable(f *testing.F) {
	f.Add("\x1b[31m")
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range CommandLine([]string{text, text}) {
			if !unicode.IsPrint(r) {
				t.Errorf("%q gave %q", text, r)
			}
		}
	})
}
