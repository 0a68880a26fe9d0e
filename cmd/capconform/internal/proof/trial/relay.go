package trial

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
)

// Relay copies between in and out and a TCP address. It is the child process through which a host
// of this process is examined over stdio.
func Relay(ctx context.Context, address string, in io.Reader, out io.Writer) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil || !net.ParseIP(host).IsLoopback() {
		return fmt.Errorf("trial: %q is not a loopback address with a port", strings.ToValidUTF8(address, "?"))
	}
	var dialer net.Dialer
	connection, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("trial: %w", err)
	}
	defer connection.Close() // both streams have ended
	stop := context.AfterFunc(ctx, func() { _ = connection.Close() })
	defer stop()
	go func() {
		_, _ = io.Copy(connection, in)
		if half, ok := connection.(*net.TCPConn); ok {
			_ = half.CloseWrite()
		}
	}()
	if _, err := io.Copy(out, connection); err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("trial: %w", err)
	}
	return nil
}
