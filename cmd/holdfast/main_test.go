package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/goproxytest"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/check"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/suite"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/unit"
)

// In the scripts, holdfast is this program with one analyzer more, which
// -with=toy adds: see toy_test.go.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"holdfast": func() {
			logUnit(os.Args[1:])
			os.Exit(testProgram().run(os.Args[1:], os.Stdout, os.Stderr))
		},
		"unitmeter": func() { os.Exit(unitMeter()) },
	})
}

// unitLog is the environment variable with the name of a file to which the program
// writes the import path of every unit that it is run on.
const unitLog = "HOLDFAST_TEST_UNITS"

func logUnit(args []string) {
	name := os.Getenv(unitLog)
	if name == "" || !unit.IsInvocation(args) || !strings.HasSuffix(args[len(args)-1], ".cfg") {
		return
	}
	data, err := os.ReadFile(args[len(args)-1])
	var cfg struct{ ImportPath string }
	if err == nil {
		err = json.Unmarshal(data, &cfg)
	}
	var log *os.File
	if err == nil {
		log, err = os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	}
	if err == nil {
		_, err = log.WriteString(cfg.ImportPath + "\n")
	}
	if err != nil {
		panic(err)
	}
}

func testProgram() program {
	return program{
		suite: func() check.Suite {
			return check.Suite{
				Rules:    append(suite.Rules(), unit.Rule{Analyzer: toyAnalyzer, Set: "toy"}),
				With:     func(context.Context) (string, error) { return os.Executable() },
				Excluded: toyExcluded,
			}
		},
		version: "v0.0.0-test",
	}
}

// TestScripts runs the scripts, which share the user's build cache except where
// a fresh one is the point.
func TestScripts(t *testing.T) {
	cache := goEnv(t, "GOCACHE")
	proxy := goproxytest.NewTestServer(t, filepath.Join("testdata", "modules"), "")
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GOCACHE", cache)
			env.Setenv("GOMODCACHE", filepath.Join(env.WorkDir, ".mod"))
			env.Setenv("GOPROXY", "off")
			env.Setenv("MODULES", proxy.URL) // a proxy that has a holdfast
			env.Setenv("GONOSUMDB", "*")
			env.Setenv("GOTOOLCHAIN", "local")
			env.Setenv("GOFLAGS", "")
			for _, who := range []string{"AUTHOR", "COMMITTER"} {
				env.Setenv("GIT_"+who+"_NAME", "Test")
				env.Setenv("GIT_"+who+"_EMAIL", "test@example.com")
			}
			env.Setenv("NATIVE", runtime.GOOS)
			env.Setenv("TOOL", toolPath())
			env.Setenv("RANDOM", strconv.FormatInt(time.Now().UnixNano(), 36))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"losestdout": loseStdout,
			"code":       exitCode,
		},
	})
}

// toolPath is where testscript has put holdfast.
func toolPath() string {
	path, err := exec.LookPath("holdfast")
	if err != nil {
		return ""
	}
	return path
}

func goEnv(t testing.TB, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// exitCode runs a program that must end with the given exit code.
func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N program [args]")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = strconv.Itoa(exit.ExitCode())
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}

// loseStdout deletes from the script's own $GOCACHE what the tool printed, as a
// trimmed or half restored cache does, and leaves all else.
func loseStdout(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: losestdout")
	}
	lost := 0
	err := filepath.WalkDir(ts.Getenv("GOCACHE"), func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "-d") {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil && bytes.HasPrefix(data, []byte("{\n\t\"")) {
			lost++
			err = os.Remove(path)
		}
		return err
	})
	ts.Check(err)
	if lost == 0 {
		ts.Fatalf("there was no output in the cache")
	}
	ts.Logf("%d outputs lost", lost)
}

// toyExcluded adds to what the suite says of files without types.
func toyExcluded(dir string, files []string) ([]*finding.Finding, error) {
	found, err := suite.Excluded(dir, files)
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if bytes.Contains(data, []byte("func Bad")) {
			found = append(found, &finding.Finding{Category: "toy", Message: "excluded Bad", File: name, Line: 1, Col: 1})
		}
	}
	return found, nil
}
