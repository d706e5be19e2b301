package status

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/holdfast-go/holdfast/runtime/internal/atomicfile"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// maxSize bounds what is read: a status file is small, and whatever is larger is
// something else.
const maxSize = 16 << 20

var (
	// ErrNoField says that a document has nothing at a path.
	ErrNoField = errors.New("no such field")
	// ErrNotObject says that a file does not hold one JSON object.
	ErrNotObject = errors.New("not a JSON object")
	// ErrTooLarge says that a file is larger than 16 MiB.
	ErrTooLarge = errors.New("larger than 16 MiB")
)

// A Document is the content of a status file at one moment.
type Document struct {
	root *object
}

// Read reads the file at path. The error wraps [fs.ErrNotExist], [ErrNotObject]
// or [ErrTooLarge]. Read waits for the disk.
func Read(path string) (*Document, error) {
	data, _, err := readFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the status: %w", err)
	}
	root, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("reading the status %s: %w", path, err)
	}
	return &Document{root}, nil
}

// Decode stores the value at path in what v points to, as [json.Unmarshal] does.
// The empty path stands for the whole document. The error wraps [ErrNoField] if
// there is nothing.
func (d *Document) Decode(path string, v any) error {
	text, err := d.find(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("status field %q: %w", path, err)
	}
	return nil
}

// Process returns the identity that a Writer has published at path, by default
// at [DefaultProcess]. Whether that process lives is what its State says:
//
//	id.State() == procid.Gone
//
// decides it, and no time stamp does. The error wraps [ErrNoField] if there is
// none.
func (d *Document) Process(path string) (procid.Identity, error) {
	var id procid.Identity
	err := d.Decode(path, &id)
	return id, err
}

// String returns the document as compact JSON.
func (d *Document) String() string {
	return string(d.root.encode())
}

func (d *Document) find(path string) ([]byte, error) {
	if path == "" {
		return d.root.encode(), nil
	}
	n := &node{object: d.root}
	for _, name := range split(path) {
		o := n.open()
		if o == nil {
			return nil, fmt.Errorf("status field %q: %w", path, ErrNoField)
		}
		if n = o.get(name); n == nil {
			return nil, fmt.Errorf("status field %q: %w", path, ErrNoField)
		}
	}
	return n.append(nil), nil
}

// readFile reads a regular file within the bound. What is not regular is not
// opened: a pipe would be waited for.
func readFile(path string) ([]byte, os.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("not a regular file")}
	}
	file, err := atomicfile.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	if info, err = file.Stat(); err != nil {
		return nil, nil, err
	}
	data, err := io.ReadAll(io.LimitReader(file, maxSize+1))
	if err != nil {
		return nil, nil, err
	}
	if len(data) > maxSize {
		return nil, nil, &fs.PathError{Op: "read", Path: path, Err: ErrTooLarge}
	}
	return data, info, nil
}
