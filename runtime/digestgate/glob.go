package digestgate

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
)

const anyFolders = "**"

func validatePattern(pattern string) error {
	if pattern == "" || path.IsAbs(pattern) {
		return errors.New("it is not a relative path")
	}
	for part := range strings.SplitSeq(pattern, "/") {
		if part == anyFolders {
			continue
		}
		if strings.Contains(part, anyFolders) {
			return errors.New(`"**" has to stand alone between slashes`)
		}
		if _, err := path.Match(part, ""); err != nil {
			return err
		}
	}
	if path.Base(pattern) == anyFolders {
		return errors.New(`it ends in "**": say "**/*"`)
	}
	return nil
}

// expand returns the files that match the pattern, relative to the step's
// directory. A file that a pattern with "**" finds twice is there twice.
func (s Step) expand(pattern string) ([]string, error) {
	e := expansion{step: s}
	err := e.match("", strings.Split(path.Clean(pattern), "/"))
	return e.files, err
}

type expansion struct {
	step  Step
	files []string
}

// match finds what the parts match below folder.
func (e *expansion) match(folder string, parts []string) error {
	part, rest := parts[0], parts[1:]
	if part == anyFolders {
		return e.matchAnyFolders(folder, parts)
	}
	if !strings.ContainsAny(part, `*?[\`) {
		return e.descend(path.Join(folder, part), rest)
	}
	entries, err := e.entries(folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if ok, _ := path.Match(part, entry.Name()); !ok {
			continue
		}
		if err := e.descend(path.Join(folder, entry.Name()), rest); err != nil {
			return err
		}
	}
	return nil
}

// matchAnyFolders matches the parts after "**" in folder, and all of them in
// its folders. Links to folders are left out, as they can lead in a circle.
func (e *expansion) matchAnyFolders(folder string, parts []string) error {
	if err := e.match(folder, parts[1:]); err != nil {
		return err
	}
	entries, err := e.entries(folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		if err := e.match(path.Join(folder, entry.Name()), parts); err != nil {
			return err
		}
	}
	return nil
}

// descend goes on in name with the parts that are left. With none left, name
// is a match if it is a file.
func (e *expansion) descend(name string, rest []string) error {
	if len(rest) > 0 {
		return e.match(name, rest)
	}
	info, err := os.Stat(e.step.path(name))
	switch {
	case isMissing(err):
		return nil
	case err != nil:
		return err
	}
	if info.Mode().IsRegular() {
		e.files = append(e.files, name)
	}
	return nil
}

// entries lists a folder; what is none has no entries.
func (e *expansion) entries(folder string) ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(e.step.path(folder))
	if isMissing(err) {
		return nil, nil
	}
	return entries, err
}

func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
