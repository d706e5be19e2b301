//go:build windows

// Package windows is an outline of golang.org/x/sys/windows for tests.
package windows

import "syscall"

type SysProcAttr = syscall.SysProcAttr

const (
	CREATE_NEW_PROCESS_GROUP = 0x00000200
	DETACHED_PROCESS         = 0x00000008
)
