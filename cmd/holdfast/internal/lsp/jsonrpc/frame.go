// Package jsonrpc speaks JSON-RPC 2.0 in the framing of the Language Server
// Protocol.
//
// It has two levels. [Reader] and [Writer] carry frames as the bytes that they
// are, which is what a proxy needs that changes nothing by reading it; no
// library keeps them. [Conn] on top of them gives messages to a handler and
// matches answers with calls.
package jsonrpc

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"strings"
	"sync"
)

// maxFrame bounds the body of a message. Editors send whole files and servers
// whole workspaces; a length beyond this is a stream out of step.
const maxFrame = 1 << 30

// ErrNotFramed says that a stream does not carry messages of the protocol. What
// comes after that cannot be read.
var ErrNotFramed = errors.New("this is no message of the language server protocol")

var errCut = fmt.Errorf("reading a message of the language server protocol: %w", io.ErrUnexpectedEOF)

// A Reader reads frames. It is not safe for concurrent use.
type Reader struct{ in *bufio.Reader }

// NewReader returns a reader of the stream.
func NewReader(in io.Reader) *Reader { return &Reader{bufio.NewReaderSize(in, 64<<10)} }

// Read returns the next frame: its header as it came, with the empty line, and
// its body. The error is io.EOF if the stream ends between two frames, and wraps
// [ErrNotFramed] if there are none in it.
func (r *Reader) Read() (header, body []byte, err error) {
	length := -1
	for {
		line, err := r.in.ReadSlice('\n')
		if err != nil {
			switch {
			case err == bufio.ErrBufferFull:
				err = fmt.Errorf("%w: a line of its header has no end", ErrNotFramed)
			case err == io.EOF && len(header)+len(line) > 0:
				err = errCut
			}
			return nil, nil, err
		}
		header = append(header, line...)
		text := strings.TrimRight(string(line), "\r\n")
		if text == "" {
			break
		}
		name, value, ok := strings.Cut(text, ":")
		if !ok {
			return nil, nil, fmt.Errorf("%w: %q is no header", ErrNotFramed, text)
		}
		if textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name)) == "Content-Length" {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || length < 0 || length > maxFrame {
				return nil, nil, fmt.Errorf("%w: %q is no length", ErrNotFramed, text)
			}
		}
	}
	if length < 0 {
		return nil, nil, fmt.Errorf("%w: it has no Content-Length", ErrNotFramed)
	}
	body = make([]byte, length)
	if _, err := io.ReadFull(r.in, body); err != nil {
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			err = errCut
		}
		return nil, nil, err
	}
	return header, body, nil
}

// A Writer writes frames, each whole. It is safe for concurrent use.
type Writer struct {
	mu  sync.Mutex
	out io.Writer
	buf []byte
}

// NewWriter returns a writer to the stream.
func NewWriter(out io.Writer) *Writer { return &Writer{out: out} }

// Write writes a body under a header of ours.
func (w *Writer) Write(body []byte) error {
	return w.WriteRaw(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(body)), body)
}

// WriteRaw writes a frame as it was read.
func (w *Writer) WriteRaw(header, body []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.buf = append(append(w.buf[:0], header...), body...)
	_, err := w.out.Write(w.buf)
	const keep = 1 << 20 // of one large message, no more than this stays
	if cap(w.buf) > keep {
		w.buf = nil
	}
	return err
}
