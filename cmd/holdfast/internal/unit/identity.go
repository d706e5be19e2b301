package unit

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"strings"
)

// printVersion answers -V=full: the go command keys its cache with the last
// field, so that another build of the tool sees none of this one's results.
func printVersion(stdout io.Writer, value, companion string) error {
	if value != "full" {
		return fmt.Errorf("unsupported flag value -V=%s (use -V=full)", value)
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("identifying the executable: %w", err)
	}
	id, err := executableID(self)
	if err != nil {
		return fmt.Errorf("identifying the executable: %w", err)
	}
	if companion != "" {
		other, err := executableID(companion)
		if err != nil {
			return fmt.Errorf("identifying %s: %w", companion, err)
		}
		id += "+" + other
	}
	_, err = fmt.Fprintf(stdout, "%s version devel buildID=%s\n", programName(), id)
	return err
}

// executableID identifies the contents of an executable.
func executableID(name string) (string, error) {
	file, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	return contentID(file)
}

// buildIDRange is how far into an executable the build ID can be: the linker
// puts it into a note among the headers (ELF) or at the start of the text
// segment, and cmd/internal/buildid, too, looks no further than 32 KiB.
const buildIDRange = 32 << 10

// contentID returns the linker's hash of the executable's contents, which costs
// one read, or a hash of the whole file where the build ID was stripped.
func contentID(file io.Reader) (string, error) {
	head := make([]byte, buildIDRange)
	n, err := io.ReadFull(file, head)
	if err != nil && err != io.ErrUnexpectedEOF {
		return "", err
	}
	head = head[:n]
	if id := buildID(head); id != "" {
		// actionID/…/contentID: the last part is the hash of the contents.
		return id[strings.LastIndexByte(id, '/')+1:], nil
	}
	hash := sha256.New()
	hash.Write(head)
	if _, err := io.Copy(hash, file); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", hash.Sum(nil)), nil
}

// buildID finds the build ID in the head of an executable, or returns "".
func buildID(head []byte) string {
	if id := elfBuildID(head); id != "" {
		return id
	}
	_, rest, found := bytes.Cut(head, []byte("\xff Go build ID: \""))
	id, _, closed := bytes.Cut(rest, []byte("\"\n \xff"))
	if !found || !closed {
		return ""
	}
	return string(id)
}

// elfBuildID finds the build ID in the ELF note that the linker writes: the
// lengths of name and text, the note's type (4), its name ("Go"), its text.
func elfBuildID(head []byte) string {
	before, text, found := bytes.Cut(head, []byte("\x04\x00\x00\x00Go\x00\x00"))
	if !found || !bytes.HasPrefix(head, []byte("\x7fELF")) || len(before) < 4 {
		return ""
	}
	size := binary.LittleEndian.Uint32(before[len(before)-4:])
	if uint64(size) > uint64(len(text)) {
		return ""
	}
	return string(text[:size])
}
