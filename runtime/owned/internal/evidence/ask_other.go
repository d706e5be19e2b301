//go:build !unix

package evidence

import (
	"os"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

// ask kills: there is no way to ask a process that has no window.
func ask(id procid.Identity) error {
	return Signal(id, os.Kill)
}
