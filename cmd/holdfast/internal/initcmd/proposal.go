package initcmd

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// A proposal is a change of one file, or says why there is none.
type proposal struct {
	file   string // absolute
	before []byte // nil if there is no such file
	after  []byte // nil to leave it as it is
	note   string // instead of a change, or after it
	add    string // what a person might add by hand
	quiet  bool   // the change is too long to be read
}

func (p proposal) isChange() bool { return p.after != nil && !bytes.Equal(p.before, p.after) }

// text returns what a person reads.
func (p proposal) text(in *project) string {
	name := in.show(p.file)
	var b strings.Builder
	switch {
	case p.isChange() && p.quiet:
		added := bytes.Count(p.after, []byte("\n")) - bytes.Count(p.before, []byte("\n"))
		fmt.Fprintf(&b, "# %s: %s more\n", name, count(added, "line"))
	case p.isChange():
		from := name
		if p.before == nil {
			from = "/dev/null" // as every diff has it
		}
		lines := diff.Diff(from, p.before, name, p.after)
		_, lines, _ = bytes.Cut(lines, []byte("\n")) // "diff old new" is for no program
		b.Write(lines)
	}
	if p.note != "" {
		fmt.Fprintf(&b, "# %s: %s\n", name, p.note)
	}
	for line := range strings.Lines(p.add) {
		b.WriteString("\t" + line)
	}
	return b.String()
}

// carryOut writes the file, unless it is not what the proposal was made for.
func (p proposal) carryOut(in *project) error {
	if !p.isChange() {
		return nil
	}
	var err error
	if p.before == nil {
		err = create(p.file, p.after)
	} else {
		err = p.replace()
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", in.show(p.file), err)
	}
	return nil
}

// create writes a file that must not exist.
func create(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}

var errChanged = errors.New("it has changed meanwhile; run holdfast init again")

// replace renames the new text over the old one, behind a symbolic link.
func (p proposal) replace() error {
	path, err := filepath.EvalSymlinks(p.file)
	if err != nil {
		return err
	}
	now, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, p.before) {
		return errChanged
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	_, err = file.Write(p.after)
	err = errors.Join(err, file.Chmod(info.Mode().Perm()), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		os.Remove(file.Name())
	}
	return err
}

// read returns a file's text; nil if there is none.
func read(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && text == nil {
		text = []byte{}
	}
	return text, err
}
