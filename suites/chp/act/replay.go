package act

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/transcript"
)

// request is a replay to be requested.
type request struct {
	query history.Object
	about map[string]string
	links []record.Link
}

// by returns a request for the replay of a correlation.
func by(correlation string, more history.Object) request {
	query := history.Object{"correlation_id": correlation}
	maps.Copy(query, more)
	return request{query: query}
}

// in returns the request as a step of its stimulus.
func (q request) in(step string) request {
	q.about = map[string]string{history.AboutStep: step}
	return q
}

// confirming returns the request as one that settles a doubt.
func (q request) confirming(entry record.Tick) request {
	q.links = append(q.links, record.Link{Relation: record.Confirms, To: entry})
	return q
}

// maxPages guards against a host whose replays are always truncated.
const maxPages = 1000

// replay requests evidence, and reads further pages if the replay is declared as truncated. If
// the first route of the HTTP binding does not exist, it uses the second one; no other binding
// has a second route.
func (c laboratory) replay(ctx context.Context, q request) *history.Replay {
	r := c.replayOnce(ctx, history.OpReplay, q)
	if r.Absent && len(q.query) == 1 && c.Bodies {
		if other := c.replayOnce(ctx, history.OpReplayByPath, q); other.Answered() && !other.Absent {
			return other
		}
	}
	known := map[string]bool{}
	page := r
	for range maxPages {
		for _, ev := range page.Events {
			known[ev.ID] = true
		}
		if !page.Arrived() || !page.Cut() || len(q.query) != 1 || len(page.Events) == 0 {
			break
		}
		last := page.Events[len(page.Events)-1].Sequence
		next := q
		next.query = history.Object{"correlation_id": q.query["correlation_id"], "since_sequence": history.AsInteger(last)}
		next.links = []record.Link{{Relation: record.PageOf, To: r.Entry}}
		page = c.replayOnce(ctx, history.OpReplay, next)
		came := false
		for _, ev := range page.Events {
			came = came || !known[ev.ID]
		}
		if !came {
			break
		}
	}
	return r
}

func (c laboratory) replayOnce(ctx context.Context, op string, q request) *history.Replay {
	call := suites.Call{About: q.about, Links: q.links, Operation: driver.Operation{Name: op,
		Params: jsonvalue.Encode(q.query), List: true, Single: true}}
	entry, _, _ := c.ask(ctx, call) // the entry contains the answer
	if r := c.History.Replay(entry.Begun); r != nil {
		return r
	}
	return &history.Replay{Call: history.Call{Observed: reading.Observed{Lost: transcript.LostCall(entry)}},
		Query: q.query}
}

// replayUntil repeats a replay until it shows enough: the text says neither that evidence is
// written before the answer, nor that every replay is as recent as the previous one.
func (c laboratory) replayUntil(ctx context.Context, q request, enough func(*history.Replay) bool) *history.Replay {
	var waited time.Duration
	links := q.links
	for {
		r := c.replay(ctx, q)
		if enough(r) {
			c.spendWait(-waited) // only evidence that never arrives uses it up
			return r
		}
		if !r.Answered() || !c.spendWait(settlePoll) {
			return r
		}
		waited += settlePoll
		select {
		case <-ctx.Done():
			return r
		case <-time.After(settlePoll):
		}
		q.links = append(links[:len(links):len(links)], record.Link{Relation: record.PollOf, To: r.Entry})
	}
}

// showsAllOf returns a predicate that reports whether a replay shows all of the given events.
func showsAllOf(part []*history.Event) func(*history.Replay) bool {
	return func(r *history.Replay) bool {
		known := map[string]bool{}
		for _, ev := range r.Whole() {
			known[ev.ID] = true
		}
		for _, ev := range part {
			if !known[ev.ID] {
				return false
			}
		}
		return true
	}
}

// showsEventsOf returns a predicate that reports whether a replay shows all events that the results of
// some attempts require.
func showsEventsOf(all []*history.Attempt) func(*history.Replay) bool {
	return func(r *history.Replay) bool {
		events := r.Whole()
		return !slices.ContainsFunc(all, func(a *history.Attempt) bool { return !a.SettledIn(events) })
	}
}
