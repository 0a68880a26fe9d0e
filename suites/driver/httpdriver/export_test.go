package httpdriver

// Settle takes it as seen that the target keeps connections.
func (c *Client) Settle() { c.direct.settled = true }
