module github.com/hajimehoshi/ebiten/v2

go 1.26.0
