// Package history reads the record of a run as the objects of CHP: attempts, replays, events and
// descriptors (DESIGN section 11). It judges nothing.
package history

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/transcript"
)

// The parties that CHP obliges: the host in live exchanges, and the caller in envelopes and queries.
const (
	ActorHost   = "host"
	ActorCaller = "caller"
)

// The operations of CHP. The last one is replay by the other route of the protocol's own HTTP
// binding.
const (
	OpHost         = "chp.host"
	OpCapabilities = "chp.capabilities"
	OpInvoke       = "chp.invoke"
	OpReplay       = "chp.replay"
	OpReplayByPath = "chp.replay.by_path"
)

// History contains what one run did and observed. It is safe for concurrent use. The objects
// that it returns must not be changed.
type History struct {
	reading.Reading
	limits schemas.Limits

	hosts     []*Description
	lists     []*Description
	attempts  []*Attempt
	replays   []*Replay
	malformed []*MalformedEnvelope
	events    map[string]*Event // by text
	sharedIDs map[string]string // ids of events that several hosts use, with the first of these hosts
	texts     map[[sha256.Size]byte]*Description
	controls  map[record.Tick]bool
	index     *index // nil: not built, or outdated
	size      int    // the number of entries
}

// New returns an empty history. The limit is the greatest size of one element of a replay, in
// bytes.
func New(limit int64) *History {
	return &History{
		limits: schemas.Limits{Size: int(limit)}, events: map[string]*Event{},
		sharedIDs: map[string]string{}, texts: map[[sha256.Size]byte]*Description{},
		controls: map[record.Tick]bool{},
	}
}

// Add adds an entry. The entries must be added in the order in which they ended.
func (h *History) Add(e record.Entry) {
	h.Lock()
	defer h.Unlock()
	h.index = nil
	h.size++
	if h.Conclude(e) {
		return
	}
	c := callOf(e)
	switch e.Operation {
	case OpHost, OpCapabilities:
		h.addDescription(c, e)
	case OpInvoke:
		h.addInvocation(c, e)
	case OpReplay, OpReplayByPath:
		h.addReplay(c, e)
	}
}

// Size returns the number of entries that were added.
func (h *History) Size() int {
	h.RLock()
	defer h.RUnlock()
	return h.size
}

func callOf(e record.Entry) Call {
	c := Call{Observed: reading.Observe(e), Status: e.Status}
	if c.Busy && c.Lost == nil {
		fault := &record.Fault{Kind: record.Throttling, Message: fmt.Sprintf("status %d", e.Status)}
		c.Throttled, c.Lost = true, transcript.LostCall(record.Entry{Error: fault})
	}
	return c
}

func resultOf(c Call, e record.Entry) []byte {
	if c.Lost != nil {
		return nil
	}
	return reading.ResultOf(e)
}

// resultUnderStatus returns an InvocationResult that arrived with an error status, nil if there is
// none. The text defines no status, so a result counts whatever its status is.
func resultUnderStatus(e record.Entry) Object {
	if e.Received == nil || e.Status < 400 {
		return nil
	}
	text, err := e.Received.Text()
	if err != nil {
		return nil
	}
	var a Attempt
	a.readResult(readObject(text))
	if !slices.Contains(outcomes, a.Outcome()) || !a.IsResult() {
		return nil
	}
	return a.Result
}

func (h *History) addDescription(c Call, e record.Entry) {
	if of, is := c.Link(record.ControlOf); is {
		h.controls[of] = h.controls[of] || Alive(e.Operation, readObject(resultOf(c, e)))
		return
	}
	if c.Stimulus == Restart && c.About[AboutStep] != StepAfter {
		return // this call only checks whether the host is alive again
	}
	d := &Description{Call: c, Same: c.Entry}
	text := resultOf(c, e)
	sum := sha256.Sum256(text)
	if first := h.texts[sum]; first != nil {
		d.Same, d.Result = first.Entry, first.Result // equal answers are stored once
	} else {
		d.Result = record.Once(e, func(record.Entry) Object { return readObject(text) })
		h.texts[sum] = d
	}
	h.Put(c.Entry, d)
	all := &h.lists
	if e.Operation == OpHost {
		all = &h.hosts
	}
	if of, again := c.Link(record.RetryOf); again {
		*all = slices.DeleteFunc(*all, func(d *Description) bool { return d.Entry == of })
	}
	*all = append(*all, d)
}

// Alive reports whether the answer to chp.host or chp.capabilities is that of a living host.
func Alive(operation string, result Object) bool {
	member := map[string]string{OpHost: "id", OpCapabilities: "capabilities"}[operation]
	return result[member] != nil
}

