module github.com/gdamore/tcell/v2

go 1.26.0
