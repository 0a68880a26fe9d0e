package environment

import "sync"

// maxRecords limits the number of records. Further ones are dropped, so that a subject that sends
// requests without end cannot fill the memory.
const maxRecords = 20_000

// records stores the requests to one service, oldest first.
type records[T any] struct {
	mu  sync.Mutex
	all []T
}

// add stores a record.
func (k *records[T]) add(record T) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.all) < maxRecords {
		k.all = append(k.all, record)
	}
}

// filter returns the records for which match is true.
func (k *records[T]) filter(match func(T) bool) []T {
	k.mu.Lock()
	defer k.mu.Unlock()
	var found []T
	for _, record := range k.all {
		if match(record) {
			found = append(found, record)
		}
	}
	return found
}
