package workspace

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestFoldersOfTheDeadAreSwept kills the owner of one folder, while another one
// lives and a third is nobody's for all one can tell.
func TestFoldersOfTheDeadAreSwept(t *testing.T) {
	dir := os.Getenv("HOLDFAST_TEST_FOLDER")
	if dir != "" { // the owner that dies
		f, err := newFolder(dir)
		if err != nil {
			t.Fatal(err)
		}
		os.Stdout.WriteString(f.path)
		os.Stdout.Close()
		select {}
	}
	dir = t.TempDir()
	living, err := newFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	unknown := filepath.Join(dir, folderPrefix+"unknown")
	if err := os.Mkdir(unknown, 0o700); err != nil {
		t.Fatal(err)
	}
	dead := deadFolder(t, dir)
	again, err := newFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer again.remove()
	for path, want := range map[string]bool{living.path: true, unknown: true, dead: false, again.path: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: %v, want it there: %t", path, err, want)
		}
	}
	living.remove()
	if _, err := os.Stat(living.path); err == nil {
		t.Error("a removed folder is still there")
	}
}

func deadFolder(t *testing.T, dir string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestFoldersOfTheDeadAreSwept$")
	cmd.Env = append(os.Environ(), "HOLDFAST_TEST_FOLDER="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	path := make([]byte, 4096)
	n, err := out.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(string(path[:n])); err != nil {
		t.Fatal(err)
	}
	cmd.Process.Kill()
	cmd.Wait()
	return string(path[:n])
}
