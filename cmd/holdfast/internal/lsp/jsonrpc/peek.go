package jsonrpc

import (
	"bytes"
	"encoding/json"
)

// Peek returns the ID and the method of a message, without decoding the rest
// of it. For an answer it stops at the result. ok is false if the body is no JSON
// object as far as it was looked at.
func Peek(body []byte) (id json.RawMessage, method string, ok bool) {
	s := scanner{rest: body}
	if !s.take('{') {
		return nil, "", false
	}
	for !s.take('}') {
		key := s.value()
		if key == nil || !s.take(':') {
			return id, method, false
		}
		switch string(key) {
		case `"result"`, `"error"`:
			if id != nil {
				return id, method, true
			}
		}
		value := s.value()
		if value == nil {
			return id, method, false
		}
		switch string(key) {
		case `"id"`:
			id = value
		case `"method"`:
			if json.Unmarshal(value, &method) != nil {
				return id, "", false
			}
		}
		if id != nil && method != "" {
			return id, method, true
		}
		s.take(',')
	}
	return id, method, true
}

// A scanner passes over JSON values.
type scanner struct{ rest []byte }

// take passes over one character, after space, and reports whether it was there.
func (s *scanner) take(c byte) bool {
	s.rest = bytes.TrimLeft(s.rest, " \t\r\n")
	if len(s.rest) == 0 || s.rest[0] != c {
		return false
	}
	s.rest = s.rest[1:]
	return true
}

// value passes over a value and returns it, or nil if there is none.
func (s *scanner) value() []byte {
	s.rest = bytes.TrimLeft(s.rest, " \t\r\n")
	length := valueLength(s.rest)
	if length <= 0 {
		return nil
	}
	value := s.rest[:length]
	s.rest = s.rest[length:]
	return value
}

func valueLength(data []byte) int {
	if len(data) == 0 {
		return 0
	}
	switch data[0] {
	case '"':
		return stringLength(data)
	case '{', '[':
		return nestedLength(data)
	}
	if end := bytes.IndexAny(data, ",}] \t\r\n"); end >= 0 {
		return end
	}
	return len(data)
}

func stringLength(data []byte) int {
	for at := 1; ; {
		quote := bytes.IndexByte(data[at:], '"')
		if quote < 0 {
			return 0
		}
		at += quote + 1
		escapes := 0
		for i := at - 2; i > 0 && data[i] == '\\'; i-- {
			escapes++
		}
		if escapes%2 == 0 {
			return at
		}
	}
}

func nestedLength(data []byte) int {
	depth := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			length := stringLength(data[i:])
			if length == 0 {
				return 0
			}
			i += length - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}
