package driver

import "fmt"

// grownAtOnce is from how many bytes on a buffer gets all its room at once.
const grownAtOnce = 1 << 20

// Grow gives a buffer room for more bytes, where it may have limit bytes at most. A
// long one gets all of that room at once: if it grew step by step, the text would be
// held twice. Room that is not written to takes no memory.
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

// Fitted gives a buffer that is complete without the room that it does not need.
func Fitted(buffer []byte) []byte {
	if cap(buffer) < grownAtOnce || len(buffer) > cap(buffer)/2 {
		return buffer
	}
	return append(make([]byte, 0, len(buffer)), buffer...)
}

// Size writes a number of bytes as a person does: 8 MiB.
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
