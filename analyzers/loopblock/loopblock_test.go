package loopblock_test

import (
	"testing"

	"github.com/holdfast-go/holdfast/analyzers/internal/cases"
	"github.com/holdfast-go/holdfast/analyzers/loopblock"
)

func TestCases(t *testing.T) {
	cases.Run(t, loopblock.Analyzer)
}
