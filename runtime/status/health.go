package status

import (
	"fmt"
	"log/slog"
	"sync"
)

// health logs the first failure and the recovery, and nothing in between.
type health struct {
	logger func() *slog.Logger
	path   string

	mu     sync.Mutex
	failed bool
}

// ended is told the outcome of a write.
func (h *health) ended(err error) {
	if err != nil {
		h.fail(err)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.failed {
		h.failed = false
		h.logger().Info("status: the file is written again", "file", h.path)
	}
}

// hanging is told that a write has not come back.
func (h *health) hanging() {
	h.fail(fmt.Errorf("the disk has not answered for %v", hangAfter))
}

func (h *health) fail(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.failed {
		h.logger().Debug("status: the file still cannot be written", "file", h.path, "error", err)
		return
	}
	h.failed = true
	h.logger().Warn("status: the file cannot be written, and is tried again", "file", h.path, "error", err)
}
