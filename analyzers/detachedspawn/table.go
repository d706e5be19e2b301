package detachedspawn

import "strings"

// effects says what each detaching field of syscall.SysProcAttr does, over
// all platforms. Pdeathsig, Credential, Chroot, Cloneflags, HideWindow and the
// like keep the child within reach and are absent on purpose.
var effects = map[string]string{
	"Setsid":        "starts the child in a session of its own",
	"Setpgid":       "puts the child in a process group of its own",
	"Pgid":          "puts the child in another process group",
	"Foreground":    "puts the child in a process group of its own and gives it the terminal",
	"Noctty":        "cuts the child off its owner's terminal",
	"CreationFlags": "lets Windows start the child apart from its owner",
}

// A creationFlag is a bit of CreateProcess's dwCreationFlags
// (Microsoft Learn, "Process Creation Flags").
type creationFlag struct {
	name   string
	bit    uint64
	effect string
}

var creationFlags = []creationFlag{
	{"CREATE_NEW_PROCESS_GROUP", 0x00000200, "puts the child in a process group of its own"},
	{"DETACHED_PROCESS", 0x00000008, "cuts the child off its owner's console"},
	{"CREATE_BREAKAWAY_FROM_JOB", 0x01000000, "lets the child leave its owner's job object"},
}

// detachingBits returns the names of the detaching creation flags in value
// and what the first of them does.
func detachingBits(value uint64) (names, effect string) {
	var found []string
	for _, flag := range creationFlags {
		if value&flag.bit == 0 {
			continue
		}
		found = append(found, flag.name)
		if effect == "" {
			effect = flag.effect
		}
	}
	return strings.Join(found, "|"), effect
}

// A name is a package-level function or a method of a package.
type name struct{ pkg, receiver, name string }

// A directCall is a function that detaches by being called.
type directCall struct {
	effect string
	flags  int    // index+1 of an argument with creation flags that decide; 0: always
	repair string // what to do about it; empty: start the child with owned.Start
}

// leaveToOwner is what to do about a process that detaches itself or another
// one that runs already.
const leaveToOwner = "leave sessions and groups to whatever starts the process"

var directCalls = map[name]directCall{
	{"syscall", "", "Setsid"}:                               {effect: "makes this process leave its owner's session", repair: leaveToOwner},
	{"golang.org/x/sys/unix", "", "Setsid"}:                 {effect: "makes this process leave its owner's session", repair: leaveToOwner},
	{"syscall", "", "Setpgid"}:                              {effect: "moves a process to another process group", repair: leaveToOwner},
	{"golang.org/x/sys/unix", "", "Setpgid"}:                {effect: "moves a process to another process group", repair: leaveToOwner},
	{"golang.org/x/sys/unix", "", "Setpgrp"}:                {effect: "moves this process to a process group of its own", repair: leaveToOwner},
	{"syscall", "", "Setpgrp"}:                              {effect: "moves this process to a process group of its own", repair: leaveToOwner},
	{"syscall", "", "CreateProcess"}:                        {effect: "starts the child apart from its owner", flags: 6},
	{"syscall", "", "CreateProcessAsUser"}:                  {effect: "starts the child apart from its owner", flags: 7},
	{"golang.org/x/sys/windows", "", "CreateProcess"}:       {effect: "starts the child apart from its owner", flags: 6},
	{"golang.org/x/sys/windows", "", "CreateProcessAsUser"}: {effect: "starts the child apart from its owner", flags: 7},
}

// rawSyscalls are the functions whose first argument is a system call's number.
var rawSyscalls = map[name]bool{
	{"syscall", "", "Syscall"}:                         true,
	{"syscall", "", "Syscall6"}:                        true,
	{"syscall", "", "RawSyscall"}:                      true,
	{"syscall", "", "RawSyscall6"}:                     true,
	{"golang.org/x/sys/unix", "", "Syscall"}:           true,
	{"golang.org/x/sys/unix", "", "Syscall6"}:          true,
	{"golang.org/x/sys/unix", "", "RawSyscall"}:        true,
	{"golang.org/x/sys/unix", "", "RawSyscall6"}:       true,
	{"golang.org/x/sys/unix", "", "SyscallNoError"}:    true,
	{"golang.org/x/sys/unix", "", "RawSyscallNoError"}: true,
}

// syscallEffects names the system calls that detach.
var syscallEffects = map[string]string{
	"SYS_SETSID":  "makes this process leave its owner's session",
	"SYS_SETPGID": "moves a process to another process group",
}

// commandFunctions make a command from an argument vector: the index of the
// program's name, followed by its arguments.
var commandFunctions = map[name]int{
	{"os/exec", "", "Command"}:                         0,
	{"os/exec", "", "CommandContext"}:                  1,
	{"golang.org/x/sys/execabs", "", "Command"}:        0,
	{"golang.org/x/sys/execabs", "", "CommandContext"}: 1,
}

// startFunctions start a process from a path, an argument vector and attributes.
var startFunctions = map[name]bool{
	{"os", "", "StartProcess"}:      true,
	{"syscall", "", "ForkExec"}:     true,
	{"syscall", "", "StartProcess"}: true,
	{"syscall", "", "Exec"}:         true,
}

// waits are the methods by which a function waits for the command it started.
var waits = map[name]bool{
	{"os/exec", "Cmd", "Wait"}:           true,
	{"os/exec", "Cmd", "Run"}:            true,
	{"os/exec", "Cmd", "Output"}:         true,
	{"os/exec", "Cmd", "CombinedOutput"}: true,
	{"os", "Process", "Wait"}:            true,
}

// starts are the methods after which a command is no longer its caller's to shape.
var starts = map[name]bool{
	{"os/exec", "Cmd", "Start"}:          true,
	{"os/exec", "Cmd", "Run"}:            true,
	{"os/exec", "Cmd", "Output"}:         true,
	{"os/exec", "Cmd", "CombinedOutput"}: true,
}
