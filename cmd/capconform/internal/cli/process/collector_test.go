package process

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestMemoryLimit: a small run has a fixed limit, a larger one has room for garbage, and none exceeds runMemory.
func TestMemoryLimit(t *testing.T) {
	t.Parallel()
	for live, want := range map[int64]int64{
		0: smallMemory, 20 << 20: smallMemory, 40 << 20: 66 << 20, 1 << 30: runMemory,
	} {
		assert.Equal(t, want, memoryLimit(live), "%d", live)
	}
}

// TestAfterCollection: each collection is followed by a call, until one returns false.
func TestAfterCollection(t *testing.T) {
	t.Parallel()
	called := make(chan bool, 10)
	count := 0
	afterCollection(func() bool {
		count++
		called <- count < 2
		return count < 2
	})
	for further := true; further; {
		runtime.GC()
		select {
		case further = <-called:
		case <-time.After(time.Millisecond):
		}
	}
	runtime.GC()
	assert.Empty(t, called)
}
