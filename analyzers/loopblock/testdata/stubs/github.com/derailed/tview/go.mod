module github.com/derailed/tview

go 1.26.0
