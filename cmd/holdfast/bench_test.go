package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// BenchmarkAgainstVet runs holdfast, stock go vet and staticcheck on one module,
// in turns, with compiled packages warm, and prints what they cost:
//
//	go test -run=NONE -bench=AgainstVet -benchtime=3x ./cmd/holdfast
//	HOLDFAST_BENCH_MODULE=/path/to/module go test …
//
// "cold" has no vet results in the cache, "warm" is the same command again. CPU is
// user and system time of the command and all that it started. Every number is
// the least of all rounds. The bars are holdfast/vet: cold CPU 0.6, warm CPU
// 1.2, memory of the largest unit 1.
func BenchmarkAgainstVet(b *testing.B) {
	module := cmp.Or(os.Getenv("HOLDFAST_BENCH_MODULE"), filepath.Join("..", ".."))
	bench := newBench(b, module)
	best := make(map[string]cost)
	b.ResetTimer()
	for b.Loop() {
		for _, c := range bench.contestants() {
			for _, phase := range []string{"cold", "warm"} {
				bench.keep(best, c.name+" "+phase, c.command(phase == "cold"))
			}
		}
	}
	bench.keepUnit(best, "vet unit", bench.stockTool())
	bench.keepUnit(best, "holdfast unit", bench.holdfast)
	bench.report(best)
}

// A cost is what one command used.
type cost struct {
	cpu, wall time.Duration
	rss       int64 // bytes, of the largest process
}

type bench struct {
	b        *testing.B
	module   string // folder
	dir      string // for programs and caches
	holdfast string // the program
	salt     string // of the last cold run of go vet
	round    int
}

type contestant struct {
	name    string
	command func(cold bool) *exec.Cmd
}

func newBench(b *testing.B, module string) *bench {
	s := &bench{b: b, module: module, dir: b.TempDir()}
	s.holdfast = filepath.Join(s.dir, "holdfast")
	s.must(exec.Command("go", "build", "-o", s.holdfast, "."))
	s.must(s.in(exec.Command("go", "build", "./...")))
	s.must(s.vet("holdfastbenchwarmup")) // compiles what tests import
	return s
}

func (s *bench) contestants() []contestant {
	return []contestant{
		{"vet", s.stock},
		{"holdfast", s.check},
		{"staticcheck", s.staticcheck},
	}
}

// fresh returns a word that no cache has seen.
func (s *bench) fresh() string {
	s.round++
	return fmt.Sprintf("holdfastbench%d%d", time.Now().UnixNano(), s.round)
}

// stock is go vet; the name of a print function is part of the key of its cache.
func (s *bench) stock(cold bool) *exec.Cmd {
	if cold {
		s.salt = s.fresh()
	}
	return s.vet(s.salt)
}

func (s *bench) vet(salt string) *exec.Cmd {
	return s.in(exec.Command("go", "vet", "-printf.funcs="+salt, "./..."))
}

// check is holdfast check on one platform. Another build ID makes it another
// tool to the go command.
func (s *bench) check(cold bool) *exec.Cmd {
	if cold {
		s.changeID()
	}
	return s.in(exec.Command(s.holdfast, "check", "-platforms="+runtime.GOOS, "./..."))
}

func (s *bench) staticcheck(cold bool) *exec.Cmd {
	cache := filepath.Join(s.dir, "staticcheck")
	if cold {
		if err := os.RemoveAll(cache); err != nil {
			s.b.Fatal(err)
		}
	}
	out, err := exec.Command("go", "tool", "-n", "staticcheck").Output()
	if err != nil {
		s.b.Fatal(err)
	}
	cmd := s.in(exec.Command(strings.TrimSpace(string(out)), "./..."))
	cmd.Env = append(os.Environ(), "STATICCHECK_CACHE="+cache)
	return cmd
}

// changeID gives the program another content ID of the same length.
func (s *bench) changeID() {
	out, err := exec.Command("go", "tool", "buildid", s.holdfast).Output()
	if err != nil {
		s.b.Fatal(err)
	}
	id := strings.TrimSpace(string(out))
	old := id[strings.LastIndexByte(id, '/')+1:]
	digits := strconv.FormatInt(time.Now().UnixNano(), 10)
	changed := (digits + old)[:len(old)]
	data, err := os.ReadFile(s.holdfast)
	if err == nil {
		err = os.WriteFile(s.holdfast, bytes.ReplaceAll(data, []byte(old), []byte(changed)), 0o755)
	}
	if err != nil {
		s.b.Fatal(err)
	}
}

