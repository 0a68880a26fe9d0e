package cli

import (
	"os"
	"runtime/debug"
)

// Ballast is for the collector, which runs when the heap has grown by a share: without it a
// run, whose heap is a few megabytes, is walked again for every few megabytes more,
// while the target is waited for (DESIGN section 13). Nobody writes to it, so that
// it takes addresses and no memory. The caller keeps it until the end.
func Ballast() []byte { return make([]byte, 4<<20) }

const (
	// runMemory is where the collector of garbage works hardest, in bytes: a
	// replay of 100,000 events fits below it and leaves as much again behind.
	runMemory = 170 << 20
	// answersMemory is how many bytes a run may hold when it begins a call. One answer
	// fits between it and runMemory, with what is made of it.
	answersMemory = 80 << 20
)

// boundMemory leaves alone what the person has set.
func boundMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(runMemory)
	}
}

// boundRun keeps the memory of a run low until stop is called, and leaves alone what the person has set.
func boundRun() (stop func()) {
	if os.Getenv("GOMEMLIMIT") == "" {
		return paceCollector()
	}
	return func() {}
}
