//go:build unix

package httpdriver

import (
	"errors"
	"net"
	"syscall"
)

// ownConnections: a connection that is kept can be asked whether it still stands.
const ownConnections = true

// quiet tells whether the other end has neither closed a connection nor sent
// anything that nobody asked for.
func quiet(conn net.Conn) bool {
	able, ok := conn.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := able.SyscallConn()
	if err != nil {
		return false
	}
	nothing := false
	err = raw.Read(func(fd uintptr) bool {
		var one [1]byte
		_, err := syscall.Read(int(fd), one[:])
		nothing = errors.Is(err, syscall.EAGAIN)
		return true // it is not waited for
	})
	return err == nil && nothing
}
