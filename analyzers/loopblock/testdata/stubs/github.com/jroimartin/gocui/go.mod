module github.com/jroimartin/gocui

go 1.26.0
