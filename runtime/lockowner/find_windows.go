package lockowner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// find asks the Restart Manager, which looks for those that have a file open
// without opening it for reading or writing.
func find(ctx context.Context, path string) (Report, error) {
	database, files, err := databaseFiles(path)
	if err != nil {
		return Report{}, err
	}
	report := Report{Database: database, OnlyCandidates: true}
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return Report{}, err
		}
		users, err := usersOf(file)
		if err != nil {
			return Report{}, fmt.Errorf("asking the Restart Manager: %w", err)
		}
		for _, user := range users {
			report.Holders = append(report.Holders, Holder{
				PID:       int(user.pid),
				Self:      int(user.pid) == os.Getpid(),
				Candidate: true,
				Command:   quoteWord(windows.UTF16ToString(user.name[:])),
				File:      file,
			})
		}
	}
	return report, nil
}

var (
	restartManager      = windows.NewLazySystemDLL("rstrtmgr.dll")
	rmStartSession      = restartManager.NewProc("RmStartSession")
	rmEndSession        = restartManager.NewProc("RmEndSession")
	rmRegisterResources = restartManager.NewProc("RmRegisterResources")
	rmGetList           = restartManager.NewProc("RmGetList")
)

// A user is RM_PROCESS_INFO of restartmanager.h.
type user struct {
	pid         uint32
	start       windows.Filetime
	name        [255 + 1]uint16 // CCH_RM_MAX_APP_NAME
	service     [63 + 1]uint16  // CCH_RM_MAX_SVC_NAME
	kind        uint32
	status      uint32
	session     uint32
	restartable int32
}

// sessionKeyLength is CCH_RM_SESSION_KEY, without the final zero.
const sessionKeyLength = 32

func usersOf(file string) ([]user, error) {
	if err := restartManager.Load(); err != nil {
		return nil, errors.Join(errors.ErrUnsupported, err)
	}
	var session uint32
	var key [sessionKeyLength + 1]uint16
	if err := errorOf(rmStartSession.Call(uintptr(unsafe.Pointer(&session)), 0, uintptr(unsafe.Pointer(&key)))); err != nil {
		return nil, err
	}
	defer rmEndSession.Call(uintptr(session))

	name, err := windows.UTF16PtrFromString(file)
	if err != nil {
		return nil, err
	}
	err = errorOf(rmRegisterResources.Call(uintptr(session), 1, uintptr(unsafe.Pointer(&name)), 0, 0, 0, 0))
	if err != nil {
		return nil, err
	}
	return listUsers(session)
}

// listUsers asks again with more room while there is too little: processes
// come and go between two questions.
func listUsers(session uint32) ([]user, error) {
	room := uint32(16)
	for range 8 {
		users := make([]user, room)
		var needed, reasons uint32
		err := errorOf(rmGetList.Call(uintptr(session), uintptr(unsafe.Pointer(&needed)), uintptr(unsafe.Pointer(&room)),
			uintptr(unsafe.Pointer(&users[0])), uintptr(unsafe.Pointer(&reasons))))
		if err == nil {
			return users[:room], nil
		}
		if !errors.Is(err, windows.ERROR_MORE_DATA) {
			return nil, err
		}
		room = needed + 16
	}
	return nil, windows.ERROR_MORE_DATA
}

// errorOf takes the results of a function that returns an error code.
func errorOf(code, _ uintptr, _ error) error {
	if code != 0 {
		return windows.Errno(code)
	}
	return nil
}
