package chpsuite

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

var replaySentences = []sentence{
	say(`several invocations share a correlation`, func(w *world) any { return w.shareCorrelation }),
	say(`two correlations whose ids begin alike are used side by side`, func(w *world) any { return w.sideBySide }),
	say(`a replay of it shows each of them`, func(w *world) any { return w.replayShowsAll }),
	say(`each replay holds events of its own correlation alone`, func(w *world) any { return w.ownEventsAlone }),
	say(`each replay result has its ([a-z_]+)`, func(w *world) any { return w.replayMember }),
	say(`each replay result bears the id that was asked for`, func(w *world) any { return w.replayOfAsked }),
	say(`the number of events is the number that it tells`, func(w *world) any { return w.countIsTrue }),
	say(`the events stand in the order of their sequence`, func(w *world) any { return w.sequencesRise }),
	say(`a limit bounds the events of a replay`, func(w *world) any { return w.limitBounds }),
	say(`a replay since a sequence leaves out what comes before and nothing else`, func(w *world) any { return w.sinceStarts }),
	say(`a replay without payloads has none`, func(w *world) any { return w.payloadsLeftOut }),
}

// headOf decodes a replay result without its events, of which there may be many.
func headOf(raw []byte) object {
	head := readHead(raw)
	if head == nil {
		return schemas.ReadObject(raw)
	}
	return head
}

// shareCorrelation sends three invocations under one correlation.
func (w *world) shareCorrelation(ctx context.Context) error {
	all, err := w.withOne(ctx, w.sc, func(v envelope) []*attempt {
		v.correlation = caller()
		var all []*attempt
		for range 3 {
			all = append(all, w.invoke(ctx, w.sc, v))
		}
		return all
	})
	if err := w.take(all, err); err != nil {
		return err
	}
	for _, a := range w.attempts {
		if a.outcome() != outcomeSuccess {
			w.sc.Cite(a.answer, a.err)
			return suites.Undecided("an invocation that succeeded before does not do so under a shared correlation")
		}
	}
	for _, a := range slices.Backward(w.attempts) { // mostly the last has the others' evidence, too
		if w.replays == nil || !a.settledIn(w.replays[0]) {
			w.replayUntilSettled(ctx, w.sc, a, a.supplied)
			w.replays = []replay{a.replayed}
		}
	}
	return lost(w.attempts)
}

func (w *world) correlation() string { return w.attempts[0].supplied }

func (w *world) sideBySide(ctx context.Context) error {
	all, err := w.aroundOne(ctx, w.sc, func(v envelope) []envelope {
		longer := v
		id := sender + uuid.NewString()
		v.correlation, longer.correlation = object{"correlation_id": id}, object{"correlation_id": id + "-2"}
		return []envelope{v, longer}
	})
	if err := w.take(all, err); err != nil {
		return err
	}
	for i, a := range w.attempts { // each once more, now that both have evidence
		w.attempts[i].replayed = w.replay(ctx, w.sc, object{"correlation_id": a.supplied})
	}
	return lost(w.attempts)
}

// replayShowsAll is CHP-10-01: the id alone is a complete query.
func (w *world) replayShowsAll() error {
	r := w.replays[0]
	if !r.arrived() || r.broken != nil {
		return w.violated(r.answer, r.err, "a replay by correlation id gives no evidence", "a ReplayResult for "+w.correlation(), suites.Received(r.answer, r.err))
	}
	for _, a := range w.attempts {
		if got := a.resultCorrelation(); got != "" && got != w.correlation() {
			return suites.Undecided("an invocation did not keep the correlation id that it shares: see CHP-7-05")
		}
		seen := slices.ContainsFunc(r.events, func(ev event) bool { return ev.invocation == a.id })
		if !seen && len(r.events) > 0 {
			return w.violated(r.answer, nil, "a replay leaves an invocation of its correlation out", "events of "+a.id, fmt.Sprintf("%d events of other invocations", len(r.events)))
		}
		for _, id := range texts(a.result["evidence_ids"]) {
			if seen && !slices.ContainsFunc(r.events, func(ev event) bool { return ev.id == id }) {
				return suites.Undecided("a result names evidence that no replay knows: see CHP-6-02")
			}
		}
	}
	if len(r.events) == 0 {
		return suites.Undecided("no invocation left evidence: see CHP-6-01")
	}
	return nil
}

