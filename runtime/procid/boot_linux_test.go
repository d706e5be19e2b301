package procid

import (
	"os"
	"strings"
	"testing"
)

func TestAnEarlierBootIsGoneAndAnotherNamespaceUnknown(t *testing.T) {
	self := Self()
	uuid := self.Boot[:bootIDLength]
	for name, test := range map[string]struct {
		boot string
		want State
	}{
		"this boot":                {self.Boot, Alive},
		"an earlier boot":          {strings.Repeat("0", 8) + uuid[8:], Gone},
		"another PID namespace":    {uuid + "-1234567890", CannotTell},
		"a boot that is too short": {"x", Gone},
	} {
		id := Identity{Boot: test.boot, PID: self.PID, Start: self.Start}
		if got := id.State(); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

func TestTheBootIsThatOfTheKernel(t *testing.T) {
	text, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(Self().Boot, strings.TrimSpace(string(text))) {
		t.Errorf("boot %q, the kernel says %q", Self().Boot, text)
	}
}

func TestParseBootIDRefuses(t *testing.T) {
	for _, text := range []string{"", "\n", "short\n", strings.Repeat("a", 37), strings.Repeat(":", 36), strings.Repeat("a", 36) + "\n\n"} {
		if id, err := parseBootID(text); err == nil {
			t.Errorf("parseBootID(%q) = %q", text, id)
		}
	}
}

func FuzzParseBootID(f *testing.F) {
	f.Add("b7c2d8f6-0b7e-4a34-9c43-cf6e4f8d2a11\n")
	f.Fuzz(func(t *testing.T, text string) {
		id, err := parseBootID(text)
		if err == nil && (len(id) != bootIDLength || strings.ContainsAny(id, ":/.\n ")) {
			t.Errorf("%q parsed as %q", text, id)
		}
	})
}

// A process that this user may not look into still has a state: it is the one
// thing that decides whether somebody else's process would be forgotten.
func TestProcessOneIsNobodysToForget(t *testing.T) {
	id, err := Of(1)
	if err != nil {
		t.Skip("PID 1 is hidden here: ", err)
	}
	if state := id.State(); state == Gone {
		t.Errorf("PID 1 is %v", state)
	}
}
