package campaign

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/owned"
)

// endToEnd asks for the long form of the campaigns and for real programs.
var endToEnd = os.Getenv("HOLDFAST_E2E") != ""

// The test program is also the owners that the tests kill: with this variable
// it plays one.
const orderVariable = "CAMPAIGN_ORDER"

func TestMain(m *testing.M) {
	owned.Hook()
	if text, ok := os.LookupEnv(orderVariable); ok {
		var o order
		if err := json.Unmarshal([]byte(text), &o); err != nil {
			panic(err)
		}
		if o.Strict {
			must(owned.Strict())
		}
		os.Unsetenv(orderVariable)
		play(o)
		return
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "campaign-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.Setenv(ledger.DirVariable, filepath.Join(dir, "ledger"))
	buildDriver(dir)
	os.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	return m.Run()
}

// buildDriver builds the one small program that is in Go. Without it its family
// is left out, as others are without python3.
func buildDriver(dir string) {
	build := exec.Command("go", "build", "-o", dir, "./testdata/families/embedded-driver")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building the embedded driver: %v %s\n", err, out)
	}
}
