package cli

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

const (
	// smallMemory is what the collector of garbage tries to keep a normal run below, in bytes. The program itself,
	// of which 25 MB are in memory during a run, and the ballast, which is not, do not count.
	smallMemory = 38 << 20
	// besideHeap is what the runtime takes beside the heap, and what lies between its objects, in bytes.
	besideHeap = 6 << 20
)

// memoryLimit returns how much memory a run may take that holds live bytes: half as much again, or smallMemory if
// that is enough. Less would cost more of the processor than it saves.
func memoryLimit(live int64) int64 {
	return min(max(smallMemory, live+live/2+besideHeap), runMemory)
}

// paceCollector sets the limit of memory now and after each collection, until stop is called.
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

// collection is garbage as soon as it is made. It is no tiny object, which the runtime would keep with others.
type collection struct{ _ *collection }

// afterCollection calls do after each collection, until do returns false.
func afterCollection(do func() bool) {
	runtime.AddCleanup(&collection{}, func(do func() bool) {
		if do() {
			afterCollection(do)
		}
	}, do)
}