func (w *world) ownEventsAlone(ctx context.Context) error {
	for _, a := range w.attempts {
		for _, ev := range a.replayed.events {
			other := ev.invocation != a.id && slices.ContainsFunc(w.attempts, func(b *attempt) bool { return b.id == ev.invocation })
			if other || (ev.correlation != "" && ev.correlation != a.supplied && ev.invocation != a.id) {
				return w.blame(a, "a replay holds an event of another correlation", "events of "+a.supplied+" alone", suites.Clip(string(ev.raw)))
			}
		}
	}
	stranger := w.replay(ctx, w.sc, object{"correlation_id": "capconform-" + uuid.NewString()})
	if stranger.err == nil && len(stranger.events) > 0 {
		return w.violated(stranger.answer, nil, "a replay of an id that nobody used holds events", "no events, or an error", suites.Received(stranger.answer, nil))
	}
	if _, err := w.simplest(ctx, w.sc); err != nil || !slices.ContainsFunc(w.attempts, func(a *attempt) bool { return len(a.replayed.events) > 0 }) {
		return suites.Undecided("no evidence was replayed: see CHP-6-01 and CHP-10-01")
	}
	return nil
}

// answeredReplays are the replays of all attempts that came back as results.
func (w *world) answeredReplays() ([]replay, error) {
	var all []replay
	for _, a := range w.attempts {
		if r := a.replayed; r.arrived() && r.result != nil && a.outcome() != "" {
			all = append(all, r)
		}
	}
	if len(all) == 0 {
		return nil, suites.Undecided("no replay was answered by a result: see CHP-10-01")
	}
	return all, nil
}

func (w *world) replayMember(name string) error {
	all, err := w.answeredReplays()
	if err != nil {
		return err
	}
	for _, r := range all {
		if name == "events" && r.odd != "" {
			return w.violated(r.answer, nil, "a replay result: events is not a list of objects", replayMembers[name].want, r.odd+" in it")
		}
		if what, got, wrong := replayMembers[name].flaw(r.result, name); wrong {
			return w.violated(r.answer, nil, "a replay result: "+what, replayMembers[name].want, got+" in "+suites.Received(r.answer, nil))
		}
	}
	return nil
}

func (w *world) replayOfAsked() error {
	all, err := w.answeredReplays()
	if err != nil {
		return err
	}
	for _, r := range all {
		if id, ok := r.result["correlation_id"].(string); ok && id != r.query["correlation_id"] {
			return w.violated(r.answer, nil, "a replay result bears another correlation id than the one asked for", suites.Print(r.query["correlation_id"]), suites.Print(id))
		}
	}
	return nil
}

// countIsTrue is CHP-10-08 for complete replays: nothing was limited or cut.
func (w *world) countIsTrue() error {
	all, err := w.answeredReplays()
	if err != nil {
		return err
	}
	for _, r := range all {
		n, ok := wholeNumber(r.result["event_count"])
		if ok && r.odd == "" && r.result["truncated"] != true && r.result["partial"] != true && r.broken == nil && n.String() != fmt.Sprint(r.page) {
			return w.violated(r.answer, nil, "a replay result tells another number of events than it has", fmt.Sprint(r.page), n.String())
		}
	}
	return nil
}

func (w *world) sequencesRise() error {
	judged := 0
	for _, a := range w.attempts {
		for i, ev := range a.replayed.events {
			n, ok := wholeNumber(ev.sequence)
			if i == 0 || !ok {
				continue
			}
			before, known := wholeNumber(a.replayed.events[i-1].sequence)
			judged++
			if known && n.Cmp(before) <= 0 {
				return w.blame(a, "the sequence of replayed events does not rise", "each sequence above the one before it", fmt.Sprintf("%s after %s", n, before))
			}
		}
	}
	if judged == 0 {
		return suites.Undecided("no replay holds two events whose sequence is a number: see CHP-6-09")
	}
	return nil
}

// asked repeats the replay of the shared correlation with more in the query, and
// again as long as something is missing.
func (w *world) asked(ctx context.Context, more object, enough func(replay) bool) (replay, error) {
	query := object{"correlation_id": w.correlation()}
	maps.Copy(query, more)
	r := w.replayUntil(ctx, w.sc, query, func(r replay) bool { return !r.arrived() || enough(r) })
	w.sc.Cite(w.replays[0].answer, w.replays[0].err)
	w.sc.Cite(r.answer, r.err)
	if r.err != nil {
		return r, r.err
	}
	if len(w.replays[0].events) < 2 {
		return r, suites.Undecided("the shared correlation has fewer than two events, so nothing can be left out: see CHP-8-08")
	}
	if r.answer.Outcome != driver.Returned || r.broken != nil {
		return r, suites.Violated("a replay query with "+sortedNames(more)[0]+" is not answered", "a ReplayResult", suites.Received(r.answer, nil))
	}
	return r, nil
}

