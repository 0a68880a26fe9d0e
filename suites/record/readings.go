package record

import (
	"reflect"
	"sync"
)

// Readings keep what was found out about something that does not change, by its type. The zero value
// is ready for use, and safe for concurrent use.
type Readings struct{ byType sync.Map }

// Keep returns what read finds out, which is not read again. Nil keeps nothing. Whoever gets it must not
// change it.
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

// Once returns what read makes of an entry. An entry of a record that Load made keeps it, since such a
// record is judged again and again: see Keep.
func Once[T any](e Entry, read func(Entry) T) T {
	return Keep(e.readings, func() T { return read(e) })
}
