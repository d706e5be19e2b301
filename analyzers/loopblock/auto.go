package loopblock

// advice returns what hand-written loops wait for that look like event loops.
func (c *collector) advice() []finding { return nil }
