// Package recording stores every call of a run: in the record, if one is kept, and in the history
// of its suite (DESIGN section 11).
package recording

import (
	"sync"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/record"
)

// EntryReader is an examination that reads the record of its suite during the run. Add is called with
// each entry of the suite, in the order in which the entries were completed, beginning with those
// of the discovery. It is not called concurrently.
type EntryReader interface {
	Add(e record.Entry)
}

// Journal receives every entry of a run. It passes each entry to the record, if one is kept, and to
// the examination of its suite.
type Journal struct {
	clock  record.Clock
	writer *record.Writer // nil if no record is kept
	Plain  bool           // keeps exchanges uncompressed; must be set before the first entry
	// Observe is called with every entry, not concurrently. It may be nil, and must be set before the first entry.
	Observe func(record.Entry, driver.Exchange)

	mu        sync.Mutex
	judged    map[string]bool                           // suites whose examination is, or may turn out to be, an EntryReader
	waiting   map[string][]record.Entry                 // by suite: entries that precede the examination
	readers   map[string]EntryReader                    // by suite
	exchanges map[string]map[record.Tick]storedExchange // by suite
	bodies    map[string]*exchangeStore                 // the bodies of the exchanges, by suite
}

// NewJournal returns the journal of a run. If the writer is nil, no record is kept.
func NewJournal(writer *record.Writer, suites []string) *Journal {
	j := &Journal{
		writer: writer, judged: map[string]bool{}, waiting: map[string][]record.Entry{},
		readers: map[string]EntryReader{}, exchanges: map[string]map[record.Tick]storedExchange{},
		bodies: map[string]*exchangeStore{},
	}
	for _, suite := range suites {
		j.judged[suite] = true
	}
	return j
}

// Takes reports whether the entries of a suite are stored.
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

// Add stores an entry with its exchange. If the record cannot be written, the run continues, and
// the error is reported when the record is saved.
func (j *Journal) Add(e record.Entry, exchange driver.Exchange) {
	if j.writer != nil {
		_ = j.writer.Append(e)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.Observe != nil {
		j.Observe(e, exchange)
	}
	if !j.judged[e.Suite] {
		return
	}
	if j.exchanges[e.Suite] == nil {
		j.exchanges[e.Suite], j.bodies[e.Suite] = map[record.Tick]storedExchange{}, &exchangeStore{plain: j.Plain}
	}
	j.exchanges[e.Suite][e.Begun] = j.bodies[e.Suite].put(exchange)
	if reader := j.readers[e.Suite]; reader != nil {
		reader.Add(e)
		return
	}
	j.waiting[e.Suite] = append(j.waiting[e.Suite], e)
}

// Read passes all entries of a suite, past and future, to its examination. If the examination is
// not an EntryReader, the journal discards them.
func (j *Journal) Read(suite string, examination any) {
	if j == nil {
		return
	}
	reader, reads := examination.(EntryReader)
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

// Forget discards the entries of a suite after it was judged. Its examination receives no further
// entries.
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

// ExchangeOf returns the exchange of an entry of a suite, and whether the journal has it.
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
