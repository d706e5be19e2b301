module github.com/wailsapp/wails/v3

go 1.26.0
