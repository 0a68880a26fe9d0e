package process

import (
	"os"
	"runtime/debug"
)

// Ballast keeps the garbage collector from running too often. The collector runs when the heap has
// grown by a share. The heap of a run is a few megabytes, so without ballast it would be collected
// after every few megabytes, while the run waits for the target (DESIGN section 13). Nothing writes
// to the ballast, so it occupies addresses but no memory. The caller must keep it until the end.
func Ballast() []byte { return make([]byte, 4<<20) }

const (
	// runMemory is the number of bytes above which the garbage collector works hardest. A replay
	// of 100,000 events needs half of it.
	runMemory = 170 << 20
	// AnswersMemory is the number of bytes that a run may hold when it begins a call. The
	// difference to runMemory suffices for one answer and what is made of it.
	AnswersMemory = 80 << 20
)

// BoundMemory sets the memory limit of the run, unless the user has set one.
func BoundMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(runMemory)
	}
}

// BoundRun keeps the memory of a run low until stop is called, unless the user has set a memory limit.
func BoundRun() (stop func()) {
	if os.Getenv("GOMEMLIMIT") == "" {
		return paceCollector()
	}
	return func() {}
}
