package chphost

import (
	"sync"

	"github.com/capconform/capconform/reference/rpc"
)

// Record is one event of the store.
type Record struct {
	Sequence int64   // the host's own count, strictly increasing
	Text     rpc.Raw // the ExecutionEvidence as JSON
}

// Store stores evidence, append-only: its content cannot be changed or deleted. It is safe for
// concurrent use.
type Store struct {
	// Number writes the sequence into an event. It is set before the first call.
	Number func(event map[string]any, sequence int64)
	// Next returns the sequence after another one. It is set before the first call.
	Next func(sequence int64) int64

	mutex   sync.RWMutex
	last    int64
	records map[string][]Record // by correlation id
	journal *Journal            // nil keeps the evidence only in memory
}

// NewStore returns a store that continues where the journal ended. With a nil journal,
// the store is empty and in memory.
func NewStore(journal *Journal) *Store {
	s := &Store{
		records: map[string][]Record{}, journal: journal,
		Number: func(event map[string]any, sequence int64) { event["sequence"] = sequence },
		Next:   func(sequence int64) int64 { return sequence + 1 },
	}
	if journal != nil {
		for _, entry := range journal.entries {
			s.records[entry.correlation] = append(s.records[entry.correlation], entry.record)
			s.last = max(s.last, entry.record.Sequence)
		}
	}
	return s
}

// Append numbers an event and stores it under a correlation id. It fails, and
// stores nothing, if the journal cannot be written.
func (s *Store) Append(correlation string, event map[string]any) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	sequence := s.Next(s.last)
	s.Number(event, sequence)
	record := Record{Sequence: sequence, Text: rpc.Append(nil, event)}
	if s.journal != nil {
		if err := s.journal.append(record.Text); err != nil {
			return err
		}
	}
	s.last = sequence
	s.records[correlation] = append(s.records[correlation], record)
	return nil
}

// Events returns the records under a correlation id, by sequence. They must not be changed.
func (s *Store) Events(correlation string) []Record {
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	return s.records[correlation]
}
