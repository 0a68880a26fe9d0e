package chpsuite

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// A replay is kept for every scenario that judges it. A host that answers each
// with all that it has, 100,000 events say, must not fill the memory by that.
const (
	foreignAtMost = 100       // events of others that are kept: CHP-6-05 and CHP-10-02 need one
	keptWhole     = 256 << 10 // bytes of an answer that is kept as it came
	keptOfLarger  = 32 << 10
	keptDecoded   = 64 << 10 // bytes of an answer whose events are kept decoded
	keptOurs      = 16 << 20 // bytes of events that are kept whole, of a larger answer
)

// read takes the answer apart. Of a large one the beginning is kept for the
// transcript, and of its events those of our own invocations and a few others are
// kept whole; of the rest what tells them apart and orders them.
func (r *replay) read(limits schemas.Limits) {
	whole := r.answer.Result
	r.large = len(whole) > keptWhole
	known := words{}
	foreign, others, kept := 0, 0, 0
	for raw, err := range schemas.Elements(whole, limits, "events") {
		if err != nil {
			r.broken = err
			r.beyond(err)
			break
		}
		members := schemas.ReadObject(raw)
		if members == nil {
			r.odd = suites.Clip(string(raw))
			continue
		}
		r.page++
		ev := readEvent(raw, members)
		if strange := ev.correlation != "" && ev.correlation != r.query["correlation_id"]; strange {
			if foreign++; foreign > foreignAtMost {
				continue
			}
		}
		switch ours := strings.HasPrefix(ev.invocation, sender); {
		case len(whole) <= keptDecoded:
			ev.kept = members
		case !r.large:
		case ours || others < foreignAtMost:
			if !ours {
				others++
			}
			if kept += len(raw); kept > keptOurs {
				r.err = &driver.CallError{Kind: driver.ErrTooLarge, Detail: "the events of one replay that are to be judged have more than " + driver.Size(keptOurs), Exchange: r.answer.Exchange}
				return
			}
			ev.raw = bytes.Clone(raw)
		default:
			ev.raw = nil
		}
		if r.large {
			ev.kind, ev.invocation, ev.correlation = known.one(ev.kind), known.one(ev.invocation), known.one(ev.correlation)
		}
		r.events = append(r.events, ev)
	}
	r.result = headOf(whole)
	if r.large {
		r.answer.Result = fmt.Appendf(bytes.Clone(whole[:keptOfLarger]), "... (%d bytes in all)", len(whole))
		if len(r.answer.Exchange.Received) > keptOfLarger {
			r.answer.Exchange.Received = r.answer.Result
		}
	}
}

// beyond makes an error of a replay that is beyond a limit of ours.
func (r *replay) beyond(err error) {
	if refused, ok := errors.AsType[*schemas.DecodeError](err); ok && refused.OurLimit() {
		r.err = &driver.CallError{Kind: driver.ErrTooLarge, Detail: refused.Message, Exchange: r.answer.Exchange}
	}
}

// words keeps one copy of a text that comes again and again.
type words map[string]string

func (w words) one(text string) string {
	known, ok := w[text]
	if !ok {
		w[text], known = text, text
	}
	return known
}

// idsOf gives the ids of events as a set.
func idsOf(events []event) map[string]bool {
	ids := make(map[string]bool, len(events))
	for _, ev := range events {
		ids[ev.id] = true
	}
	return ids
}

// keepTo lets go of what a large replay holds beside the events of one invocation. An
// attempt is kept for the whole run, and there are many attempts.
func (r *replay) keepTo(invocation string) {
	if !r.large {
		return
	}
	var kept []event
	foreign := 0
	for _, ev := range r.events {
		if ev.invocation != invocation {
			if foreign++; foreign > foreignAtMost {
				continue
			}
		}
		kept = append(kept, ev)
	}
	r.events = kept
}

// replay is one answer to chp.replay.
type replay struct {
	query  object
	answer driver.Answer
	err    error
	result object // without its events
	events []event
	large  bool   // see read
	page   int    // how many events came at once; those of others may not all be kept
	odd    string // an element of events that is no object, "" if there is none
	broken error  // why events could not be read
	whole  bool   // nothing lies behind it
}

