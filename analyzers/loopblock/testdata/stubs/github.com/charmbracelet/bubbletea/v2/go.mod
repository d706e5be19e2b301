module github.com/charmbracelet/bubbletea/v2

go 1.26.0
