module github.com/jesseduffield/gocui

go 1.26.0
