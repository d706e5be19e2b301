module github.com/gotk3/gotk3

go 1.26.0
