package httpdriver

import "time"

// Settle sets how long the first idle connection rests before it is reused.
func (c *Client) Settle(settle time.Duration) { c.keepAlive.settle = settle }