func (w *world) limitBounds(ctx context.Context) error {
	whole := w.replays[0].page // a host may cut what it is asked for without a limit, too
	for _, limit := range []int{1, whole - 1, whole + 10} {
		if limit < 1 {
			continue
		}
		few := func(r replay) bool { return r.page == 0 || limit > whole && r.page < whole }
		r, err := w.asked(ctx, object{"limit": limit}, func(r replay) bool { return !few(r) })
		if err != nil {
			return err
		}
		if !subset(r.events, w.replays[0].events) { // the host may have added to it
			w.replays[0] = w.replay(ctx, w.sc, object{"correlation_id": w.correlation()})
		}
		switch {
		case r.page > limit:
			return suites.Violated("a limit does not bound the events of a replay", fmt.Sprintf("at most %d", limit), fmt.Sprint(r.page))
		case limit > whole && r.page < whole:
			return suites.Violated("a limit that is large enough leaves events out", fmt.Sprint(whole), fmt.Sprint(r.page))
		case r.page == 0:
			return suites.Violated("a limit leaves no event at all", "an event, since there are some", "none")
		case !subset(r.events, w.replays[0].events):
			return suites.Undecided("a replay with a limit holds events that the whole one lacks: see CHP-10-01")
		}
	}
	return nil
}

func subset(part, whole []event) bool {
	known := idsOf(whole)
	return !slices.ContainsFunc(part, func(ev event) bool { return !known[ev.id] })
}

// sinceStarts takes both readings, with and without the event at that place.
func (w *world) sinceStarts(ctx context.Context) error {
	whole := w.replays[0].events
	if len(whole) < 2 {
		return suites.Undecided("the shared correlation has fewer than two events, so nothing can be left out: see CHP-8-08")
	}
	middle := whole[len(whole)/2]
	at, ok := wholeNumber(middle.sequence)
	if !ok {
		return suites.Undecided("the sequence of an event is no number: see CHP-6-09")
	}
	missing := func(r replay) (string, bool) {
		came := idsOf(r.events)
		for _, ev := range whole {
			if n, ok := wholeNumber(ev.sequence); ok && n.Cmp(at) > 0 && !came[ev.id] {
				return n.String(), true
			}
		}
		return "", false
	}
	r, err := w.asked(ctx, object{"since_sequence": plainly(middle.sequence)}, func(r replay) bool {
		_, lacks := missing(r)
		return !lacks
	})
	if err != nil {
		return err
	}
	for _, ev := range r.events {
		if n, ok := wholeNumber(ev.sequence); ok && n.Cmp(at) < 0 {
			return suites.Violated("a replay since a sequence holds an event before it", "nothing before "+at.String(), n.String())
		}
	}
	if sequence, lacks := missing(r); lacks {
		return suites.Violated("a replay since a sequence lacks an event behind it", "the event with sequence "+sequence, kindsOf(r.events))
	}
	return nil
}

// payloadsLeftOut needs an event that has a payload when asked for with payloads.
func (w *world) payloadsLeftOut(ctx context.Context) error {
	candidates := append(slices.Clone(w.attempts), w.inRole(ctx, w.sc, roleObserve)...)
	for _, a := range candidates {
		for _, ev := range a.replayed.events {
			payload, _ := ev.members()["payload"].(object)
			if len(payload) == 0 {
				continue
			}
			query := object{"correlation_id": a.supplied, "include_payloads": false}
			r := w.replayUntil(ctx, w.sc, query, func(r replay) bool { return r.holds(ev.id) })
			w.sc.Cite(r.answer, r.err)
			if r.err != nil {
				return r.err
			}
			return w.bare(r, ev, payload)
		}
	}
	return suites.Undecided("no event has a payload when it is replayed with payloads")
}

// bare looks for what the payload held; a digest in its place is fine.
func (w *world) bare(r replay, was event, payload object) error {
	for _, ev := range r.events {
		left, _ := ev.members()["payload"].(object)
		if ev.id != was.id {
			continue
		}
		for name, v := range payload {
			if left[name] != nil && suites.EqualJSON(left[name], v) {
				return suites.Violated("a replay without payloads holds one", "no payload in the event "+was.kind, suites.Print(left))
			}
		}
		return nil
	}
	return suites.Violated("a replay without payloads leaves events out", "the event "+was.kind+" without its payload", kindsOf(r.events))
}
