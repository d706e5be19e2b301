// Package tview is a stub.
package tview

import "github.com/gdamore/tcell/v2"

type MouseAction int16

type Primitive interface {
	Draw(screen tcell.Screen)
	InputHandler() func(event *tcell.EventKey, setFocus func(p Primitive))
	MouseHandler() func(action MouseAction, event *tcell.EventMouse, setFocus func(p Primitive)) (consumed bool, capture Primitive)
	Focus(delegate func(p Primitive))
	HasFocus() bool
	Blur()
}

type Application struct{}

func NewApplication() *Application { return &Application{} }

func (a *Application) SetInputCapture(capture func(event *tcell.EventKey) *tcell.EventKey) *Application {
	return a
}

func (a *Application) SetMouseCapture(capture func(event *tcell.EventMouse, action MouseAction) (*tcell.EventMouse, MouseAction)) *Application {
	return a
}

func (a *Application) SetBeforeDrawFunc(handler func(screen tcell.Screen) bool) *Application {
	return a
}
func (a *Application) SetAfterDrawFunc(handler func(screen tcell.Screen)) *Application { return a }
func (a *Application) SetRoot(root Primitive, fullscreen bool) *Application            { return a }
func (a *Application) QueueUpdate(f func()) *Application                               { return a }
func (a *Application) QueueUpdateDraw(f func()) *Application                           { return a }
func (a *Application) QueueEvent(event tcell.Event) *Application                       { return a }
func (a *Application) Draw() *Application                                              { return a }
func (a *Application) Suspend(f func()) bool                                           { return true }
func (a *Application) Run() error                                                      { return nil }
func (a *Application) Stop()                                                           {}

type Box struct{}

func NewBox() *Box { return &Box{} }

func (b *Box) Draw(screen tcell.Screen) {}

func (b *Box) InputHandler() func(event *tcell.EventKey, setFocus func(p Primitive)) { return nil }

func (b *Box) WrapInputHandler(inputHandler func(*tcell.EventKey, func(p Primitive))) func(*tcell.EventKey, func(p Primitive)) {
	return inputHandler
}

func (b *Box) MouseHandler() func(action MouseAction, event *tcell.EventMouse, setFocus func(p Primitive)) (consumed bool, capture Primitive) {
	return nil
}

func (b *Box) Focus(delegate func(p Primitive)) {}
func (b *Box) HasFocus() bool                   { return false }
func (b *Box) Blur()                            {}

func (b *Box) SetDrawFunc(handler func(screen tcell.Screen, x, y, width, height int) (int, int, int, int)) *Box {
	return b
}

func (b *Box) SetInputCapture(capture func(event *tcell.EventKey) *tcell.EventKey) *Box { return b }
func (b *Box) SetFocusFunc(callback func()) *Box                                        { return b }
func (b *Box) SetBlurFunc(callback func()) *Box                                         { return b }

type Table struct{ *Box }

func NewTable() *Table { return &Table{Box: NewBox()} }

func (t *Table) SetSelectedFunc(handler func(row, column int)) *Table         { return t }
func (t *Table) SetSelectionChangedFunc(handler func(row, column int)) *Table { return t }
func (t *Table) SetDoneFunc(handler func(key tcell.Key)) *Table               { return t }
func (t *Table) Clear() *Table                                                { return t }

func (t *Table) SetCellSimple(row, column int, text string) *Table { return t }

type InputField struct{ *Box }

func NewInputField() *InputField { return &InputField{Box: NewBox()} }

func (i *InputField) SetChangedFunc(handler func(text string)) *InputField { return i }
func (i *InputField) SetDoneFunc(handler func(key tcell.Key)) *InputField  { return i }
func (i *InputField) SetAutocompleteFunc(callback func(currentText string) (entries []string)) *InputField {
	return i
}

type List struct{ *Box }

func NewList() *List { return &List{Box: NewBox()} }

func (l *List) AddItem(mainText, secondaryText string, shortcut rune, selected func()) *List {
	return l
}

func (l *List) SetChangedFunc(handler func(index int, mainText string, secondaryText string, shortcut rune)) *List {
	return l
}

type Form struct{ *Box }

func NewForm() *Form { return &Form{Box: NewBox()} }

func (f *Form) AddButton(label string, selected func()) *Form { return f }
func (f *Form) AddCheckbox(label string, checked bool, changed func(checked bool)) *Form {
	return f
}
func (f *Form) SetCancelFunc(callback func()) *Form { return f }

type TextView struct{ *Box }

func NewTextView() *TextView { return &TextView{Box: NewBox()} }

func (t *TextView) SetText(text string) *TextView { return t }
