module github.com/gdamore/tcell/v3

go 1.26.0
