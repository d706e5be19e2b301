package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

// The events of a row.
const (
	// EventOpen is the owner's row about itself: its Command and Dir. It may
	// have marks, as EventMark.
	EventOpen = "open"
	// EventMark is what descendants of the owner are known by, wherever they
	// are: Cookie, Locks and Leaf, as far as there are any. Marks add up.
	EventMark = "mark"
	// EventStart is a child that the owner started.
	EventStart = "start"
	// EventOwn is a group that the owner took charge of; something else
	// started it.
	EventOwn = "own"
	// EventKeep is a child that is meant to outlive the owner; Reason says why.
	EventKeep = "keep"
	// EventRelease is a child or group that the owner is no longer in charge of.
	EventRelease = "release"
	// EventExit is a child that ended.
	EventExit = "exit"
)

// An Entry is one row of the ledger. EventOpen and EventMark need nothing else,
// the others a Process or a Group, and EventKeep a Reason.
type Entry struct {
	Time    time.Time       `json:"time"`             // of the event; now if zero
	Event   string          `json:"event"`            // one of the constants
	Process procid.Identity `json:"process,omitzero"` // the child, or the leader of the group
	Group   int             `json:"group,omitzero"`   // its process group, or 0
	Session int             `json:"session,omitzero"` // its session, or 0
	Name    string          `json:"name,omitzero"`    // what people call it
	Family  string          `json:"family,omitzero"`  // what kind of child it is
	Reason  string          `json:"reason,omitzero"`  // why it may outlive its owner
	Command []string        `json:"command,omitzero"` // at most 10 words and 1 KiB, for people to read
	Dir     string          `json:"dir,omitzero"`     // its working directory
	Log     string          `json:"log,omitzero"`     // the file its output goes to
	Cookie  string          `json:"cookie,omitzero"`  // the text that its environment holds
	Locks   uint64          `json:"locks,omitzero"`   // its soft limit on file locks (RLIMIT_LOCKS)
	Leaf    string          `json:"leaf,omitzero"`    // the directory of its cgroup
}

// The bounds of a row. Longer texts for people are cut; a row that is too long
// all the same is an error, since a path that is cut leads nowhere.
const (
	maxWords = 10
	maxText  = 1 << 10
	maxRow   = 32 << 10
)

// row returns the entry as a line.
func (e Entry) row() ([]byte, error) {
	if err := e.validate(); err != nil {
		return nil, err
	}
	line, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	if len(line) >= maxRow {
		return nil, fmt.Errorf("the row is %d bytes long; at most %d are kept", len(line), maxRow)
	}
	return append(line, '\n'), nil
}

func (e Entry) validate() error {
	switch e.Event {
	case EventStart, EventOwn, EventKeep, EventRelease, EventExit:
		if e.Process.IsZero() && e.Group <= 0 {
			return fmt.Errorf("%s: neither a process nor a group", e.Event)
		}
	case EventOpen, EventMark:
	default:
		return fmt.Errorf("there is no event %.100q", e.Event)
	}
	if e.Event == EventKeep && strings.TrimSpace(e.Reason) == "" {
		return errors.New("keep: no reason")
	}
	if e.Group < 0 || e.Session < 0 {
		return fmt.Errorf("%s: a negative group or session", e.Event)
	}
	return nil
}

// bounded returns the entry with its texts for people cut to their bounds.
func (e Entry) bounded() Entry {
	e.Name, e.Family, e.Reason = cut(e.Name, maxText), cut(e.Family, maxText), cut(e.Reason, maxText)
	room := maxText
	var words []string
	for _, word := range e.Command[:min(len(e.Command), maxWords)] {
		if word = cut(word, room); room <= 0 {
			break
		}
		words = append(words, word)
		room -= len(word)
	}
	e.Command = words
	return e
}

// cut returns the first bytes of s, without half a character.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:max(most, 0)]
}

// parseRow reads a line, with or without its end.
func parseRow(line []byte) (Entry, error) {
	decoder := json.NewDecoder(bytes.NewReader(line))
	var e Entry
	if err := decoder.Decode(&e); err != nil {
		return Entry{}, fmt.Errorf("no row of a ledger: %w", err)
	}
	if decoder.More() {
		return Entry{}, errors.New("no row of a ledger: something follows it")
	}
	return e, e.validate()
}
