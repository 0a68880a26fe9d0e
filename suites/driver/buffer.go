package driver

import "fmt"

// grownAtOnce is the length in bytes from which a buffer is grown to its limit in one step.
const grownAtOnce = 1 << 20

// Grow makes room for more bytes in a buffer of at most limit bytes. It grows a long buffer to the
// limit in one step: growing in several steps would hold the text twice. Memory that is never
// written to costs nothing.
func Grow(buffer []byte, more int, limit int64) []byte {
	need := len(buffer) + more
	if need <= cap(buffer) {
		return buffer
	}
	room := max(need, 2*cap(buffer), 4<<10)
	if need > grownAtOnce {
		room = max(need, int(limit))
	}
	return append(make([]byte, 0, room), buffer...)
}

// Fitted returns a complete buffer without its unused capacity.
func Fitted(buffer []byte) []byte {
	if cap(buffer) < grownAtOnce || len(buffer) > cap(buffer)/2 {
		return buffer
	}
	return append(make([]byte, 0, len(buffer)), buffer...)
}

// Size formats a number of bytes for people: 8 MiB.
func Size(bytes int64) string {
	for _, unit := range []struct {
		bytes int64
		name  string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if bytes >= unit.bytes && bytes%unit.bytes == 0 {
			return fmt.Sprintf("%d %s", bytes/unit.bytes, unit.name)
		}
	}
	return fmt.Sprintf("%d bytes", bytes)
}
