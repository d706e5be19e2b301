package libs

import "testing"

func TestHasKnowsPackagesInEveryMajorVersion(t *testing.T) {
	for path, want := range map[string]bool{
		"github.com/sevlyar/go-daemon":            true,
		"github.com/creack/pty/v2":                true,
		"gopkg.in/hlandau/service.v3/daemon":      true,
		"m/vendor/github.com/sevlyar/go-daemon":   true,
		"github.com/sevlyar/go-daemon/examples":   false,
		"os/exec":                                 false,
		"github.com/holdfast-go/holdfast/runtime": false,
	} {
		if got := Has(path); got != want {
			t.Errorf("Has(%q) = %t, want %t", path, got, want)
		}
	}
}
