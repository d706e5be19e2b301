package lease

import (
	"strings"
	"testing"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

var holder = procid.Identity{Boot: "b7c2d8f6-0b7e-4a34-9c43-cf6e4f8d2a11-4026532177", PID: 2147483647, Start: 18446744073709551615}

func TestFileNamesAreReadBack(t *testing.T) {
	seen := make(map[string]string)
	for _, session := range []string{
		"a", "A", "20260101_AB12", "../../etc/passwd", "a.b", "a/b", "a%2eb", "con", "ü ☃", "\x00\xff\n", "-", ".", "%",
		strings.Repeat("x", MaxName), strings.Repeat("X", MaxName/3),
	} {
		for _, mode := range []Mode{Shared, Exclusive} {
			want := Lease{Session: session, Holder: holder, Mode: mode}
			if err := check(session, mode); err != nil {
				t.Errorf("%q: %v", session, err)
			}
			name := fileName(want)
			if got, ok := parseFileName(name); !ok || got != want {
				t.Errorf("%q became %q, read as %+v, %v", session, name, got, ok)
			}
			if len(name) > 255 || strings.ContainsAny(name, "/\\:*?\"<>| \x00\n") {
				t.Errorf("%q is no file name everywhere", name)
			}
			if other, taken := seen[strings.ToLower(name)]; taken {
				t.Errorf("%q and %q share a file where case does not count", session, other)
			}
			seen[strings.ToLower(name)] = session
		}
	}
}

func TestSessionsWithoutAName(t *testing.T) {
	for _, session := range []string{"", strings.Repeat("x", MaxName+1), strings.Repeat("X", MaxName/3+1)} {
		if err := check(session, Shared); err == nil {
			t.Errorf("%.20q... was taken", session)
		}
	}
	if err := check("a", 7); err == nil {
		t.Error("a mode that there is not was taken")
	}
}

func FuzzParseFileName(f *testing.F) {
	good := fileName(Lease{Session: "a b", Holder: holder, Mode: Exclusive})
	for _, name := range []string{good, "lease-a.s.b.1.2", "lease-.s.b.1.2", "lease-a.q.b.1.2", "lease-%41.s.b.1.2", "lease-%4.s.b.1.2",
		"lease-%2E.s.b.1.2", "lease-A.s.b.1.2", "lease-a.s.b.01.2", "lease-a.s.b.1", ".lock", "lease-a.s.b.1.2~", "a.s.b.1.2"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if l, ok := parseFileName(name); ok && fileName(l) != name {
			t.Errorf("%q read as %+v, which is %q", name, l, fileName(l))
		}
	})
}
