package process

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// A run has a memory limit that follows what it holds: the collector runs often while little is
// held, and seldom in a large run. A fixed growth (GOGC) that keeps a normal run as small costs
// a large one much more time.
const (
	// smallMemory is the limit of a normal run, in bytes. It covers neither the pages of the
	// program, about 25 MB, nor the ballast, which is never touched.
	smallMemory = 38 << 20
	// besideHeap is what the runtime needs beside the heap, in bytes.
	besideHeap = 6 << 20
)

// memoryLimit returns the limit of a run that holds live bytes: one and a half times as much, at
// least smallMemory and at most runMemory.
func memoryLimit(live int64) int64 {
	return min(max(smallMemory, live+live/2+besideHeap), runMemory)
}

// paceCollector sets the memory limit now and after each collection, until stop is called.
func paceCollector() (stop func()) {
	var stopped atomic.Bool
	debug.SetMemoryLimit(smallMemory)
	afterCollection(func() bool {
		if stopped.Load() {
			return false
		}
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		debug.SetMemoryLimit(memoryLimit(int64(live[0].Value.Uint64())))
		return true
	})
	return func() { stopped.Store(true) }
}

// collection is garbage as soon as it is made, so that its cleanup runs after the next collection.
// It has a pointer, since the runtime would allocate it together with others otherwise.
type collection struct{ _ *collection }

// afterCollection calls do after each collection, until do returns false.
func afterCollection(do func() bool) {
	runtime.AddCleanup(&collection{}, func(do func() bool) {
		if do() {
			afterCollection(do)
		}
	}, do)
}
