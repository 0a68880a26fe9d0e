package driver

import (
	"runtime"
	"runtime/metrics"
)

// inUse is the name of the metric for the memory of the heap, garbage included.
const inUse = "/memory/classes/heap/objects:bytes"

// held returns how many bytes the process holds, without garbage if that could matter for a bound.
func held(bound int64) int64 {
	sample := []metrics.Sample{{Name: inUse}}
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
	if bound == 0 || held(bound) <= bound {
		return nil
	}
	return Begin(op, op.Params).Fail(ErrTooLarge,
		"the answers of the target so far take more than "+Size(bound)+" of memory", Secrets{})
}
