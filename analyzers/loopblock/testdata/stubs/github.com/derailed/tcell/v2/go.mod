module github.com/derailed/tcell/v2

go 1.26.0
