// Package fyne is a stub.
package fyne

type (
	Size     struct{ Width, Height float32 }
	Position struct{ X, Y float32 }
	KeyEvent struct{ Name string }
)

type PointEvent struct{ Position Position }

type CanvasObject interface {
	MinSize() Size
	Move(Position)
	Position() Position
	Resize(Size)
	Size() Size
	Hide()
	Visible() bool
	Show()
	Refresh()
}

type WidgetRenderer interface {
	Destroy()
	Layout(Size)
	MinSize() Size
	Objects() []CanvasObject
	Refresh()
}

type Widget interface {
	CanvasObject
	CreateRenderer() WidgetRenderer
}

type Tappable interface{ Tapped(*PointEvent) }

type Layout interface {
	Layout([]CanvasObject, Size)
	MinSize(objects []CanvasObject) Size
}

func Do(fn func())        {}
func DoAndWait(fn func()) {}
