package loopblock_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/holdfast-go/holdfast/analyzers/loopblock"
)

// TestEntriesAreNoted where they are declared, only when asked.
func TestEntriesAreNoted(t *testing.T) {
	dir, cleanup, err := analysistest.WriteFiles(map[string]string{"p/p.go": `package p

//holdfast:loop allow=disk,net
func handle(name string) {} // want "^event loop; allows disk, net$"

//holdfast:loop
func run(events chan int) {
	for range events { // want "^event loop$"
	}
}

func plain() {}
`})
	if err != nil {
		t.Fatal(err)
	}
	defer cleanup()
	results := analysistest.Run(t, dir, loopblock.New(loopblock.Options{Entries: true}), "p")
	for _, d := range results[0].Diagnostics {
		if d.Category != loopblock.Entry {
			t.Errorf("%q has category %s", d.Message, d.Category)
		}
	}
	for _, result := range analysistest.Run(silent{}, dir, loopblock.New(loopblock.Options{}), "p") {
		for _, d := range result.Diagnostics {
			t.Errorf("without being asked: %s", d.Message)
		}
	}
}

// silent takes the complaints of analysistest about what is not reported.
type silent struct{}

func (silent) Errorf(string, ...any) {}
