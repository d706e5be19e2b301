// Package tea is a stub.
package tea

import (
	"os/exec"
	"time"
)

type Msg interface{}

type Cmd func() Msg

type Model interface {
	Init() Cmd
	Update(Msg) (Model, Cmd)
	View() string
}

type Key struct{ Runes []rune }

type KeyMsg Key

func (k KeyMsg) String() string { return string(k.Runes) }

type MouseMsg struct{ X, Y int }

type Program struct{}

type ProgramOption func(*Program)

func NewProgram(model Model, opts ...ProgramOption) *Program { return &Program{} }

func WithFilter(filter func(Model, Msg) Msg) ProgramOption { return nil }

func (p *Program) Run() (Model, error)          { return nil, nil }
func (p *Program) Send(msg Msg)                 {}
func (p *Program) Quit()                        {}
func (p *Program) Wait()                        {}
func (p *Program) Println(args ...any)          {}
func (p *Program) Printf(f string, args ...any) {}

type (
	WindowSizeMsg struct{ Width, Height int }
	QuitMsg       struct{}
	BatchMsg      []Cmd
)

func Quit() Msg                { return QuitMsg{} }
func Batch(cmds ...Cmd) Cmd    { return nil }
func Sequence(cmds ...Cmd) Cmd { return nil }
func Println(args ...any) Cmd  { return nil }

func Tick(d time.Duration, fn func(time.Time) Msg) Cmd  { return nil }
func Every(d time.Duration, fn func(time.Time) Msg) Cmd { return nil }

type ExecCallback func(error) Msg

func ExecProcess(c *exec.Cmd, fn ExecCallback) Cmd { return nil }
