package status

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

// A Field is a value and its path in the file: member names joined by "/", as in
// "platforms/telegram/state". Objects on the way are made as needed. A name that
// contains "/" or "~" is escaped with [Join]. Making a Field of a plain value
// allocates nothing.
type Field struct {
	path  string
	value value
}

// String is a field that holds text. What is not UTF-8 is replaced by U+FFFD.
func String(path, text string) Field {
	return Field{path, value{kind: textKind, text: text}}
}

// Int is a field that holds a number.
func Int[T ~int | ~int8 | ~int16 | ~int32 | ~int64](path string, number T) Field {
	return Field{path, value{kind: intKind, bits: uint64(number)}}
}

// Uint is a field that holds a number that is never negative.
func Uint[T ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64](path string, number T) Field {
	return Field{path, value{kind: uintKind, bits: uint64(number)}}
}

// Float is a field that holds a number. JSON has no infinity and no NaN; they
// become null.
func Float(path string, number float64) Field {
	return Field{path, value{kind: floatKind, bits: math.Float64bits(number)}}
}

// Bool is a field that holds true or false.
func Bool(path string, truth bool) Field {
	v := value{kind: boolKind}
	if truth {
		v.bits = 1
	}
	return Field{path, v}
}

// Time is a field that holds a moment, as RFC 3339 text in UTC.
func Time(path string, moment time.Time) Field {
	return Field{path, value{kind: timeKind, bits: uint64(moment.Unix()), nanoseconds: uint32(moment.Nanosecond())}}
}

// Null is a field that is there and holds nothing.
func Null(path string) Field {
	return Field{path, value{kind: nullKind}}
}

// Delete takes a field, and everything below it, out of the file once. A value
// that somebody puts there later stays.
func Delete(path string) Field {
	return Field{path, value{kind: deletedKind}}
}

// Marshal is a field that holds whatever v is in JSON now, as a whole: it
// replaces what is at the path. The error is that of [json.Marshal].
func Marshal(path string, v any) (Field, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return Field{}, fmt.Errorf("status field %q: %w", path, err)
	}
	return Field{path, value{kind: jsonKind, text: string(text)}}, nil
}

// Join returns the path of the names, which may contain "/" and "~": they become
// "~1" and "~0", as in RFC 6901.
func Join(names ...string) string {
	var path strings.Builder
	for i, name := range names {
		if i > 0 {
			path.WriteByte('/')
		}
		escape.WriteString(&path, name)
	}
	return path.String()
}

var (
	escape   = strings.NewReplacer("~", "~0", "/", "~1")
	unescape = strings.NewReplacer("~0", "~", "~1", "/")
)

// split returns the names of a path.
func split(path string) []string {
	names := strings.Split(path, "/")
	for i, name := range names {
		names[i] = unescape.Replace(name)
	}
	return names
}

func processField(path string) Field {
	self := procid.Self()
	text, _ := json.Marshal(self) // of text and numbers: cannot fail
	return Field{path, value{kind: jsonKind, text: string(text)}}
}

// A value is a JSON value that can be compared and copied.
type value struct {
	kind        kind
	nanoseconds uint32
	bits        uint64
	text        string
}

type kind uint8

const (
	nullKind kind = iota
	textKind
	intKind
	uintKind
	floatKind
	boolKind
	timeKind
	jsonKind
	deletedKind
)

// encode returns the value as compact JSON.
func (v value) encode() []byte {
	switch v.kind {
	case textKind:
		return encodeText(v.text)
	case intKind:
		return strconv.AppendInt(nil, int64(v.bits), 10)
	case uintKind:
		return strconv.AppendUint(nil, v.bits, 10)
	case floatKind:
		return encodeFloat(math.Float64frombits(v.bits))
	case boolKind:
		return strconv.AppendBool(nil, v.bits == 1)
	case timeKind:
		moment := time.Unix(int64(v.bits), int64(v.nanoseconds)).UTC()
		return moment.AppendFormat(nil, `"`+time.RFC3339Nano+`"`)
	case jsonKind:
		return []byte(v.text)
	default:
		return []byte("null")
	}
}

// encodeText leaves <, > and & as they are: people read the file.
func encodeText(text string) []byte {
	var buf bytes.Buffer
	encoder := json.NewEncoder(&buf)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a string into memory: cannot fail
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}

func encodeFloat(number float64) []byte {
	text, err := json.Marshal(number)
	if err != nil {
		return []byte("null")
	}
	return text
}
