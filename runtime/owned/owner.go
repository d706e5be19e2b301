package owned

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os/exec"
	"sync"
	"time"
)

// An Owner owns what it started: when the process dies that the Owner lives
// in, however it dies, all of it is ended. Most programs need only the one that
// the package functions use; a second one is for a part of a program that is
// to be closed by itself.
//
// Its methods are safe for concurrent use.
type Owner struct {
	config config
	cookie string // found in the environment of everything it started

	mu     sync.Mutex
	opened bool
	closed bool

	handingOff bool  // to the program that this process becomes
	resumeErr  error // why nothing was taken over

	children map[*Child]struct{}
	births   int // how many children there were
	platform platform

	journal journal
}

// New returns an Owner. It starts nothing before the first [Owner.Start].
func New(options ...OwnerOption) *Owner {
	o := &Owner{cookie: newCookie(), children: map[*Child]struct{}{}, journal: journal{opened: make(chan struct{})}}
	o.config.grace = DefaultGrace
	for _, option := range options {
		option(&o.config)
	}
	return o
}

// newCookie returns 128 random bits in hexadecimal.
func newCookie() string {
	var bits [16]byte
	rand.Read(bits[:])
	return hex.EncodeToString(bits[:])
}

// Default returns the Owner that the package functions use.
func Default() *Owner { return standard() }

var standard = sync.OnceValue(func() *Owner { return New() })

// Start starts cmd with the [Default] owner. See [Owner.Start].
func Start(cmd *exec.Cmd, options ...Option) (*Child, error) {
	return Default().Start(cmd, options...)
}

// Own takes process groups in hand that something else started. See [Owner.Own].
func Own(groups ...int) error { return Default().Own(groups...) }

// Release lets process groups go. See [Owner.Release].
func Release(groups ...int) { Default().Release(groups...) }

// ReleaseOnceEmpty lets process groups go when they have ended. See
// [Owner.ReleaseOnceEmpty].
func ReleaseOnceEmpty(groups ...int) { Default().ReleaseOnceEmpty(groups...) }

// ErrClosed is returned by an [Owner] after [Owner.Close].
var ErrClosed = errors.New("owned: the owner is closed")

// DefaultGrace is how long a process may take to end after SIGTERM before it is
// killed, if [Grace] does not say otherwise. It is what the supervisors of
// long-lived agents have settled on; databases want more.
const DefaultGrace = 3 * time.Second

// open chooses the tier and prepares it, once. The caller holds the lock.
func (o *Owner) open() error {
	if o.closed {
		return ErrClosed
	}
	if o.handingOff {
		return errors.New("owned: the owner is being handed off")
	}
	if o.opened {
		return nil
	}
	if err := o.platform.open(o); err != nil {
		return fmt.Errorf("owned: %w", err)
	}
	o.openLedger()
	o.opened = true
	return nil
}

func (o *Owner) add(c *Child) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.children[c] = struct{}{}
}

func (o *Owner) remove(c *Child) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.children, c)
}
