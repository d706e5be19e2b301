module github.com/awesome-gocui/gocui

go 1.26.0
