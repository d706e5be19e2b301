package procid

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/windows"
)

// all leaves out the processes that this user may not open: they have no
// identity that could be told.
func all() ([]Info, error) {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return nil, fmt.Errorf("listing processes: %w", err)
	}
	defer windows.CloseHandle(snapshot)
	var processes []Info
	entry := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err = windows.Process32First(snapshot, &entry); err == nil; err = windows.Process32Next(snapshot, &entry) {
		if id, state, err := look(int(entry.ProcessID)); err == nil {
			name := windows.UTF16ToString(entry.ExeFile[:])
			processes = append(processes, Info{Identity: id, State: state, Parent: int(entry.ParentProcessID), Name: name})
		}
	}
	if !errors.Is(err, windows.ERROR_NO_MORE_FILES) {
		return nil, fmt.Errorf("listing processes: %w", err)
	}
	return processes, nil
}
