package digestgate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
)

// digests holds the digest of each input: of a file by its path, of an extra
// string by its place.
type digests map[input]string

// An input is "file PATH" or "extra N".
type input string

func fileInput(path string) input { return input("file " + path) }
func extraInput(n int) input      { return input("extra " + strconv.Itoa(n)) }

// absent stands for the digest of a file that is not there.
const absent = "absent"

// digest reads all inputs of the step.
func (s Step) digest(ctx context.Context) (digests, error) {
	inputs := make(digests)
	for i, extra := range s.Extra {
		inputs[extraInput(i)] = sum(sha256.New(), []byte(extra))
	}
	paths := slices.Clone(s.Files)
	for _, pattern := range s.Globs {
		found, err := s.expand(pattern)
		if err != nil {
			return nil, fmt.Errorf("expanding %q: %w", pattern, err)
		}
		paths = append(paths, found...)
	}
	for _, path := range paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if _, done := inputs[fileInput(path)]; done {
			continue
		}
		digest, err := s.digestFile(path)
		if err != nil {
			return nil, err
		}
		inputs[fileInput(path)] = digest
	}
	return inputs, nil
}

func (s Step) digestFile(path string) (string, error) {
	// Looked at before it is opened: opening a pipe waits for a writer.
	info, err := os.Stat(s.path(path))
	if isMissing(err) {
		return absent, nil
	}
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("input %s is not a regular file", path)
	}
	file, err := os.Open(s.path(path))
	if isMissing(err) {
		return absent, nil
	}
	if err != nil {
		return "", err
	}
	defer file.Close()
	if s.Project != nil {
		return s.digestProjected(path, file)
	}
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", err
	}
	return sum(h, nil), nil
}

func (s Step) digestProjected(path string, file io.Reader) (string, error) {
	content, err := io.ReadAll(io.LimitReader(file, MaxProjected+1))
	if err != nil {
		return "", err
	}
	if len(content) > MaxProjected {
		return "", fmt.Errorf("projecting %s: it is larger than %d bytes", path, MaxProjected)
	}
	projected, err := s.Project(path, content)
	if err != nil {
		return "", fmt.Errorf("projecting %s: %w", path, err)
	}
	return sum(sha256.New(), projected), nil
}

func sum(h hash.Hash, content []byte) string {
	h.Write(content)
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// change says which input differs now, the first one in order, or "".
func (before digests) change(now digests) string {
	all := maps.Clone(before)
	maps.Copy(all, now)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		was, had := before[name]
		is, has := now[name]
		switch {
		case had && has && was == is:
		case !has || is == absent:
			return string(name) + " is gone"
		case !had || was == absent:
			return string(name) + " is new"
		default:
			return string(name) + " has changed"
		}
	}
	return ""
}