func (s *bench) in(cmd *exec.Cmd) *exec.Cmd {
	cmd.Dir = s.module
	return cmd
}

func (s *bench) must(cmd *exec.Cmd) {
	if out, err := cmd.CombinedOutput(); err != nil {
		s.b.Logf("%v: %v\n%s", cmd, err, out) // findings are no reason to stop
	}
}

// keep runs a command and keeps the least of each of its costs.
func (s *bench) keep(best map[string]cost, name string, cmd *exec.Cmd) {
	s.b.Helper()
	start := time.Now()
	out, err := cmd.CombinedOutput()
	wall := time.Since(start)
	if code := cmd.ProcessState.ExitCode(); code != 0 && code != 1 {
		s.b.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	got := cost{cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), wall, maxRSS(cmd.ProcessState)}
	if old, ok := best[name]; ok {
		got = cost{min(got.cpu, old.cpu), min(got.wall, old.wall), min(got.rss, old.rss)}
	}
	best[name] = got
}

// keepUnit runs go vet with a vet tool once more, to see what its largest unit
// takes: the go command itself is larger than many.
func (s *bench) keepUnit(best map[string]cost, name, tool string) {
	file := filepath.Join(s.dir, "units")
	os.Remove(file)
	meter, err := exec.LookPath("unitmeter")
	if err != nil {
		s.b.Fatal(err)
	}
	cmd := s.in(exec.Command("go", "vet", "-a", "-vettool="+meter, "./..."))
	cmd.Env = append(os.Environ(), "UNITMETER_TOOL="+tool, "UNITMETER_FILE="+file)
	s.must(cmd)
	data, err := os.ReadFile(file)
	if err != nil {
		s.b.Fatal(err)
	}
	var largest int64
	for field := range strings.FieldsSeq(string(data)) {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			s.b.Fatal(err)
		}
		largest = max(largest, n)
	}
	best[name] = cost{rss: largest}
}

// unitMeter stands between the go command and a vet tool and notes how much
// memory each unit takes.
func unitMeter() int {
	cmd := exec.CommandContext(context.Background(), os.Getenv("UNITMETER_TOOL"), os.Args[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if file, err := os.OpenFile(os.Getenv("UNITMETER_FILE"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666); err == nil {
		fmt.Fprintln(file, maxRSS(cmd.ProcessState))
		file.Close()
	}
	return cmd.ProcessState.ExitCode()
}

func (s *bench) stockTool() string {
	out, err := exec.Command("go", "tool", "-n", "vet").Output()
	if err != nil {
		s.b.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func (s *bench) report(best map[string]cost) {
	var table strings.Builder
	fmt.Fprintf(&table, "\n| %-17s | %8s | %8s | %7s |\n| --- | --: | --: | --: |\n", "", "CPU", "wall", "memory")
	names := []string{"vet cold", "holdfast cold", "staticcheck cold", "vet warm", "holdfast warm", "staticcheck warm", "vet unit", "holdfast unit"}
	for _, name := range names {
		c := best[name]
		fmt.Fprintf(&table, "| %-17s | %7.2fs | %7.2fs | %4d MB |\n", name, c.cpu.Seconds(), c.wall.Seconds(), c.rss>>20)
	}
	s.b.Log(table.String())
	for _, phase := range []string{"cold", "warm"} {
		ours, theirs := best["holdfast "+phase], best["vet "+phase]
		s.b.ReportMetric(ours.cpu.Seconds()/theirs.cpu.Seconds(), phase+"-cpu/vet")
		s.b.ReportMetric(ours.wall.Seconds()/theirs.wall.Seconds(), phase+"-wall/vet")
	}
	s.b.ReportMetric(float64(best["holdfast unit"].rss)/float64(best["vet unit"].rss), "unit-memory/vet")
	s.b.ReportMetric(0, "ns/op")
}
