package environment

import "sync"

// Records beyond this number are dropped: a subject that asks without end must not
// fill our memory.
const maxRecords = 20_000

// records keeps what a part was asked, oldest first.
type records[T any] struct {
	mu  sync.Mutex
	all []T
}

// add keeps a record.
func (k *records[T]) add(one T) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.all) < maxRecords {
		k.all = append(k.all, one)
	}
}

// those returns the records that are wanted.
func (k *records[T]) those(wanted func(T) bool) []T {
	k.mu.Lock()
	defer k.mu.Unlock()
	var found []T
	for _, one := range k.all {
		if wanted(one) {
			found = append(found, one)
		}
	}
	return found
}
