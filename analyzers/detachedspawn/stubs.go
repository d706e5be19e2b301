package detachedspawn

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"strconv"
	"strings"
)

// Files of other platforms are checked against these outlines of the packages
// that start processes: each has the fields and constants of all platforms, so
// that one outline serves every file.
var outlines = map[string]string{
	"syscall": `package syscall

type Handle uintptr
type Token uintptr
type Errno uintptr
type Signal int
type WaitStatus uint32
type Credential struct { Uid, Gid uint32; Groups []uint32; NoSetGroups bool }
type SysProcIDMap struct { ContainerID, HostID, Size int }
type SecurityAttributes struct { Length uint32; SecurityDescriptor uintptr; InheritHandle uint32 }
type StartupInfo struct { Cb uint32; Flags uint32; ShowWindow uint16 }
type ProcessInformation struct { Process, Thread Handle; ProcessId, ThreadId uint32 }

type SysProcAttr struct {
	Chroot string
	Credential *Credential
	Ptrace, Setsid, Setpgid, Setctty, Noctty, Foreground bool
	Ctty, Pgid, Jail int
	Pdeathsig Signal
	Cloneflags, Unshareflags uintptr
	UidMappings, GidMappings []SysProcIDMap
	GidMappingsEnableSetgroups bool
	AmbientCaps []uintptr
	UseCgroupFD bool
	CgroupFD int
	PidFD *int
	HideWindow bool
	CmdLine string
	CreationFlags uint32
	Token Token
	ProcessAttributes, ThreadAttributes *SecurityAttributes
	NoInheritHandles bool
	AdditionalInheritedHandles []Handle
	ParentProcess Handle
	Rfork int
}

type ProcAttr struct {
	Dir string
	Env []string
	Files []uintptr
	Sys *SysProcAttr
}

const (
	CREATE_NEW_PROCESS_GROUP = 0x00000200
	CREATE_UNICODE_ENVIRONMENT = 0x00000400
	DETACHED_PROCESS = 0x00000008
	CREATE_BREAKAWAY_FROM_JOB = 0x01000000
	CREATE_NO_WINDOW = 0x08000000
	CREATE_NEW_CONSOLE = 0x00000010
	CREATE_SUSPENDED = 0x00000004
	CREATE_DEFAULT_ERROR_MODE = 0x04000000
	SIGHUP Signal = 1
	SIGINT Signal = 2
	SIGQUIT Signal = 3
	SIGKILL Signal = 9
	SIGTERM Signal = 15
)

func Setsid() (pid int, err error)
func Setpgid(pid, pgid int) error
func Setpgrp() error
func Getpgid(pid int) (int, error)
func Getpid() int
func Kill(pid int, sig Signal) error
func Exec(argv0 string, argv, envv []string) error
func ForkExec(argv0 string, argv []string, attr *ProcAttr) (pid int, err error)
func StartProcess(argv0 string, argv []string, attr *ProcAttr) (pid int, handle uintptr, err error)
func CreateProcess(appName, commandLine *uint16, procSecurity, threadSecurity *SecurityAttributes, inheritHandles bool, creationFlags uint32, env, currentDir *uint16, startupInfo *StartupInfo, outProcInfo *ProcessInformation) error
func CreateProcessAsUser(token Token, appName, commandLine *uint16, procSecurity, threadSecurity *SecurityAttributes, inheritHandles bool, creationFlags uint32, env, currentDir *uint16, startupInfo *StartupInfo, outProcInfo *ProcessInformation) error
func Syscall(trap, a1, a2, a3 uintptr) (r1, r2 uintptr, err Errno)
func RawSyscall(trap, a1, a2, a3 uintptr) (r1, r2 uintptr, err Errno)
`,
	"golang.org/x/sys/unix": `package unix

import "syscall"

type SysProcAttr = syscall.SysProcAttr
type Signal = syscall.Signal

func Setsid() (pid int, err error)
func Setpgid(pid, pgid int) error
func Getpgid(pid int) (int, error)
func Kill(pid int, sig Signal) error
`,
	"golang.org/x/sys/windows": `package windows

import "syscall"

type SysProcAttr = syscall.SysProcAttr
type Handle uintptr

const (
	CREATE_BREAKAWAY_FROM_JOB = 0x01000000
	CREATE_DEFAULT_ERROR_MODE = 0x04000000
	CREATE_NEW_CONSOLE = 0x00000010
	CREATE_NEW_PROCESS_GROUP = 0x00000200
	CREATE_NO_WINDOW = 0x08000000
	CREATE_PROTECTED_PROCESS = 0x00040000
	CREATE_SUSPENDED = 0x00000004
	CREATE_UNICODE_ENVIRONMENT = 0x00000400
	DETACHED_PROCESS = 0x00000008
	EXTENDED_STARTUPINFO_PRESENT = 0x00080000
	INHERIT_PARENT_AFFINITY = 0x00010000
	BELOW_NORMAL_PRIORITY_CLASS = 0x00004000
	HIGH_PRIORITY_CLASS = 0x00000080
	IDLE_PRIORITY_CLASS = 0x00000040
	NORMAL_PRIORITY_CLASS = 0x00000020
)
`,
	"os/exec": `package exec

import (
	"context"
	"os"
	"syscall"
)

type Cmd struct {
	Path string
	Args, Env []string
	Dir string
	Stdin, Stdout, Stderr any
	ExtraFiles []*os.File
	SysProcAttr *syscall.SysProcAttr
	Process *os.Process
	ProcessState *os.ProcessState
	Err error
	Cancel func() error
	WaitDelay int64
}

func Command(name string, arg ...string) *Cmd
func CommandContext(ctx context.Context, name string, arg ...string) *Cmd
func LookPath(file string) (string, error)
func (*Cmd) Run() error
func (*Cmd) Start() error
func (*Cmd) Wait() error
func (*Cmd) Output() ([]byte, error)
func (*Cmd) CombinedOutput() ([]byte, error)
func (*Cmd) String() string
func (*Cmd) Environ() []string
`,
	"os": `package os

import "syscall"

type File struct{}
type Signal interface{ String() string }
type ProcessState struct{}
type Process struct { Pid int }
type ProcAttr struct { Dir string; Env []string; Files []*File; Sys *syscall.SysProcAttr }

var Args []string
var Stdin, Stdout, Stderr *File

func StartProcess(name string, argv []string, attr *ProcAttr) (*Process, error)
func FindProcess(pid int) (*Process, error)
func Executable() (string, error)
func Getenv(key string) string
func (*Process) Kill() error
func (*Process) Release() error
func (*Process) Signal(sig Signal) error
func (*Process) Wait() (*ProcessState, error)
`,
}

