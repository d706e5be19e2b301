// Package gocui is a stub.
package gocui

type (
	Key        uint16
	Modifier   uint8
	OutputMode int
)

const (
	ModNone  Modifier = 0
	KeyEnter Key      = 13
)

type View struct{ Title string }

func (v *View) Write(p []byte) (int, error) { return len(p), nil }
func (v *View) Clear()                      {}

type Gui struct{}

type Manager interface{ Layout(*Gui) error }

type ManagerFunc func(*Gui) error

func (f ManagerFunc) Layout(g *Gui) error { return f(g) }

type NewGuiOpts struct{ OutputMode OutputMode }

func NewGui(opts NewGuiOpts) (*Gui, error) { return nil, nil }

func (g *Gui) Close()                                  {}
func (g *Gui) Size() (x, y int)                        { return 0, 0 }
func (g *Gui) View(name string) (*View, error)         { return nil, nil }
func (g *Gui) SetManager(managers ...Manager)          {}
func (g *Gui) SetManagerFunc(manager func(*Gui) error) {}
func (g *Gui) MainLoop() error                         { return nil }
func (g *Gui) Update(f func(*Gui) error)               {}

func (g *Gui) SetKeybinding(viewname string, key interface{}, mod Modifier, handler func(*Gui, *View) error) error {
	return nil
}

type Task interface{ Done() }

type ViewMouseBindingOpts struct{ X, Y int }

func (g *Gui) UpdateAsync(f func(*Gui) error)                    {}
func (g *Gui) OnWorker(f func(Task) error)                       {}
func (g *Gui) SetFocusHandler(handler func(bool) error)          {}
func (g *Gui) SetOpenHyperlinkFunc(f func(string, string) error) {}
func (g *Gui) ForceLayoutAndRedraw() error                       { return nil }

func (g *Gui) SetTabClickBinding(viewName string, handler func(int) error) error { return nil }
