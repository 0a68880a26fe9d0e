package chphost

import (
	"sync"

	"github.com/capconform/capconform/reference/rpc"
)

// Record is one event of the store.
type Record struct {
	Sequence int64   // the host's own count, strictly rising
	Text     rpc.Raw // the ExecutionEvidence as JSON
}

// Store holds evidence, append-only: there is no way to change or drop what is
// in it. It is safe for concurrent use.
type Store struct {
	// Number writes the sequence into an event. It is set before the first call.
	Number func(event map[string]any, sequence int64)
	// Next gives the sequence after another one. It is set before the first call.
	Next func(sequence int64) int64

	mutex   sync.RWMutex
	last    int64
	records map[string][]Record // by correlation id
	journal *Journal            // nil keeps the evidence in memory alone
}

// NewStore makes a store that goes on where the journal ended. A nil journal
// makes an empty store in memory.
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

// Append numbers an event and keeps it under a correlation id. It fails, and
// keeps nothing, if the journal can't be written.
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

// Events gives what is kept under a correlation id, by sequence. It must not be changed.
func (s *Store) Events(correlation string) []Record {
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	return s.records[correlation]
}