// An outlineImporter resolves the imports of files of other platforms: the
// packages that start processes from outlines, others from the package under
// analysis where it imports them too, and the rest as empty packages.
type outlineImporter struct {
	known map[string]*types.Package
}

func newOutlineImporter(imports []*types.Package) *outlineImporter {
	known := make(map[string]*types.Package)
	for _, pkg := range imports {
		if _, outlined := outlines[pkg.Path()]; !outlined {
			known[pkg.Path()] = pkg
		}
	}
	return &outlineImporter{known}
}

func (i *outlineImporter) Import(importPath string) (*types.Package, error) {
	if importPath == "unsafe" {
		return types.Unsafe, nil
	}
	if pkg := i.known[importPath]; pkg != nil {
		return pkg, nil
	}
	pkg := i.outline(importPath)
	i.known[importPath] = pkg
	return pkg, nil
}

func (i *outlineImporter) outline(importPath string) *types.Package {
	source, ok := outlines[importPath]
	if !ok {
		pkg := types.NewPackage(importPath, packageName(importPath))
		pkg.MarkComplete()
		return pkg
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, importPath+".go", source, parser.SkipObjectResolution)
	if err != nil {
		return types.NewPackage(importPath, path.Base(importPath))
	}
	config := types.Config{Importer: i, Error: func(error) {}, IgnoreFuncBodies: true}
	// Errors are imports that the outline leaves open, which is as intended.
	pkg, _ := config.Check(importPath, fset, []*ast.File{file}, nil)
	pkg.MarkComplete()
	return pkg
}

// packageName guesses the name of a package that nobody here has read, by the
// conventions for paths: example.com/go-daemon/v2 is daemon.
func packageName(importPath string) string {
	base := path.Base(importPath)
	if isMajorVersion(base) && strings.Contains(importPath, "/") {
		base = path.Base(path.Dir(importPath))
	}
	base, _, _ = strings.Cut(base, ".v")
	base = strings.TrimPrefix(base, "go-")
	base = strings.TrimSuffix(base, "-go")
	base = strings.TrimSuffix(base, ".go")
	return strings.ReplaceAll(base, "-", "_")
}

// isMajorVersion reports whether the last element of an import path is a
// module's major version: v2.
func isMajorVersion(element string) bool {
	digits, found := strings.CutPrefix(element, "v")
	_, err := strconv.Atoi(digits)
	return found && err == nil
}
