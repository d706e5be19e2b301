// Package tcell is a stub.
package tcell

import "time"

type Event interface{ When() time.Time }

type Key int16

const (
	KeyEnter Key = 13
	KeyEsc   Key = 27
)

type EventKey struct{}

func (ev *EventKey) When() time.Time { return time.Time{} }
func (ev *EventKey) Key() Key        { return KeyEsc }
func (ev *EventKey) Rune() rune      { return 0 }

type EventMouse struct{}

func (ev *EventMouse) When() time.Time { return time.Time{} }

type EventResize struct{}

func (ev *EventResize) When() time.Time { return time.Time{} }

type Screen interface {
	Init() error
	Fini()
	Clear()
	Show()
	Sync()
	PollEvent() Event
	PostEvent(ev Event) error
	PostEventWait(ev Event)
	ChannelEvents(ch chan<- Event, quit <-chan struct{})
	EventQ() chan Event
}

func NewScreen() (Screen, error) { return nil, nil }
