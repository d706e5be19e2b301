module github.com/rivo/tview

go 1.26.0
