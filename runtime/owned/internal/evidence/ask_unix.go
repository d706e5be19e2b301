//go:build unix

package evidence

import (
	"syscall"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

// ask sends SIGTERM, and SIGCONT because a process that is stopped does not
// get the first before it goes on.
func ask(id procid.Identity) error {
	if err := Signal(id, syscall.SIGTERM); err != nil {
		return err
	}
	Signal(id, syscall.SIGCONT)
	return nil
}
