package check

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
)

// An overlay maps the path of a file with replaced text to that of the file
// which it stands for: go vet sees the one, people know the other.
type overlay map[string]string

// readOverlay reads the file of the go command's -overlay flag, if there is one.
func (j *judge) readOverlay() error {
	name := j.env.flagOf("overlay")
	for _, flag := range j.BuildFlags {
		if value, ok := strings.CutPrefix(flag, "-overlay="); ok {
			name = value
		}
	}
	if name == "" {
		return nil
	}
	data, err := os.ReadFile(j.absolute(name))
	if err != nil {
		return fmt.Errorf("reading the overlay: %w", err)
	}
	var file struct{ Replace map[string]string }
	if err := json.Unmarshal(data, &file); err != nil {
		return fmt.Errorf("reading the overlay %s: %w", name, err)
	}
	j.overlay = make(overlay)
	for original, replacement := range file.Replace {
		if replacement != "" { // which deletes the file
			j.overlay[j.absolute(replacement)] = j.absolute(original)
		}
	}
	return nil
}

func (j *judge) absolute(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(j.Dir, path)
}

// restore gives a finding the names of the files that people know.
func (o overlay) restore(f *finding.Finding) {
	replace := func(name *string) {
		if original, ok := o[*name]; ok {
			*name = original
		}
	}
	if len(o) == 0 {
		return
	}
	replace(&f.File)
	for i := range f.Related {
		replace(&f.Related[i].File)
	}
	for _, fix := range f.Fixes {
		for i := range fix.Edits {
			replace(&fix.Edits[i].File)
		}
	}
}
