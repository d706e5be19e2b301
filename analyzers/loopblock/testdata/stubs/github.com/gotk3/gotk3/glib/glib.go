// Package glib is a stub.
package glib

type SourceHandle uint

type SignalHandle uint

func IdleAdd(f interface{}) SourceHandle                         { return 0 }
func TimeoutAdd(milliseconds uint, f interface{}) SourceHandle   { return 0 }
func TimeoutSecondsAdd(seconds uint, f interface{}) SourceHandle { return 0 }

type Object struct{}

func (v *Object) Connect(detailedSignal string, f interface{}) SignalHandle      { return 0 }
func (v *Object) ConnectAfter(detailedSignal string, f interface{}) SignalHandle { return 0 }
