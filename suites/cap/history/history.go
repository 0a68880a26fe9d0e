// Package history reads the record of a run as the objects of CAP: lists, descriptions,
// invocations, and the calls of services that the harness provides (DESIGN section 11).
// It judges nothing.
package history

import (
	"crypto/sha256"
	"slices"
	"sync"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
)

// maxDecoded limits the bytes of manifests that are kept decoded.
const maxDecoded = 512 << 10

// History is what one run did and observed. It is safe for concurrent use; the objects that it
// returns must not be changed.
type History struct {
	reading.Reading
	limits schemas.Limits

	lists    []*Listing
	lookups  []*Lookup
	attempts []*Attempt
	services []*Service
	size     int // the number of entries
	texts    map[[sha256.Size]byte]*List

	rawMutex     sync.Mutex
	rawManifests map[[sha256.Size]byte]*RawManifest
	decoded      int // bytes of the sheets that are kept decoded
}

// New makes an empty history. The limit applies to one element of a list, in bytes.
func New(limit int64) *History {
	return &History{
		limits: schemas.Limits{Size: int(limit)}, texts: map[[sha256.Size]byte]*List{},
		rawManifests: map[[sha256.Size]byte]*RawManifest{},
	}
}

// rawManifest returns the sheet of a text that was just decoded.
func (h *History) rawManifest(raw []byte, m Manifest) *RawManifest {
	h.rawMutex.Lock()
	defer h.rawMutex.Unlock()
	sum := sha256.Sum256(raw)
	if known := h.rawManifests[sum]; known != nil {
		return known
	}
	s := Decoded(m)
	s.Raw = raw
	if h.decoded += len(raw); h.decoded > maxDecoded {
		s.kept = nil
	}
	h.rawManifests[sum] = s
	return s
}

// Read reads a list. The first answer of a run is also in the record: the History and the
// caller share the decoded list.
func (h *History) Read(text []byte) *List {
	h.Lock()
	defer h.Unlock()
	return h.list(text, 0)
}

func (h *History) list(text []byte, entry record.Tick) *List {
	sum := sha256.Sum256(text)
	l := h.texts[sum]
	if l == nil {
		l = h.readList(text)
		h.texts[sum] = l
	}
	if l.Same == 0 {
		l.Same = entry
		for _, el := range l.Elements {
			if el.First == 0 {
				el.First = entry
			}
		}
	}
	return l
}

// Add adds an entry. Entries are added in the order in which the calls ended.
func (h *History) Add(e record.Entry) {
	h.Lock()
	defer h.Unlock()
	h.size++
	c := callOf(e)
	switch {
	case h.Conclude(e):
	case e.Party == record.Service:
		h.addService(c, e)
	case e.Operation == OpList:
		h.addListing(c, e)
	case e.Operation == OpDescribe:
		h.addLookup(c, e)
	case e.Operation == OpInvoke:
		h.addAttempt(c, e)
	}
}

// Size returns the number of entries. An equal size means that nothing has changed.
func (h *History) Size() int {
	h.RLock()
	defer h.RUnlock()
	return h.size
}

func (h *History) addListing(c Call, e record.Entry) {
	l := &Listing{Call: c, List: List{known: map[Ref]*RawManifest{}}}
	if text := reading.ResultOf(e); text != nil {
		l.List = *h.list(text, c.Entry)
		if l.limit != nil {
			l.Lost = l.limit
		}
	}
	if of, is := c.Link(record.ControlOf); is && c.Stimulus == controlling {
		h.setClosedTwice(of, !l.Empty())
		return
	}
	if c.Stimulus == Restart && c.About[AboutStep] == "" {
		return // this call only checks whether the source is alive again
	}
	if of, again := c.Link(record.RetryOf); again {
		if before := reading.Peek[*Listing](&h.Reading, of); before != nil {
			before.superseded = true
		}
	}
	h.Put(c.Entry, l)
	h.lists = append(h.lists, l)
}

// controlling is the stimulus by which the engine checks whether the subject is alive.
const controlling = "control"

// setClosedTwice records that the source served something else after it closed a connection twice.
func (h *History) setClosedTwice(of record.Tick, serves bool) {
	if a := reading.Peek[*Attempt](&h.Reading, of); a != nil {
		a.ClosedTwice = serves
	}
	if l := reading.Peek[*Lookup](&h.Reading, of); l != nil {
		l.ClosedTwice = serves
	}
	if l := reading.Peek[*Listing](&h.Reading, of); l != nil {
		l.ClosedTwice = serves
	}
}

