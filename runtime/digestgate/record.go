package digestgate

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/holdfast-go/holdfast/runtime/internal/atomicfile"
)

// A record is what is known of a step's last run, as its file holds it.
type record struct {
	Format  int     `json:"format"`
	Step    string  `json:"step"`
	Dir     string  `json:"dir"`
	Running bool    `json:"running,omitempty"` // begun, and not known to have succeeded
	Inputs  digests `json:"inputs,omitempty"`  // as the run found them
}

// format is raised when records, or what goes into a digest, change their
// meaning.
const format = 1

// maxRecord bounds what is read of a record: some hundred thousand inputs.
const maxRecord = 64 << 20

func (g *Gate) load(step Step) (record, error) {
	path, err := g.recordPath(step)
	if err != nil {
		return record{}, err
	}
	file, err := atomicfile.Open(path)
	if err != nil {
		return record{}, err
	}
	defer file.Close()
	var r record
	decoder := json.NewDecoder(io.LimitReader(file, maxRecord))
	if err := decoder.Decode(&r); err != nil {
		return record{}, fmt.Errorf("reading %s: %w", path, err)
	}
	dir, err := filepath.Abs(step.Dir)
	if err != nil {
		return record{}, err
	}
	if r.Format != format || r.Step != step.Name || r.Dir != dir {
		return record{}, errors.New("it is of another step or format")
	}
	return r, nil
}

// store writes the record as a whole and forces it to the disk: a step must
// not begin before it is on the disk that it has begun.
func (g *Gate) store(step Step, r record) error {
	dir, err := filepath.Abs(step.Dir)
	if err != nil {
		return err
	}
	r.Format, r.Step, r.Dir = format, step.Name, dir
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	path, err := g.recordPath(step)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(g.dir, 0o700); err != nil {
		return err
	}
	return atomicfile.Write(path, append(text, '\n'), atomicfile.SyncFolder)
}

// recordPath returns a name that people recognise, made unique for the name
// and the directory of the step.
func (g *Gate) recordPath(step Step) (string, error) {
	dir, err := filepath.Abs(step.Dir)
	if err != nil {
		return "", err
	}
	unique := sha256.Sum256([]byte(step.Name + "\x00" + dir))
	return filepath.Join(g.dir, fmt.Sprintf("%s-%x.json", readable(step.Name), unique[:8])), nil
}

// readable keeps at most 40 letters, digits and dashes of a name.
func readable(name string) string {
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, name)
	return name[:min(len(name), 40)]
}
