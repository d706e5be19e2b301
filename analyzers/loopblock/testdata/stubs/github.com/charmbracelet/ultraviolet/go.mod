module github.com/charmbracelet/ultraviolet

go 1.26.0
