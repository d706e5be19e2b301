package jsonrpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestFrames(t *testing.T) {
	tests := []struct {
		name, stream string
		body         string
		err          string
	}{
		{"plain", "Content-Length: 2\r\n\r\n{}", "{}", ""},
		{"other headers and case", "content-type: x\r\ncontent-length:2\r\n\r\n{}", "{}", ""},
		{"line feeds alone", "Content-Length: 2\n\n{}", "{}", ""},
		{"nothing", "", "", "EOF"},
		{"ends in the header", "Content-Le", "", "unexpected EOF"},
		{"ends in the body", "Content-Length: 3\r\n\r\n{}", "", "unexpected EOF"},
		{"ends before the body", "Content-Length: 3\r\n\r\n", "", "unexpected EOF"},
		{"no length", "X: 1\r\n\r\n{}", "", "no Content-Length"},
		{"a negative length", "Content-Length: -1\r\n\r\n", "", "is no length"},
		{"a length beyond all bounds", "Content-Length: 99999999999\r\n\r\n", "", "is no length"},
		{"no header at all", "usage: gopls\nflags\n", "", "is no header"},
		{"a line that does not end", strings.Repeat("x", 100_000), "", "has no end"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			header, body, err := NewReader(strings.NewReader(test.stream)).Read()
			if test.err == "" && (err != nil || string(body) != test.body || string(header)+string(body) != test.stream) {
				t.Errorf("%q %q %v", header, body, err)
			}
			if test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
				t.Errorf("error %v, want %q", err, test.err)
			}
			if test.err != "" && errors.Is(err, ErrNotFramed) == strings.Contains(test.err, "EOF") {
				t.Errorf("error %v: an end is one thing, a stream of something else another", err)
			}
		})
	}
	if _, _, err := NewReader(strings.NewReader("")).Read(); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
}

func TestParse(t *testing.T) {
	for body, code := range map[string]int{
		`{"jsonrpc":"2.0","id":1,"method":"a"}`:          0,
		`{"jsonrpc":"2.0","method":"a"}`:                 0,
		`{"jsonrpc":"2.0","id":null,"error":{"code":1}}`: 0,
		`{"a":`:                   ParseError,
		`nope`:                    ParseError,
		``:                        ParseError,
		`42`:                      InvalidRequest,
		`{"a":1}`:                 InvalidRequest,
		`[{"id":1,"method":"a"}]`: InvalidRequest,
		`{"id":1,"method":2}`:     InvalidRequest,
	} {
		_, err := Parse([]byte(body))
		var got *Error
		if errors.As(err, &got) != (code != 0) || code != 0 && got.Code != code {
			t.Errorf("%s: %v, want code %d", body, err, code)
		}
	}
}

// FuzzPeek holds the quick look against a whole reading.
func FuzzPeek(f *testing.F) {
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"a/b","params":{"id":2,"x":["}",{"method":"c"}]}}`,
		` { "params" : "\\\"" , "method" : "x" , "id" : "a\"b" } `,
		`{"id":7,"result":{"id":8}}`, `{"result":[1,2],"id":3}`, `{"error":{},"id":null}`,
		`{}`, `[]`, `{`, `{"a"`, `{"a":"`, `nonsense`, `{"method":1}`, `{"a":1e5}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		id, method, ok := Peek(body)
		var whole map[string]json.RawMessage
		if json.Unmarshal(body, &whole) != nil || whole == nil || repeats(body) {
			return
		}
		var wantMethod string
		if raw := whole["method"]; raw != nil && json.Unmarshal(raw, &wantMethod) != nil {
			return
		}
		if !ok || method != wantMethod && whole["result"] == nil && whole["error"] == nil {
			t.Fatalf("Peek(%s) = %s, %q, %t", body, id, method, ok)
		}
		if !bytes.Equal(id, whole["id"]) {
			t.Fatalf("Peek(%s) has ID %s, want %s", body, id, whole["id"])
		}
	})
}

// repeats reports whether a key of the message may stand there twice, or is
// spelt with escapes.
func repeats(body []byte) bool {
	return bytes.Count(body, []byte(`"id"`)) > 1 || bytes.Count(body, []byte(`"method"`)) > 1 || bytes.Contains(body, []byte(`\u`))
}
