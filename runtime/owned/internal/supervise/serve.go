//go:build unix

package supervise

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/holdfast-go/holdfast/runtime/owned/internal/census"
)

// Serve is the supervisor in Go, for systems without /bin/sh: it reads the
// protocol from input and does at its end what the script does. ownerGroup is
// the process group of the owner, which is never signalled.
//
// The caller has to be a process of its own, in a session of its own, that
// ignores the signals of a terminal.
func Serve(input io.Reader, ownerGroup int) error {
	if syscall.Getpgrp() == ownerGroup {
		return errors.New("the supervisor is in the process group of its owner")
	}
	s := server{ownerGroup: ownerGroup, ownGroup: syscall.Getpgrp(), grace: 3 * time.Second, groups: map[int]Group{}}
	if s.listen(bufio.NewReaderSize(input, lineLimit+1)) {
		return nil
	}
	return s.finish()
}

// lineLimit is the most bytes of a line, without its end.
const lineLimit = 255

type server struct {
	ownerGroup, ownGroup int

	groups map[int]Group
	marks  Marks
	leaf   string
	grace  time.Duration
}

// listen reads lines until the input ends. It reports whether it was told to
// quit.
func (s *server) listen(input *bufio.Reader) (quit bool) {
	for {
		line, err := input.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			if err := skipLine(input); err != nil {
				return false
			}
			continue
		}
		if err != nil {
			return false // What is left has no end and is not acted on.
		}
		if s.obey(strings.TrimSuffix(string(line), "\n")) {
			return true
		}
	}
}

func skipLine(input *bufio.Reader) error {
	for {
		_, err := input.ReadSlice('\n')
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

func (s *server) obey(line string) (quit bool) {
	fields := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
	if len(fields) == 0 {
		return false
	}
	switch verb := fields[0] + " " + strconv.Itoa(len(fields)); verb {
	case "own 5":
		if group, ok := s.parseGroup(fields[1:]); ok {
			s.groups[group.ID] = group
		}
	case "drop 2":
		if id, ok := number(fields[1], 9); ok {
			delete(s.groups, int(id))
		}
	case "mark 3":
		if locks, ok := number(fields[2], 19); ok && isCookie(fields[1]) {
			s.marks = Marks{Cookie: fields[1], Locks: locks}
		}
	case "leaf 2":
		if filepath.IsAbs(fields[1]) {
			s.leaf = fields[1]
		}
	case "grace 2":
		if grace, ok := number(fields[1], 8); ok {
			s.grace = time.Duration(grace) * time.Millisecond
		}
	case "quit 1":
		return true
	}
	return false
}

func (s *server) parseGroup(fields []string) (Group, bool) {
	id, ok1 := number(fields[0], 9)
	member, ok2 := number(fields[1], 9)
	start, ok3 := number(fields[2], 20)
	grace, ok4 := number(fields[3], 8)
	group := Group{ID: int(id), Member: int(member), Start: start, Grace: time.Duration(grace) * time.Millisecond}
	safe := group.ID > 1 && group.ID != s.ownGroup && group.ID != s.ownerGroup
	return group, ok1 && ok2 && ok3 && ok4 && safe
}

// number takes digits only, without a leading zero.
func number(text string, digits int) (uint64, bool) {
	if text == "" || len(text) > digits || text[0] < '1' || text[0] > '9' {
		return 0, false
	}
	n, err := strconv.ParseUint(text, 10, 64)
	return n, err == nil
}

func isCookie(text string) bool {
	return len(text) == 32 && strings.Trim(text, "0123456789abcdef") == ""
}

// finish ends what is owned.
func (s *server) finish() error {
	ending := census.Ending{
		Claim:   census.Claim{Groups: map[int]census.Member{}, Cookie: s.marks.Cookie, Locks: s.marks.Locks, Leaf: s.leaf},
		Grace:   s.grace,
		GraceOf: map[int]time.Duration{},
	}
	for id, group := range s.groups {
		ending.Claim.Groups[id] = census.Member{PID: group.Member, Start: group.Start}
		ending.GraceOf[id] = group.Grace
	}
	if s.leaf != "" {
		ending.Kill = func() { os.WriteFile(filepath.Join(s.leaf, "cgroup.kill"), []byte("1"), 0) }
	}
	_, err := ending.Run()
	census.RemoveLeaf(s.leaf)
	return err
}
