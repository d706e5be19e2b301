package detachedspawn

import "testing"

// A file that Relevant denies is never analysed.
func TestRelevantFiles(t *testing.T) {
	tests := []struct {
		name    string
		imports []string
		content string
		want    bool
	}{
		{"starts processes", []string{"fmt", "os/exec"}, "", true},
		{"calls the system", []string{"golang.org/x/sys/windows"}, "", true},
		{"a library that detaches", []string{"github.com/sevlyar/go-daemon"}, "", true},
		{"another major version of one", []string{"github.com/creack/pty/v2"}, "", true},
		{"a command from elsewhere", nil, "s.Cmd.SysProcAttr.Setsid = true", true},
		{"its process let go of", nil, "s.Cmd.Process.Release()", true},
		{"the os package alone", []string{"os"}, "os.StartProcess(name, argv, attr)", true},
		{"nothing of that", []string{"os", "fmt"}, "package p // starts nothing", false},
	}
	for _, test := range tests {
		if got := Relevant(test.imports, []byte(test.content)); got != test.want {
			t.Errorf("%s: Relevant = %t, want %t", test.name, got, test.want)
		}
	}
}
