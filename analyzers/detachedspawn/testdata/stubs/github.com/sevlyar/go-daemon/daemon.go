// Package daemon is an outline of github.com/sevlyar/go-daemon for tests.
package daemon

import "os"

type Context struct{ PidFileName string }

func (d *Context) Reborn() (child *os.Process, err error)  { return nil, nil }
func (d *Context) Search() (daemon *os.Process, err error) { return nil, nil }
