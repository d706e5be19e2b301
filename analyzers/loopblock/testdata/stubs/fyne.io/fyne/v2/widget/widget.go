// Package widget is a stub.
package widget

import "fyne.io/fyne/v2"

type BaseWidget struct{}

func (w *BaseWidget) ExtendBaseWidget(wid fyne.Widget) {}
func (w *BaseWidget) MinSize() fyne.Size               { return fyne.Size{} }
func (w *BaseWidget) Move(fyne.Position)               {}
func (w *BaseWidget) Position() fyne.Position          { return fyne.Position{} }
func (w *BaseWidget) Resize(fyne.Size)                 {}
func (w *BaseWidget) Size() fyne.Size                  { return fyne.Size{} }
func (w *BaseWidget) Hide()                            {}
func (w *BaseWidget) Visible() bool                    { return true }
func (w *BaseWidget) Show()                            {}
func (w *BaseWidget) Refresh()                         {}

type Button struct {
	BaseWidget
	Text     string
	OnTapped func()
}

func NewButton(label string, tapped func()) *Button {
	return &Button{Text: label, OnTapped: tapped}
}

func (b *Button) CreateRenderer() fyne.WidgetRenderer { return nil }

type Entry struct {
	BaseWidget
	Text        string
	OnChanged   func(string)
	OnSubmitted func(string)
}

func NewEntry() *Entry { return &Entry{} }

func (e *Entry) CreateRenderer() fyne.WidgetRenderer { return nil }

type List struct {
	BaseWidget
	OnSelected func(id int)
}

func NewList(length func() int, createItem func() fyne.CanvasObject, updateItem func(int, fyne.CanvasObject)) *List {
	return &List{}
}

type Check struct {
	BaseWidget
	OnChanged func(bool)
}

func NewCheck(label string, changed func(bool)) *Check { return &Check{OnChanged: changed} }
