package roots

import (
	"testing"

	"github.com/holdfast-go/holdfast/analyzers/internal/checked"
)

// Every process of go vet fills the tables once, if it looks anything up.
func BenchmarkFill(b *testing.B) {
	for b.Loop() {
		fill()
	}
}

// Nearly every call is of a function that no table lists.
func BenchmarkOfUnlisted(b *testing.B) {
	p := checked.Check(b, map[string]string{"example.org/app/v2/store": `package store; type T struct{}; func (T) Get() {}`})
	fn := p.Func(b, "example.org/app/v2/store", "T", "Get")
	for b.Loop() {
		if _, ok := Of(fn); ok || !Conditional(fn).IsZero() || NonBlocking(fn) {
			b.Fatal("listed")
		}
	}
}