func (h *History) addInvocation(c Call, e record.Entry) {
	sent, _ := e.Sent.Text()
	if c.Stimulus == NoEnvelope && c.About[AboutForm] != "" {
		o := &MalformedEnvelope{Call: c, Result: readObject(resultOf(c, e))}
		h.Put(c.Entry, o)
		if of, again := c.Link(record.RetryOf); again {
			h.malformed = without(h.malformed, of)
		}
		h.malformed = append(h.malformed, o)
		return
	}
	a := *record.Once(e, func(e record.Entry) *Attempt {
		a := readAttempt(c, readObject(sent))
		result := readObject(resultOf(c, e))
		if result == nil && c.Lost == nil {
			result = resultUnderStatus(e)
		}
		a.readResult(result)
		return a
	})
	if of, again := c.Link(record.RetryOf); again {
		if before := reading.Peek[*Attempt](&h.Reading, of); before != nil && before.ID == a.ID {
			before.superseded, a.Resent, a.Before = true, true, before.Before
		} else if before != nil {
			a.Before = append(append([]*Attempt{}, before.Before...), before)
		}
	}
	h.Put(c.Entry, &a)
	h.attempts = append(h.attempts, &a)
}

func without(all []*MalformedEnvelope, entry record.Tick) []*MalformedEnvelope {
	var rest []*MalformedEnvelope
	for _, o := range all {
		if o.Entry != entry {
			rest = append(rest, o)
		}
	}
	return rest
}

func (h *History) addReplay(c Call, e record.Entry) {
	r := h.readReplay(c, e)
	if of, again := c.Link(record.RetryOf); again {
		if before := reading.Peek[*Replay](&h.Reading, of); before != nil {
			before.superseded = true
		}
	}
	if of, polls := c.Link(record.PollOf); polls {
		if before := reading.Peek[*Replay](&h.Reading, of); before != nil {
			before.Polled = true
		}
	}
	if of, further := c.Link(record.PageOf); further {
		if first := reading.Peek[*Replay](&h.Reading, of); first != nil {
			r.first = first
			first.Pages = append(first.Pages, r)
		}
	}
	h.Put(c.Entry, r)
	h.replays = append(h.replays, r)
}

func (h *History) readReplay(c Call, e record.Entry) *Replay {
	r := *record.Once(e, func(record.Entry) *Replay {
		sent, _ := e.Sent.Text()
		r := &Replay{Call: c, Query: readObject(sent)}
		for name, v := range r.Query {
			if v == nil {
				delete(r.Query, name)
			}
		}
		r.queried = string(jsonvalue.Encode(r.Query))
		if text := resultOf(c, e); text != nil {
			r.read(text, h.limits, h.events)
		}
		return r
	})
	kept := r.Events
	for i, ev := range kept { // each text is one event of the history
		known := h.events[ev.Raw]
		if known == nil {
			h.events[ev.Raw] = ev
			continue
		}
		if known != ev && &r.Events[0] == &kept[0] {
			r.Events = slices.Clone(kept)
		}
		if known != ev {
			r.Events[i] = known
		}
	}
	h.separateHosts(&r)
	return &r
}

// Attempt returns the attempt of an entry.
func (h *History) Attempt(entry record.Tick) *Attempt {
	return reading.ObjectAt[*Attempt](&h.Reading, entry)
}

// Replay returns the replay of an entry.
func (h *History) Replay(entry record.Tick) *Replay {
	return reading.ObjectAt[*Replay](&h.Reading, entry)
}

// Description returns the description of an entry.
func (h *History) Description(entry record.Tick) *Description {
	return reading.ObjectAt[*Description](&h.Reading, entry)
}

// Hosts returns the answers to chp.host.
func (h *History) Hosts() []*Description {
	return reading.Select(&h.Reading, &h.hosts, anyOf[Description])
}

// Lists returns the answers to chp.capabilities.
func (h *History) Lists() []*Description {
	return reading.Select(&h.Reading, &h.lists, anyOf[Description])
}

// MalformedEnvelopes returns the messages that are not envelopes, with their answers.
func (h *History) MalformedEnvelopes() []*MalformedEnvelope {
	return reading.Select(&h.Reading, &h.malformed, anyOf[MalformedEnvelope])
}

func anyOf[T any](*T) bool { return true }

// Attempts returns all invocations; of a repeated one, only the last attempt.
func (h *History) Attempts() []*Attempt {
	return reading.Select(&h.Reading, &h.attempts, func(a *Attempt) bool { return !a.superseded })
}

// Of returns the attempts of the given stimuli.
func (h *History) Of(stimuli ...string) []*Attempt {
	return reading.Select(&h.Reading, &h.attempts,
		func(a *Attempt) bool { return !a.superseded && slices.Contains(stimuli, a.Stimulus) })
}

// Replays returns all replays, including further pages.
func (h *History) Replays() []*Replay {
	return reading.Select(&h.Reading, &h.replays, func(r *Replay) bool { return !r.superseded })
}

// ClosedInsteadOfAnswer reports whether the host closed the connection of a call twice instead of
// answering, while it continued to serve other calls.
func (h *History) ClosedInsteadOfAnswer(c *Call) bool {
	h.RLock()
	defer h.RUnlock()
	return c.Closed && h.controls[c.Entry]
}
