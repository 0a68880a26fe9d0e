// Package history reads the record of a run as the objects of CAP: lists, descriptions,
// invocations, and what arrived at the services that the harness plays (DESIGN section 11).
// It judges nothing.
package history

import (
	"crypto/sha256"
	"sync"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/record"
)

// keptDecoded is up to how many bytes of manifests are kept decoded.
const keptDecoded = 512 << 10

// History is what one run did and saw. It is safe for concurrent use; the objects that it
// gives must not be changed.
type History struct {
	suites.Reading
	limits schemas.Limits

	mu          sync.RWMutex
	lists       []*Listing
	lookups     []*Lookup
	attempts    []*Attempt
	services    []*Service
	at          map[record.Tick]any // the object of an entry
	texts       map[[sha256.Size]byte]*List
	conclusions map[string]error // of stimuli that were not performed

	sheeting sync.Mutex
	sheets   map[[sha256.Size]byte]*Sheet
	decoded  int // bytes of the sheets that are kept decoded
}

// New makes an empty history. The limit bounds one element of a list, in bytes.
func New(limit int64) *History {
	return &History{
		limits: schemas.Limits{Size: int(limit)}, at: map[record.Tick]any{}, texts: map[[sha256.Size]byte]*List{},
		conclusions: map[string]error{}, sheets: map[[sha256.Size]byte]*Sheet{},
	}
}

// sheet gives the sheet of a text, which was decoded just now.
func (h *History) sheet(raw []byte, m Manifest) *Sheet {
	h.sheeting.Lock()
	defer h.sheeting.Unlock()
	sum := sha256.Sum256(raw)
	if known := h.sheets[sum]; known != nil {
		return known
	}
	s := &Sheet{Raw: raw}
	s.ID, _ = m.Text(MemberID)
	s.Version, _ = m.Text(MemberVersion)
	s.Kind, _ = m.Text(MemberKind)
	if h.decoded += len(raw); h.decoded <= keptDecoded {
		s.kept = m
	}
	h.sheets[sum] = s
	return s
}

// Read reads a list. The answer that a run begins with stands in the record, too: both
// share what was read.
func (h *History) Read(text []byte) *List {
	h.mu.Lock()
	defer h.mu.Unlock()
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
	}
	return l
}

// Add takes an entry. The entries come in the order in which they were done.
func (h *History) Add(e record.Entry) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := callOf(e)
	switch {
	case e.Party == record.Service:
		h.addService(c, e)
	case e.Operation == "" && e.Outcome == record.NotPerformed:
		h.conclusions[e.Stimulus] = suites.LostCall(e)
	case e.Operation == OpList:
		h.addListing(c, e)
	case e.Operation == OpDescribe:
		h.addLookup(c, e)
	case e.Operation == OpInvoke:
		h.addAttempt(c, e)
	}
}

func (h *History) addListing(c Call, e record.Entry) {
	l := &Listing{Call: c, List: List{known: map[Ref]*Sheet{}}}
	if text := resultOf(e); text != nil {
		l.List = *h.list(text, c.Entry)
		if l.limit != nil {
			l.Lost = l.limit
		}
	}
	if of, is := c.link(record.ControlOf); is && c.Stimulus == controlling {
		h.owe(of, !l.Empty())
		return
	}
	if c.Stimulus == Restart && c.About[AboutStep] == "" {
		return // is the source back?
	}
	if of, again := c.link(record.RetryOf); again {
		if before, known := h.at[of].(*Listing); known {
			before.superseded = true
		}
	}
	h.at[c.Entry] = l
	h.lists = append(h.lists, l)
}

// controlling is the engine's own stimulus by which it asks whether the subject is there.
const controlling = "control"

// owe notes that the source served something else after it closed a connection twice.
func (h *History) owe(of record.Tick, serves bool) {
	switch o := h.at[of].(type) {
	case *Attempt:
		o.Owed = serves
	case *Lookup:
		o.Owed = serves
	case *Listing:
		o.Owed = serves
	}
}

func (h *History) addLookup(c Call, e record.Entry) {
	sent, _ := e.Sent.Text()
	l := h.readLookup(c, sent, resultOf(e))
	if of, again := c.link(record.RetryOf); again {
		if before, known := h.at[of].(*Lookup); known {
			before.superseded = true
		}
	}
	h.at[c.Entry] = l
	h.lookups = append(h.lookups, l)
}

