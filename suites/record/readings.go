package record

import (
	"reflect"
	"sync"
)

// Readings caches what was derived from something that does not change, by type. The zero value is
// ready to use, and safe for concurrent use.
type Readings struct{ byType sync.Map }

// Keep returns the result of read, and calls read only once. If r is nil, nothing is cached.
// Callers must not change the result.
func Keep[T any](in *Readings, read func() T) T {
	if in == nil {
		return read()
	}
	key := reflect.TypeFor[T]()
	known, is := in.byType.Load(key)
	if !is {
		known, _ = in.byType.LoadOrStore(key, read())
	}
	kept, _ := known.(T)
	return kept
}

// Once returns the result of read for an entry. An entry of a record that Load made caches it,
// because such a record is judged many times: see Keep.
func Once[T any](e Entry, read func(Entry) T) T {
	return Keep(e.readings, func() T { return read(e) })
}
