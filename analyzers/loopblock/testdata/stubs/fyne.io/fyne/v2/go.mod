module fyne.io/fyne/v2

go 1.26.0
