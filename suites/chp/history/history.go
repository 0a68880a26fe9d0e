// Package history reads the record of a run as the objects of CHP: attempts, replays,
// events, and what the host says of itself (DESIGN section 11). It judges nothing.
package history

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/record"
)

// The operations of CHP. The last is the same replay by the other route of the protocol's
// own HTTP binding.
const (
	OpHost         = "chp.host"
	OpCapabilities = "chp.capabilities"
	OpInvoke       = "chp.invoke"
	OpReplay       = "chp.replay"
	OpReplayByPath = "chp.replay.by_path"
)

// History is what one run did and saw. It is safe for concurrent use; the objects that it
// gives must not be changed.
type History struct {
	suites.Reading
	limits schemas.Limits

	mu          sync.RWMutex
	hosts       []*Description
	lists       []*Description
	attempts    []*Attempt
	replays     []*Replay
	oddments    []*Oddment
	at          map[record.Tick]any // the object of an entry
	events      map[string]*Event   // by text
	texts       map[[sha256.Size]byte]*Description
	controls    map[record.Tick]bool
	conclusions map[string]error // of stimuli that were not performed
	index       *index           // nil: not made, or no longer true
}

// New makes an empty history. The limit bounds one element of a replay, in bytes.
func New(limit int64) *History {
	return &History{
		limits: schemas.Limits{Size: int(limit)}, at: map[record.Tick]any{}, events: map[string]*Event{},
		texts: map[[sha256.Size]byte]*Description{}, controls: map[record.Tick]bool{}, conclusions: map[string]error{},
	}
}

// Add takes an entry. The entries come in the order in which they were done.
func (h *History) Add(e record.Entry) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.index = nil
	c := callOf(e)
	switch e.Operation {
	case "":
		if e.Outcome == record.NotPerformed {
			h.conclusions[e.Stimulus] = suites.LostCall(e)
		}
	case OpHost, OpCapabilities:
		h.addDescription(c, e)
	case OpInvoke:
		h.addInvocation(c, e)
	case OpReplay, OpReplayByPath:
		h.addReplay(c, e)
	}
}

func callOf(e record.Entry) Call {
	c := Call{
		Entry: e.Begun, Done: e.Done, Stimulus: e.Stimulus, About: e.About, Status: e.Status, links: e.Links,
		Returned: e.Outcome == record.Returned, Absent: e.Outcome == record.NotProvided, Lost: suites.LostCall(e), Got: suites.EntryReceived(e),
		mapping: suites.MappedBy(e),
	}
	c.Closed = e.Error != nil && e.Error.Kind == record.Closed
	c.Throttled = e.Error != nil && e.Error.Kind == record.Throttling
	if busy := e.Status == tooMany || e.Status == unavailable; busy && c.Lost == nil {
		fault := &record.Fault{Kind: record.Throttling, Message: fmt.Sprintf("status %d", e.Status)}
		c.Throttled, c.Lost = true, suites.LostCall(record.Entry{Error: fault})
	}
	return c
}

// The statuses by which a host says that it has too much to do.
const (
	tooMany     = 429
	unavailable = 503
)

func resultOf(c Call, e record.Entry) []byte {
	if !c.Returned || c.Lost != nil || e.Received == nil {
		return nil
	}
	text, err := e.Received.Text()
	if err != nil {
		return nil
	}
	return text
}

func (h *History) addDescription(c Call, e record.Entry) {
	if of, is := c.link(record.ControlOf); is {
		h.controls[of] = readObject(resultOf(c, e))["id"] != nil
		return
	}
	if c.Stimulus == Restart && c.About[AboutStep] != StepAfter {
		return // is the host back?
	}
	d := &Description{Call: c, Same: c.Entry}
	text := resultOf(c, e)
	sum := sha256.Sum256(text)
	if first := h.texts[sum]; first != nil {
		d.Same, d.Result = first.Entry, first.Result // thousands of capabilities are kept once
	} else {
		d.Result = readObject(text)
		h.texts[sum] = d
	}
	h.at[c.Entry] = d
	if e.Operation == OpHost {
		h.hosts = append(h.hosts, d)
		return
	}
	h.lists = append(h.lists, d)
}

