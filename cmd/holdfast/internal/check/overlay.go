package check

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/overlay"
)

// replaced maps the path of a file to that of the text which go vet sees in its
// place: the go command's flag -overlay. Text that deletes a file is left out.
type replaced map[string]string

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
	j.replaced = make(replaced)
	for original, replacement := range file.Replace {
		if replacement != "" {
			j.replaced[j.absolute(original)] = j.absolute(replacement)
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

// actual returns the file that holds the text of a file.
func (r replaced) actual(name string) string {
	if replacement, ok := r[name]; ok {
		return replacement
	}
	return name
}

// restore gives a finding the names of the files that people know.
func (r replaced) restore(f *finding.Finding) {
	r.rename(&f.File)
	for i := range f.Related {
		r.rename(&f.Related[i].File)
	}
	for _, fix := range f.Fixes {
		for i := range fix.Edits {
			r.rename(&fix.Edits[i].File)
		}
	}
}

func (r replaced) rename(name *string) {
	for original, replacement := range r {
		if replacement == *name {
			*name = original
			return
		}
	}
	*name = overlay.Original(*name)
}
