// Package overlay gives the go command text that is not saved, by its flag
// -overlay, in a way that survives the go command's cache.
//
// The go command caches what a vet tool prints by the contents of the files, not
// by their names. What it prints for a saved file may have been said, in another
// process, of an unsaved text that was the same. So the name of a replacement
// tells by itself which file it stands for: below a folder of a fixed name it
// has that file's path.
package overlay

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// mirror is the folder below which a replacement has the path of its original.
// No person would call one so.
const mirror = ".holdfast-overlay~"

// An Overlay is a folder with replacements, for one run of the go command.
type Overlay struct {
	dir string
}

// Write makes an overlay in a new folder below parent. The keys of texts are
// absolute paths. Whoever calls it removes the overlay.
func Write(parent string, texts map[string][]byte) (*Overlay, error) {
	dir, err := os.MkdirTemp(parent, "overlay-")
	if err != nil {
		return nil, fmt.Errorf("writing an overlay: %w", err)
	}
	o := &Overlay{dir}
	if err := o.write(texts); err != nil {
		o.Remove()
		return nil, fmt.Errorf("writing an overlay: %w", err)
	}
	return o, nil
}

func (o *Overlay) write(texts map[string][]byte) error {
	replace := make(map[string]string)
	for original, text := range texts {
		name := filepath.Join(o.dir, mirror, encode(original))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(name, text, 0o600); err != nil {
			return err
		}
		replace[original] = name
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(o.File(), data, 0o600)
}

// File is the value of the go command's flag -overlay.
func (o *Overlay) File() string { return filepath.Join(o.dir, "overlay.json") }

// Remove removes the overlay's folder.
func (o *Overlay) Remove() error { return os.RemoveAll(o.dir) }

// Original returns the file that a replacement of any overlay stands for, and
// every other name unchanged.
func Original(name string) string {
	const separator = string(filepath.Separator)
	_, rest, found := strings.Cut(name, separator+mirror+separator)
	if !found {
		return name
	}
	return decode(rest)
}

// encode makes a relative path of an absolute one: a volume such as C: becomes
// the folder C$, and a share \\server\share the folder UNC$.
func encode(path string) string {
	volume := filepath.VolumeName(path)
	rest := path[len(volume):]
	switch {
	case volume == "":
		return rest
	case strings.HasSuffix(volume, ":"):
		return strings.TrimSuffix(volume, ":") + "$" + rest
	}
	return filepath.Join("UNC$", strings.TrimLeft(volume, `\/`)) + rest
}

func decode(path string) string {
	const separator = string(filepath.Separator)
	first, rest, _ := strings.Cut(path, separator)
	volume, isVolume := strings.CutSuffix(first, "$")
	switch {
	case !isVolume || separator == "/":
		return separator + path
	case volume == "UNC":
		return separator + separator + rest
	}
	return volume + ":" + separator + rest
}
