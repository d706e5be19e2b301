package jsonrpc

import (
	"encoding/json"
	"fmt"
)

// A Message is a request (ID and Method), a notification (Method), or an
// answer (ID).
type Message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *Error          `json:"error,omitempty"`
}

// IsRequest reports whether the message wants an answer.
func (m *Message) IsRequest() bool { return m.Method != "" && m.ID != nil }

// Codes of errors, from the specifications of JSON-RPC and LSP.
const (
	ParseError       = -32700
	InvalidRequest   = -32600
	MethodNotFound   = -32601
	InvalidParams    = -32602
	InternalError    = -32603
	NotInitialized   = -32002
	RequestCancelled = -32800
)

// An Error is the answer to a request that failed.
type Error struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

func (e *Error) Error() string { return fmt.Sprintf("%s (code %d)", e.Message, e.Code) }

// Parse reads a message. The error is an [Error] to answer with.
func Parse(body []byte) (*Message, error) {
	m := new(Message)
	err := json.Unmarshal(body, m)
	switch {
	case err == nil && (m.Method != "" || m.ID != nil):
		return m, nil
	case err == nil || json.Valid(body):
		return nil, &Error{Code: InvalidRequest, Message: "this is no request, notification or answer of JSON-RPC"}
	}
	return nil, &Error{Code: ParseError, Message: err.Error()}
}

// Encode returns the message's body.
func (m *Message) Encode() ([]byte, error) {
	type fields Message // without methods
	return json.Marshal(struct {
		Version string `json:"jsonrpc"`
		*fields
	}{"2.0", (*fields)(m)})
}

// Call returns a request, or a notification if the ID is nil.
func Call(id json.RawMessage, method string, params any) (*Message, error) {
	data, err := json.Marshal(params)
	if err != nil {
		return nil, fmt.Errorf("encoding %s: %w", method, err)
	}
	return &Message{ID: id, Method: method, Params: data}, nil
}

// Answer returns the answer to a request.
func Answer(id json.RawMessage, result any, failure error) *Message {
	m := &Message{ID: id}
	if failure == nil {
		m.Result, failure = json.Marshal(result)
	}
	if failure != nil {
		m.Result, m.Error = nil, asError(failure)
	}
	return m
}

func asError(err error) *Error {
	if e, ok := err.(*Error); ok {
		return e
	}
	return &Error{Code: InternalError, Message: err.Error()}
}
