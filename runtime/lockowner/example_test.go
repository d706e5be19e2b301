package lockowner_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/holdfast-go/holdfast/runtime/lockowner"
)

// errBusy stands for SQLITE_BUSY of the driver.
var errBusy = errors.New("database is locked")

func Example() {
	err := fmt.Errorf("saving the session: %w", errBusy)
	if errors.Is(err, errBusy) {
		// Bounded, as the disk of the database may be what hangs.
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		report, findErr := lockowner.Find(ctx, "/var/lib/agent/state.db")
		slog.Warn("the database is locked", "holders", report, "error", findErr) // with command lines
	}
	// The error stays what it was, so that equal failures stay equal.
	fmt.Println(err)
	// Output: saving the session: database is locked
}
