package driver

import (
	"runtime"
	"runtime/metrics"
)

// heapMetric is the name of the metric for the memory of the heap, garbage included.
const heapMetric = "/memory/classes/heap/objects:bytes"

// heapInUse returns how many bytes the process holds, without garbage if that could matter for a bound.
func heapInUse(bound int64) int64 {
	sample := []metrics.Sample{{Name: heapMetric}}
	metrics.Read(sample)
	if size := int64(sample[0].Value.Uint64()); size <= bound {
		return size
	}
	runtime.GC()
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// memoryFailure returns the error of a call that is not made because earlier answers fill the
// memory. It returns nil if the process holds at most the bound, or if there is no bound.
func memoryFailure(op Operation, bound int64) error {
	if bound == 0 || heapInUse(bound) <= bound {
		return nil
	}
	return Begin(op, op.Params).Fail(ErrTooLarge,
		"the answers of the target so far take more than "+Size(bound)+" of memory", Secrets{})
}
