package analyzers_test

import (
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/holdfast-go/holdfast/analyzers"
)

func TestSuiteIsValid(t *testing.T) {
	all := analyzers.New().All()
	if len(all) == 0 {
		t.Fatal("the suite is empty")
	}
	if err := analysis.Validate(all); err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if a.Doc == "" || a.URL == "" {
			t.Errorf("%s has no documentation or address", a.Name)
		}
	}
}
