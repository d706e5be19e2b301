// Package glib is a stub.
package glib

import "github.com/diamondburned/gotk4/pkg/core/glib"

func IdleAdd(f interface{}) glib.SourceHandle { return 0 }
