package history

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/transcript"
)

// The core event types (CHP 6), and the one that a newer text adds.
const (
	EventStarted       = "execution_started"
	EventCompleted     = "execution_completed"
	EventFailed        = "execution_failed"
	EventDenied        = "execution_denied"
	EventSkipped       = "execution_skipped"
	EventIndeterminate = "execution_indeterminate"
)

// EventOfOutcome contains the event that ends an invocation, by its outcome (CHP 8).
var EventOfOutcome = map[string]string{Success: EventCompleted, Failure: EventFailed, Denied: EventDenied,
	Skipped: EventSkipped}

// OutcomeOfEvent contains the closing events, with the outcome of each.
var OutcomeOfEvent = map[string]string{EventCompleted: Success, EventFailed: Failure, EventDenied: Denied,
	EventSkipped:       Skipped,
	EventIndeterminate: Indeterminate}

// Event is one ExecutionEvidence. Replays that show the same text share it.
type Event struct {
	Raw         string // "" if it was not kept: see reader
	kept        Object // the members, nil if they were not kept
	ID          string
	Kind        string // event_type
	Invocation  string
	Correlation string
	Host        string // host_id: two hosts may use the same event ids
	Sequence    json.Number
}

// identity distinguishes an event from the others of all hosts.
func (ev *Event) identity() string { return ev.ID + "\x00" + ev.Host }

// Members decodes the event. The caller must not change the result.
func (ev *Event) Members() Object {
	if ev.kept != nil {
		return ev.kept
	}
	return schemas.ReadObject([]byte(ev.Raw))
}

// Known reports whether the members of the event were kept.
func (ev *Event) Known() bool { return ev.kept != nil || ev.Raw != "" }

// IsCore reports whether the event has a core type, or the type that a newer text adds.
func (ev *Event) IsCore() bool { return IsCoreType(ev.Kind) && ev.Kind != "" }

// JudgedAsCore reports whether the requirements on single members judge the event. This includes an
// event without a type, since CHP-6-14 judges only events with one.
func (ev *Event) JudgedAsCore() bool { return IsCoreType(ev.Kind) }

// IsCoreType reports whether the requirements on single members judge events of a type, which may be
// "".
func IsCoreType(kind string) bool {
	_, closes := OutcomeOfEvent[kind]
	return closes || kind == EventStarted || kind == ""
}

// Contradicts reports whether an event of a closing type contains the outcome of another type. A word
// that the text does not define contradicts nothing.
func Contradicts(kind, said string) bool {
	outcome, closes := OutcomeOfEvent[kind]
	known := slices.Contains(outcomes, said)
	return closes && known && said != outcome
}

// Payload returns the payload of the event, nil if it is absent or not an object.
func (ev *Event) Payload() Object { return objectOf(ev.Members()["payload"]) }

// Replay is one answer to chp.replay.
type Replay struct {
	Call
	Query       Object
	queried     string // the text of Query: those of equal queries are equal
	Head        Object // the result without its events
	Events      []*Event
	Page        int       // the number of events in the answer; some of other callers are not kept
	Malformed   string    // an element of events that is not an object, "" if there is none
	Broken      error     // the reason why events could not be read
	Large       bool      // see reader
	Fall        string    // where the sequence does not increase, "" if it does
	Compared    int       // how many pairs of neighbours have a sequence that is a number
	DuplicateID string    // an event id that stands there twice, "" if there is none
	Pages       []*Replay // further pages
	Polled      bool      // the same query was repeated, since this answer was incomplete
	first       *Replay   // the replay of which this is a further page, or nil
	superseded  bool
}

// HasQueryOf reports whether both replays have the same query.
func (r *Replay) HasQueryOf(other *Replay) bool { return r.queried == other.queried }

// Correlation returns the correlation id of the query.
func (r *Replay) Correlation() string { return textOf(r.Query, "correlation_id") }

// Arrived reports whether a replay returned a result. A replay without an answer proves nothing about
// the evidence of a host.
func (r *Replay) Arrived() bool { return r.Lost == nil && r.Returned }

// Readable reports whether the events can be read.
func (r *Replay) Readable() bool { return r.Arrived() && r.Broken == nil && r.Malformed == "" }

// Plain reports whether the query contains only the correlation id.
func (r *Replay) Plain() bool { return len(r.Query) == 1 && r.first == nil }

// Unfiltered reports whether the query requests all events.
func (r *Replay) Unfiltered() bool {
	return r.first == nil && r.Query["limit"] == nil && r.Query["since_sequence"] == nil
}

// Cut reports whether the result is declared as a part.
func (r *Replay) Cut() bool { return SaysPart(r.Head) }

// The names of members whose value true, or false, declares that a replay is a part, and those that
// state where the next part starts, without regard to case and punctuation. The text defines none of
// them; truncated and partial come from newer texts.
var (
	partNames  = []string{"truncated", "istruncated", "partial", "ispartial", "incomplete", "more", "hasmore", "hasnext"}
	wholeNames = []string{"complete", "iscomplete", "last", "islast", "exhausted"}
	nextNames  = []string{"next", "nextcursor", "nextpage", "nextpagetoken", "nexttoken", "nextlink", "nextoffset",
		"nextsince", "nextsincesequence"}
)

// SaysPart reports whether a replay result is declared as a part.
func SaysPart(head Object) bool {
	for name, value := range head {
		plain := PlainName(name)
		switch {
		case slices.Contains(partNames, plain) && value == true,
			slices.Contains(wholeNames, plain) && value == false,
			slices.Contains(nextNames, plain) && value != nil && value != false && value != "":
			return true
		}
	}
	return false
}

