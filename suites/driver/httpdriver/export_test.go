package httpdriver

import "time"

// Rest sets how long the first connection rests before it is used again.
func (c *Client) Rest(rest time.Duration) { c.direct.rest = rest }
