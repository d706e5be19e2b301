package detachedspawn_test

import (
	"testing"

	"github.com/holdfast-go/holdfast/analyzers/detachedspawn"
	"github.com/holdfast-go/holdfast/analyzers/internal/cases"
)

func TestCases(t *testing.T) {
	cases.Run(t, detachedspawn.Analyzer)
}