// arrived is true for a replay that was asked for and came back as a result. One
// that brought no answer shows nothing of what a host keeps.
func (r replay) arrived() bool {
	return r.query != nil && r.err == nil && r.answer.Outcome == driver.Returned
}

// event is one ExecutionEvidence. Its members are decoded when they are asked
// for, where there are many of it: a replay may hold 100,000.
type event struct {
	raw         json.RawMessage // nil where it was let go: see replay.read
	kept        object          // the members, where there are few
	id          string
	kind        string // event_type
	invocation  string
	correlation string
	sequence    json.Number
}

func (ev event) members() object {
	if ev.kept != nil {
		return ev.kept
	}
	return schemas.ReadObject(ev.raw)
}

// readEvent takes an event and its members.
func readEvent(raw json.RawMessage, m object) event {
	ev := event{raw: raw}
	ev.id, _ = m["event_id"].(string)
	ev.kind, _ = m["event_type"].(string)
	ev.invocation, _ = m["invocation_id"].(string)
	c, _ := m["correlation"].(object)
	ev.correlation, _ = c["correlation_id"].(string)
	ev.sequence, _ = m["sequence"].(json.Number)
	return ev
}

// replay asks for evidence; the second route of the HTTP binding stands in where
// the first is not there. No other binding has one.
func (e *examination) replay(ctx context.Context, sc *suites.Scenario, query object) replay {
	r := e.wholeReplay(ctx, sc, query)
	if r.err == nil && r.answer.Outcome == driver.NotProvided && len(query) == 1 && e.session.Info().Bodies {
		if other := e.replayBy(ctx, sc, opReplayByPath, query); other.err == nil && other.answer.Outcome != driver.NotProvided {
			return other
		}
	}
	return r
}

// pagesAtMost guards against a host whose replays are cut for ever.
const pagesAtMost = 1000

// wholeReplay reads on where a host says that it cut a replay.
func (e *examination) wholeReplay(ctx context.Context, sc *suites.Scenario, query object) replay {
	r := e.replayBy(ctx, sc, opReplay, query)
	known := map[string]bool{}
	if r.result["truncated"] == true {
		known = idsOf(r.events)
	}
	page := r
	for range pagesAtMost {
		last := page.events
		if page.result["truncated"] != true || len(query) != 1 || len(last) == 0 {
			break
		}
		page = e.replayBy(ctx, sc, opReplay, object{"correlation_id": query["correlation_id"], "since_sequence": plainly(last[len(last)-1].sequence)})
		came := false
		for _, ev := range page.events {
			if !known[ev.id] {
				known[ev.id], came = true, true
				r.events = append(r.events, ev)
			}
		}
		if !came {
			break
		}
	}
	return r
}

func (e *examination) replayBy(ctx context.Context, sc *suites.Scenario, op string, query object) replay {
	r := replay{query: query}
	r.answer, _, r.err = e.askAgain(ctx, sc, driver.Operation{Name: op, Params: suites.Encode(query), List: true, Single: true})
	if !r.arrived() {
		return r
	}
	r.read(schemas.Limits{Size: int(e.subject.Limits.Message)})
	return r
}

// The wait for evidence that a host writes behind its answer: short, and once a
// run for all attempts together.
const (
	settleAtMost = 500 * time.Millisecond
	settlePoll   = 25 * time.Millisecond
)

// replayUntil repeats a replay until it shows enough: the text does not say that
// evidence is written before the answer, nor that every replay is as new as the last.
func (e *examination) replayUntil(ctx context.Context, sc *suites.Scenario, query object, enough func(replay) bool) replay {
	var waited time.Duration
	for {
		r := e.replay(ctx, sc, query)
		if enough(r) {
			e.patience(-waited) // only evidence that never comes uses it up
			return r
		}
		if r.err != nil || !e.patience(settlePoll) {
			return r
		}
		waited += settlePoll
		select {
		case <-ctx.Done():
			return r
		case <-time.After(settlePoll):
		}
	}
}

// holds tells whether an event is among those replayed.
func (r replay) holds(id string) bool {
	return slices.ContainsFunc(r.events, func(ev event) bool { return ev.id == id })
}