func (h *History) addLookup(c Call, e record.Entry) {
	if of, is := c.Link(record.ControlOf); is && c.Stimulus == controlling {
		h.setClosedTwice(of, e.Outcome == record.Returned || e.Outcome == record.Refused)
		return
	}
	sent, _ := e.Sent.Text()
	l := h.readLookup(c, sent, reading.ResultOf(e))
	if l.Shown != nil && l.Shown.First == 0 {
		l.Shown.First = c.Entry
	}
	if of, again := c.Link(record.RetryOf); again {
		if before := reading.Peek[*Lookup](&h.Reading, of); before != nil {
			before.superseded = true
		}
	}
	h.Put(c.Entry, l)
	h.lookups = append(h.lookups, l)
}

func (h *History) addAttempt(c Call, e record.Entry) {
	read := *record.Once(e, func(e record.Entry) *Attempt {
		sent, _ := e.Sent.Text()
		return readAttempt(c, sent, reading.ResultOf(e))
	})
	a := &read
	if of, again := c.Link(record.RetryOf); again {
		if before := reading.Peek[*Attempt](&h.Reading, of); before != nil {
			before.superseded, a.Before = true, before
		}
	}
	h.Put(c.Entry, a)
	h.attempts = append(h.attempts, a)
}

// Attempt returns the attempt of an entry.
func (h *History) Attempt(entry record.Tick) *Attempt {
	return reading.ObjectAt[*Attempt](&h.Reading, entry)
}

// Lookup returns the description of an entry.
func (h *History) Lookup(entry record.Tick) *Lookup {
	return reading.ObjectAt[*Lookup](&h.Reading, entry)
}

// Listing returns the list of an entry.
func (h *History) Listing(entry record.Tick) *Listing {
	return reading.ObjectAt[*Listing](&h.Reading, entry)
}

// Lists returns the answers to capability.list.
func (h *History) Lists() []*Listing {
	return reading.Select(&h.Reading, &h.lists, func(l *Listing) bool { return !l.superseded })
}

// First returns the first list of the run.
func (h *History) First() *Listing {
	if all := h.Lists(); len(all) > 0 {
		return all[0]
	}
	return &Listing{List: List{known: map[Ref]*RawManifest{}}}
}

// Attempts returns all invocations, each as it was sent for the last time.
func (h *History) Attempts() []*Attempt {
	return reading.Select(&h.Reading, &h.attempts, func(a *Attempt) bool { return !a.superseded })
}

// Of returns the attempts of the given stimuli.
func (h *History) Of(stimuli ...string) []*Attempt {
	return reading.Select(&h.Reading, &h.attempts,
		func(a *Attempt) bool { return !a.superseded && slices.Contains(stimuli, a.Stimulus) })
}

// Lookups returns all descriptions.
func (h *History) Lookups() []*Lookup {
	return reading.Select(&h.Reading, &h.lookups, func(l *Lookup) bool { return !l.superseded })
}

// LookupsOf returns the descriptions of the given stimuli.
func (h *History) LookupsOf(stimuli ...string) []*Lookup {
	return reading.Select(&h.Reading, &h.lookups,
		func(l *Lookup) bool { return !l.superseded && slices.Contains(stimuli, l.Stimulus) })
}

// ListsOf returns the lists of the given stimuli.
func (h *History) ListsOf(stimuli ...string) []*Listing {
	return reading.Select(&h.Reading, &h.lists,
		func(l *Listing) bool { return !l.superseded && slices.Contains(stimuli, l.Stimulus) })
}

// Confirming returns the attempts that settle a doubt about an entry.
func (h *History) Confirming(entry record.Tick) []*Attempt {
	return reading.Select(&h.Reading, &h.attempts,
		func(a *Attempt) bool { return !a.superseded && a.Is(record.Confirms, entry) })
}

// Controls returns the attempts that are controls of an entry.
func (h *History) Controls(entry record.Tick) []*Attempt {
	return reading.Select(&h.Reading, &h.attempts,
		func(a *Attempt) bool { return !a.superseded && a.Is(record.ControlOf, entry) })
}

// LookupsConfirming returns the descriptions that settle a doubt about an entry.
func (h *History) LookupsConfirming(entry record.Tick) []*Lookup {
	return reading.Select(&h.Reading, &h.lookups,
		func(l *Lookup) bool { return !l.superseded && l.Is(record.Confirms, entry) })
}

// LookupControls returns the descriptions that are controls of an entry.
func (h *History) LookupControls(entry record.Tick) []*Lookup {
	return reading.Select(&h.Reading, &h.lookups,
		func(l *Lookup) bool { return !l.superseded && l.Is(record.ControlOf, entry) })
}

// ListsConfirming returns the lists that settle a doubt about an entry.
func (h *History) ListsConfirming(entry record.Tick) []*Listing {
	return reading.Select(&h.Reading, &h.lists,
		func(l *Listing) bool { return !l.superseded && l.Is(record.Confirms, entry) })
}
