// Package gtk is a stub.
package gtk

import "github.com/gotk3/gotk3/glib"

type Button struct{ *glib.Object }

func ButtonNewWithLabel(label string) (*Button, error) { return &Button{&glib.Object{}}, nil }
