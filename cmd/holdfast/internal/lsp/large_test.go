package lsp_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/lsptest"
)

// largeModule is how many packages the module of [TestLargeModule] has: about
// as many as gopls and all that it depends on.
const largeModule = 700

// mostMemory is what the server may take for it, in MB, without the go commands
// that it runs.
const mostMemory = 150

// TestLargeModule has the server, as a process of its own, judge a module of 700
// packages with a few files open, and then with one file of every package open. It
// prints how much memory the server took and how long it was from a keystroke to
// its findings.
func TestLargeModule(t *testing.T) {
	if os.Getenv("HOLDFAST_E2E") != "1" {
		t.Skip("HOLDFAST_E2E=1 judges a module of 700 packages")
	}
	root := t.TempDir()
	writeLargeModule(t, root)
	build := exec.Command("go", "build", "./...") // as its author has
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s := startProcess(t, root)

	begin := time.Now()
	s.openPackages(0, 10)
	t.Logf("10 files open: %.0f ms until all are judged", milliseconds(begin))
	s.measureKeystrokes(9, 0)

	begin = time.Now()
	for from := 10; from < largeModule; from += 30 { // a step at a time, each of which has its bound
		s.openPackages(from, from+30)
	}
	t.Logf("%d files open: %.0f ms until all are judged", largeModule, milliseconds(begin))
	s.measureKeystrokes(largeModule-1, 0)

	peak := peakMB(s.process.Pid)
	t.Logf("the server took %.0f MB at most", peak)
	if peak == 0 || peak > mostMemory {
		t.Errorf("want %d MB at most", mostMemory)
	}
	s.quit(0)
}

// measureKeystrokes edits files that are open, and undoes that. All packages depend
// on the first one.
func (s *processSession) measureKeystrokes(numbers ...int) {
	s.t.Helper()
	for _, number := range numbers {
		name := fileOf(number)
		var times []time.Duration
		for i := range 5 {
			begin := time.Now()
			s.SetText(name, largeFile(number)+fmt.Sprintf("\n//holdfast:loop\nfunc keystroke() { os.Remove(\"%d\") }\n", i))
			s.awaitVersion(name)
			times = append(times, time.Since(begin))
		}
		s.SetText(name, largeFile(number))
		s.ours(name)
		s.t.Logf("from a keystroke in package %d to its findings: %d ms (median of %d)", number, median(times).Milliseconds(), len(times))
	}
}

// openPackages opens one file of each and waits for the findings that are in them.
func (s *processSession) openPackages(from, to int) {
	s.t.Helper()
	for number := from; number < to; number++ {
		if !s.IsOpen(fileOf(number)) {
			s.Open(fileOf(number))
		}
	}
	for number := from; number < to; number++ {
		if want := largeFinding(number); want != "" {
			s.ours(fileOf(number), want)
		}
	}
}

func fileOf(number int) string { return fmt.Sprintf("p%03d/a.go", number) }

// largeFile is the first file of a package: every tenth one has a loop that blocks,
// through another package, or detaches a child.
func largeFile(number int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package p%03d\n\nimport (\n\t\"os\"\n\t\"os/exec\"\n\t\"syscall\"\n\n", number)
	for _, other := range largeImports(number) {
		fmt.Fprintf(&b, "\t\"large.example/m/p%03d\"\n", other)
	}
	b.WriteString(")\n\nvar _ = os.Args\n\nvar _ syscall.Signal\n\nfunc Run(cmd *exec.Cmd) error {\n")
	for _, other := range largeImports(number) {
		fmt.Fprintf(&b, "\tif err := p%03d.Run(cmd); err != nil {\n\t\treturn err\n\t}\n", other)
	}
	b.WriteString("\treturn cmd.Err\n}\n")
	if number%20 == 5 {
		b.WriteString("\nfunc detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }\n")
	}
	if number%20 == 15 {
		fmt.Fprintf(&b, "\n//holdfast:loop\nfunc Update() { p%03d.Save(\"name\") }\n", largeImports(number)[0])
	}
	return b.String()
}

// largeFinding is what is found in the first file, or "".
func largeFinding(number int) string {
	switch number % 20 {
	case 5:
		return "detached-spawn Setsid"
	case 15:
		return "loop-block Update runs on an event loop and waits on disk: Save (p"
	}
	return ""
}

// largeImports returns which earlier packages a package imports: the first one, the
// one before it, and two in between.
func largeImports(number int) []int {
	var imports []int
	for _, other := range []int{0, number / 3, number / 2, number - 1} {
		if other >= 0 && other < number && (len(imports) == 0 || other > imports[len(imports)-1]) {
			imports = append(imports, other)
		}
	}
	return imports
}

func writeLargeModule(t *testing.T, root string) {
	t.Helper()
	write(t, filepath.Join(root, "go.mod"), "module large.example/m\n\ngo 1.26\n")
	for number := range largeModule {
		dir := filepath.Join(root, fmt.Sprintf("p%03d", number))
		write(t, filepath.Join(root, fileOf(number)), largeFile(number))
		write(t, filepath.Join(dir, "save.go"), fmt.Sprintf("package p%03d\n\nimport \"os\"\n\nfunc Save(name string) error { return os.WriteFile(name, nil, 0o600) }\n", number))
		if number%2 == 0 {
			write(t, filepath.Join(dir, "types.go"), fmt.Sprintf("package p%03d\n\n%s", number, largeTypes()))
		}
	}
}

// largeTypes is code that has to be read and has no findings.
func largeTypes() string {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "// A T%[1]d is one of many.\ntype T%[1]d struct {\n\tName string\n\tnext *T%[1]d\n}\n\nfunc (t *T%[1]d) Len() int {\n\tn := 0\n\tfor ; t != nil; t = t.next {\n\t\tn++\n\t}\n\treturn n\n}\n\n", i)
	}
	return b.String()
}

// A processSession has the server in a process of its own.
type processSession struct {
	*session
	process *os.Process
}

func startProcess(t *testing.T, root string) *processSession {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &session{t: t, temp: t.TempDir(), code: make(chan int, 1)}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), asCommand+"=1", "TMPDIR="+s.temp, "GOFLAGS=")
	cmd.Stderr = testWriter{t}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, toUs, err := os.Pipe() // which, unlike StdoutPipe, may be read after the end
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = toUs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	toUs.Close()
	go func() { cmd.Wait(); s.code <- cmd.ProcessState.ExitCode() }()
	t.Cleanup(func() { cmd.Process.Kill(); out.Close() })
	s.Editor = lsptest.Connect(t, root, io.Reader(out), in)
	return &processSession{s, cmd.Process}
}

func milliseconds(since time.Time) float64 { return float64(time.Since(since).Milliseconds()) }

// peakMB is the most memory that a process ever had, or 0 if nobody says.
func peakMB(pid int) float64 {
	data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			var kB float64
			fmt.Sscan(rest, &kB)
			return kB / 1024
		}
	}
	return 0
}