func (h *History) addInvocation(c Call, e record.Entry) {
	sent, _ := e.Sent.Text()
	if c.Stimulus == NoEnvelope && c.About[AboutForm] != "" {
		o := &Oddment{Call: c, Result: readObject(resultOf(c, e))}
		h.at[c.Entry] = o
		if of, again := c.link(record.RetryOf); again {
			h.oddments = without(h.oddments, of)
		}
		h.oddments = append(h.oddments, o)
		return
	}
	a := readAttempt(c, readObject(sent))
	a.Result = readObject(resultOf(c, e))
	if of, again := c.link(record.RetryOf); again {
		if before, known := h.at[of].(*Attempt); known && before.ID == a.ID {
			before.superseded, a.Resent, a.Before = true, true, before.Before
		} else if known {
			a.Before = append(append([]*Attempt{}, before.Before...), before)
		}
	}
	h.at[c.Entry] = a
	h.attempts = append(h.attempts, a)
}

func without(all []*Oddment, entry record.Tick) []*Oddment {
	var rest []*Oddment
	for _, o := range all {
		if o.Entry != entry {
			rest = append(rest, o)
		}
	}
	return rest
}

func (h *History) addReplay(c Call, e record.Entry) {
	sent, _ := e.Sent.Text()
	r := &Replay{Call: c, Query: readObject(sent)}
	for name, v := range r.Query {
		if v == nil {
			delete(r.Query, name)
		}
	}
	if of, again := c.link(record.RetryOf); again {
		if before, known := h.at[of].(*Replay); known {
			before.superseded = true
		}
	}
	if of, polls := c.link(record.PollOf); polls {
		if before, known := h.at[of].(*Replay); known {
			before.Polled = true
		}
	}
	if of, further := c.link(record.PageOf); further {
		if first, known := h.at[of].(*Replay); known {
			r.first = first
			first.Pages = append(first.Pages, r)
		}
	}
	if text := resultOf(c, e); text != nil {
		r.read(text, h.limits, h.events)
	}
	h.at[c.Entry] = r
	h.replays = append(h.replays, r)
}

// Attempt gives the attempt of an entry.
func (h *History) Attempt(entry record.Tick) *Attempt { return objectAt[*Attempt](h, entry) }

// Replay gives the replay of an entry.
func (h *History) Replay(entry record.Tick) *Replay { return objectAt[*Replay](h, entry) }

// Description gives the description of an entry.
func (h *History) Description(entry record.Tick) *Description {
	return objectAt[*Description](h, entry)
}

// Hosts are the answers to chp.host, Lists those to chp.capabilities.
func (h *History) Hosts() []*Description { return filtered(h, &h.hosts, anyOf[Description]) }

// Lists are the answers to chp.capabilities.
func (h *History) Lists() []*Description { return filtered(h, &h.lists, anyOf[Description]) }

// Oddments are the answers to what is no envelope.
func (h *History) Oddments() []*Oddment { return filtered(h, &h.oddments, anyOf[Oddment]) }

func anyOf[T any](*T) bool { return true }

// Attempts are all invocations, each as it was sent for the last time.
func (h *History) Attempts() []*Attempt {
	return filtered(h, &h.attempts, func(a *Attempt) bool { return !a.superseded })
}

// Of gives the attempts of some stimuli.
func (h *History) Of(stimuli ...string) []*Attempt {
	return filtered(h, &h.attempts, func(a *Attempt) bool { return !a.superseded && slices.Contains(stimuli, a.Stimulus) })
}

// Replays are all replays, further pages among them.
func (h *History) Replays() []*Replay {
	return filtered(h, &h.replays, func(r *Replay) bool { return !r.superseded })
}

// Conclusion says why a stimulus was not performed, nil if it was.
func (h *History) Conclusion(stimulus string) error {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.conclusions[stimulus]
}

// ClosedInFace tells an invocation whose connection was closed twice where an answer was
// owed, while the host went on serving something else.
func (h *History) ClosedInFace(c *Call) bool {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return c.Closed && h.controls[c.Entry]
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