// Whole returns the events of a replay and of its further pages, each once.
func (r *Replay) Whole() []*Event {
	if len(r.Pages) == 0 {
		return r.Events
	}
	all, known := slices.Clone(r.Events), map[string]bool{}
	for _, ev := range r.Events {
		known[ev.identity()] = true
	}
	for _, page := range r.Pages {
		for _, ev := range page.Events {
			if !known[ev.identity()] {
				known[ev.identity()] = true
				all = append(all, ev)
			}
		}
	}
	return all
}

// Holds reports whether an event is among those replayed.
func (r *Replay) Holds(id string) bool { return r.Named(id) != nil }

// Named returns the first event with an id among those replayed, nil if there is none.
func (r *Replay) Named(id string) *Event {
	for _, ev := range r.Whole() {
		if ev.ID == id {
			return ev
		}
	}
	return nil
}

// Shows reports whether an event of an attempt is among those replayed.
func (r *Replay) Shows(a *Attempt) bool { return slices.ContainsFunc(r.Whole(), a.Owns) }

// Replays are kept for the whole run. A host that returns all its events in every replay, for
// example 100,000, must not exhaust the memory.
const (
	maxForeign  = 100       // events of other callers that are kept: CHP-6-05 and CHP-10-02 need one
	maxWhole    = 256 << 10 // bytes of an answer whose events are all kept
	maxDecoded  = 64 << 10  // bytes of an answer whose events are kept decoded
	maxOwnBytes = 16 << 20  // bytes of events that are kept of a larger answer
)

// reader reads one replay. Of a large answer it keeps the events of the harness's invocations and a few
// others. Of all other events it reads only the members that define their order.
type reader struct {
	*Replay
	events map[string]*Event // by text: of the whole history
	size   int
	others int
	bytes  int
	ids    map[string]bool
	last   *Event
}

func (r *Replay) read(whole []byte, limits schemas.Limits, events map[string]*Event) {
	in := &reader{Replay: r, events: events, size: len(whole), ids: map[string]bool{}}
	r.Large = len(whole) > maxWhole
	for raw, err := range schemas.Elements(whole, limits, "events") {
		if err != nil {
			r.Broken = err
			r.setLimitError(err)
			break
		}
		if !in.element(raw) {
			return
		}
	}
	r.Head = headOf(whole)
}

// element reads one element of the list. It returns false if no more can be kept.
func (in *reader) element(raw json.RawMessage) bool {
	if ev, known := in.events[string(raw)]; known {
		in.order(ev)
		return in.keep(ev, ev.ours())
	}
	members := schemas.ReadObject(raw)
	if members == nil {
		in.Malformed = jsonvalue.Clip(string(raw))
		return true
	}
	ev := &Event{
		ID: textOf(members, "event_id"), Kind: textOf(members, "event_type"), Invocation: textOf(members, "invocation_id"),
		Correlation: textOf(objectOf(members["correlation"]), "correlation_id"), Host: textOf(members, "host_id"),
	}
	ev.Sequence, _ = members["sequence"].(json.Number)
	in.order(ev)
	if !in.wanted(ev.ours()) {
		return true
	}
	ev.Raw = string(raw)
	if in.size <= maxDecoded {
		ev.kept = members
	}
	in.events[ev.Raw] = ev
	return in.keep(ev, ev.ours())
}

func (ev *Event) ours() bool { return strings.HasPrefix(ev.Invocation, Sender) }

func (in *reader) wanted(ours bool) bool { return !in.Large || ours || in.others < maxForeign }

func (in *reader) keep(ev *Event, ours bool) bool {
	if !in.wanted(ours) {
		return true
	}
	if !ours {
		in.others++
	}
	if in.bytes += len(ev.Raw); in.Large && in.bytes > maxOwnBytes {
		in.setLost("the events of one replay that are to be judged are longer than the limit of the harness")
		return false
	}
	in.Events = append(in.Events, ev)
	return true
}

// order compares an event with the earlier ones, even if it is not kept.
func (in *reader) order(ev *Event) {
	in.Page++
	if ev.ID != "" && in.ids[ev.identity()] && in.DuplicateID == "" {
		in.DuplicateID = ev.ID
	}
	in.ids[ev.identity()] = true
	if in.last != nil {
		fall, compared := falls(in.last, ev)
		if compared {
			in.Compared++
		}
		if in.Fall == "" {
			in.Fall = fall
		}
	}
	in.last = ev
}

// falls returns where the sequence of two neighbours does not increase, "" if it does. Two
// invocations may use the same numbers.
func falls(before, ev *Event) (where string, compared bool) {
	n, ok := WholeNumber(ev.Sequence)
	m, known := WholeNumber(before.Sequence)
	if !ok || !known || n.Sign() < 0 || m.Sign() < 0 { // CHP-6-09 judges such a sequence
		return "", false
	}
	twice := n.Cmp(m) == 0 && ev.Invocation != "" && ev.Invocation == before.Invocation
	if n.Cmp(m) < 0 || twice {
		return fmt.Sprintf("%s after %s", n, m), true
	}
	return "", true
}

// Falls is falls for the neighbours in a list of events.
func Falls(events []*Event) (where string, compared int) {
	for i := 1; i < len(events); i++ {
		fall, both := falls(events[i-1], events[i])
		if both {
			compared++
		}
		if fall != "" {
			return fall, compared
		}
	}
	return "", compared
}

// setLimitError makes the replay undecidable if err is a limit of the harness.
func (r *Replay) setLimitError(err error) {
	refused, ok := err.(*schemas.DecodeError) // Elements returns it unchanged
	if ok && refused.OurLimit() {
		r.setLost(refused.Message)
	}
}

func (r *Replay) setLost(why string) {
	r.Lost = transcript.LostCall(record.Entry{Error: &record.Fault{Kind: record.TooLarge, Message: why}})
}
