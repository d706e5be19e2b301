package overlay

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestReplacementsTellTheirOriginal without the overlay that they are from.
func TestReplacementsTellTheirOriginal(t *testing.T) {
	dir := t.TempDir()
	original := filepath.Join(dir, "a folder", "a.go")
	o, err := Write(dir, map[string][]byte{original: []byte("package a\n")})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(o.File())
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Replace map[string]string }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	replacement := file.Replace[original]
	if text, err := os.ReadFile(replacement); err != nil || string(text) != "package a\n" {
		t.Errorf("the replacement holds %q, %v", text, err)
	}
	if err := o.Remove(); err != nil {
		t.Fatal(err)
	}
	if got := Original(replacement); got != original {
		t.Errorf("Original(%q) = %q", replacement, got)
	}
	if got := Original(original); got != original {
		t.Errorf("Original(%q) = %q", original, got)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