func (h *History) addAttempt(c Call, e record.Entry) {
	sent, _ := e.Sent.Text()
	a := readAttempt(c, sent, resultOf(e))
	if of, again := c.link(record.RetryOf); again {
		if before, known := h.at[of].(*Attempt); known {
			before.superseded, a.Before = true, before
		}
	}
	h.at[c.Entry] = a
	h.attempts = append(h.attempts, a)
}

// Attempt gives the attempt of an entry.
func (h *History) Attempt(entry record.Tick) *Attempt { return objectAt[*Attempt](h, entry) }

// Lookup gives the description of an entry.
func (h *History) Lookup(entry record.Tick) *Lookup { return objectAt[*Lookup](h, entry) }

// Listing gives the list of an entry.
func (h *History) Listing(entry record.Tick) *Listing { return objectAt[*Listing](h, entry) }

// Lists are the answers to capability.list.
func (h *History) Lists() []*Listing {
	return filtered(h, &h.lists, func(l *Listing) bool { return !l.superseded })
}

// First is the list that the run began with.
func (h *History) First() *Listing {
	if all := h.Lists(); len(all) > 0 {
		return all[0]
	}
	return &Listing{List: List{known: map[Ref]*Sheet{}}}
}

// Attempts are all invocations, each as it was sent for the last time.
func (h *History) Attempts() []*Attempt {
	return filtered(h, &h.attempts, func(a *Attempt) bool { return !a.superseded })
}

// Of gives the attempts of some stimuli.
func (h *History) Of(stimuli ...string) []*Attempt {
	return filtered(h, &h.attempts, func(a *Attempt) bool { return !a.superseded && among(a.Stimulus, stimuli) })
}

// Lookups are all descriptions.
func (h *History) Lookups() []*Lookup {
	return filtered(h, &h.lookups, func(l *Lookup) bool { return !l.superseded })
}

// LookupsOf gives the descriptions of some stimuli.
func (h *History) LookupsOf(stimuli ...string) []*Lookup {
	return filtered(h, &h.lookups, func(l *Lookup) bool { return !l.superseded && among(l.Stimulus, stimuli) })
}

// ListsOf gives the lists of some stimuli.
func (h *History) ListsOf(stimuli ...string) []*Listing {
	return filtered(h, &h.lists, func(l *Listing) bool { return !l.superseded && among(l.Stimulus, stimuli) })
}

// Confirming gives the attempts that settle a doubt about an entry.
func (h *History) Confirming(entry record.Tick) []*Attempt {
	return filtered(h, &h.attempts, func(a *Attempt) bool { return !a.superseded && a.is(record.Confirms, entry) })
}

// Controls gives the attempts that are controls of an entry.
func (h *History) Controls(entry record.Tick) []*Attempt {
	return filtered(h, &h.attempts, func(a *Attempt) bool { return !a.superseded && a.is(record.ControlOf, entry) })
}

// LookupsConfirming gives the descriptions that settle a doubt about an entry.
func (h *History) LookupsConfirming(entry record.Tick) []*Lookup {
	return filtered(h, &h.lookups, func(l *Lookup) bool { return !l.superseded && l.is(record.Confirms, entry) })
}

// LookupControls gives the descriptions that are controls of an entry.
func (h *History) LookupControls(entry record.Tick) []*Lookup {
	return filtered(h, &h.lookups, func(l *Lookup) bool { return !l.superseded && l.is(record.ControlOf, entry) })
}

// ListsConfirming gives the lists that settle a doubt about an entry.
func (h *History) ListsConfirming(entry record.Tick) []*Listing {
	return filtered(h, &h.lists, func(l *Listing) bool { return !l.superseded && l.is(record.Confirms, entry) })
}

// Conclusion says why a stimulus was not performed, nil if it was.
func (h *History) Conclusion(stimulus string) error {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.conclusions[stimulus]
}

func among(name string, names []string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

// filtered gives those that are wanted.
func filtered[T interface{ madeBy() string }](h *History, all *[]T, wanted func(T) bool) []T {
	h.mu.RLock()
	defer h.mu.RUnlock()
	var some []T
	for _, one := range *all {
		if wanted(one) {
			h.Gives(one.madeBy())
			some = append(some, one)
		}
	}
	return some
}

// objectAt gives the object of an entry.
func objectAt[T interface{ madeBy() string }](h *History, entry record.Tick) T {
	h.mu.RLock()
	defer h.mu.RUnlock()
	one, is := h.at[entry].(T)
	if is {
		h.Gives(one.madeBy())
	}
	return one
}
