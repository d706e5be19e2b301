// Package gtk is a stub.
package gtk

import "github.com/diamondburned/gotk4/pkg/core/glib"

type Button struct{ *glib.Object }

func NewButton() *Button { return &Button{&glib.Object{}} }

func (b *Button) ConnectClicked(f func()) glib.SignalHandle { return 0 }
