module github.com/gdamore/tcell

go 1.26.0
