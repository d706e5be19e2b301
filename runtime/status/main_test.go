package status_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// program makes the test binary one of the programs of the process tests.
const program = "HOLDFAST_TEST_STATUS_PROGRAM"

var programs = map[string]func(){
	"counter": runCounter,
	"victim":  runVictim,
}

func TestMain(m *testing.M) {
	if run := programs[os.Getenv(program)]; run != nil {
		run()
		return
	}
	goleak.VerifyTestMain(m)
}

// campaign returns how often to repeat: a few times, or as often as was asked for
// with HOLDFAST_E2E=1.
func campaign(short, long int) int {
	if os.Getenv("HOLDFAST_E2E") == "1" {
		return long
	}
	return short
}
