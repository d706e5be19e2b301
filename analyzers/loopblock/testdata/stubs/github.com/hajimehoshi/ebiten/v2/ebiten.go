// Package ebiten is a stub.
package ebiten

type Image struct{}

type FinalScreen interface{ Bounds() (int, int) }

type GeoM struct{}

type Game interface {
	Update() error
	Draw(screen *Image)
	Layout(outsideWidth, outsideHeight int) (screenWidth, screenHeight int)
}

type LayoutFer interface {
	LayoutF(outsideWidth, outsideHeight float64) (screenWidth, screenHeight float64)
}

type FinalScreenDrawer interface {
	DrawFinalScreen(screen FinalScreen, offscreen *Image, geoM GeoM)
}

func RunGame(game Game) error { return nil }
