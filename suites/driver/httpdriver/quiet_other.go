//go:build !unix

package httpdriver

import "net"

// ownConnections: nothing tells here whether a connection that is kept still stands
// but a goroutine that reads from it, as http.Transport has one.
const ownConnections = false

func quiet(net.Conn) bool { return false }
