//go:build unix

package supervise

// DieAsOwner ends the supervisor's input as the death of this process would,
// for measurements. Nothing is supervised afterwards.
func (c *Client) DieAsOwner() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	if c.running != nil {
		running := c.running
		c.running = nil
		running.pipe.Close()
	}
}
