// Package recording stores every call of a run: in the record, if one is kept, and with the
// history of the suite that it belongs to (DESIGN section 11).
package recording

import (
	"sync"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/record"
)

// Historian is an examination that reads the record of its suite while it grows. Add
// takes each entry of the suite in the order in which the entries were done, beginning
// with those of its discovery. It is not called concurrently.
type Historian interface {
	Add(e record.Entry)
}

// Journal takes every entry of a run. It passes each to the record, if one is kept, and
// to the suite that it belongs to.
type Journal struct {
	clock  record.Clock
	writer *record.Writer // nil: no record is kept
	Plain  bool           // keep exchanges uncompressed; set before the first entry

	mu        sync.Mutex
	judged    map[string]bool                    // suites whose examination reads the record, or may turn out to
	waiting   map[string][]record.Entry          // by suite: of discovery, before there is an examination
	readers   map[string]Historian               // by suite
	exchanges map[string]map[record.Tick]shelved // by suite
	bodies    map[string]*shelf                  // of exchanges, by suite
}

// NewJournal makes the journal of a run. The writer may be nil: then no record is kept.
func NewJournal(writer *record.Writer, suites []string) *Journal {
	j := &Journal{
		writer: writer, judged: map[string]bool{}, waiting: map[string][]record.Entry{},
		readers: map[string]Historian{}, exchanges: map[string]map[record.Tick]shelved{},
		bodies: map[string]*shelf{},
	}
	for _, suite := range suites {
		j.judged[suite] = true
	}
	return j
}

// Takes tells whether anybody reads the entries of a suite.
func (j *Journal) Takes(suite string) bool {
	if j.writer != nil {
		return true
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.judged[suite]
}

// Tick returns the next tick of the record.
func (j *Journal) Tick() record.Tick { return j.clock.Tick() }

// Add takes an entry, and the exchange that it is of. A record that cannot be written
// ends no run: its error is reported when the record is saved.
func (j *Journal) Add(e record.Entry, exchange driver.Exchange) {
	if j.writer != nil {
		_ = j.writer.Append(e)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.judged[e.Suite] {
		return
	}
	if j.exchanges[e.Suite] == nil {
		j.exchanges[e.Suite], j.bodies[e.Suite] = map[record.Tick]shelved{}, &shelf{plain: j.Plain}
	}
	j.exchanges[e.Suite][e.Begun] = j.bodies[e.Suite].put(exchange)
	if reader := j.readers[e.Suite]; reader != nil {
		reader.Add(e)
		return
	}
	j.waiting[e.Suite] = append(j.waiting[e.Suite], e)
}

// Read gives the entries of a suite to its examination, from the first on. What an
// examination does not read is not kept.
func (j *Journal) Read(suite string, examination any) {
	if j == nil {
		return
	}
	reader, reads := examination.(Historian)
	j.mu.Lock()
	defer j.mu.Unlock()
	if !reads {
		j.drop(suite)
		return
	}
	j.readers[suite] = reader
	for _, e := range j.waiting[suite] {
		reader.Add(e)
	}
	delete(j.waiting, suite)
}

// Forget lets go of a suite that was judged. Its examination gets no further entries.
func (j *Journal) Forget(suite string) {
	if j == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.drop(suite)
}

func (j *Journal) drop(suite string) {
	delete(j.exchanges, suite)
	delete(j.bodies, suite)
	delete(j.waiting, suite)
	delete(j.readers, suite)
	delete(j.judged, suite)
}

// ExchangeOf gives what went over the wire for an entry of a suite.
func (j *Journal) ExchangeOf(suite string, begun record.Tick) (driver.Exchange, bool) {
	if j == nil {
		return driver.Exchange{}, false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	kept, ok := j.exchanges[suite][begun]
	if !ok {
		return driver.Exchange{}, false
	}
	return j.bodies[suite].take(kept), true
}
