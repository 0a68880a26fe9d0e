package chpsuite

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

var replaySentences = []sentence{
	say(`several invocations share a correlation`, func(w *world) any { return w.shareCorrelation }),
	say(`correlations whose ids are alike are used side by side`, func(w *world) any { return w.useAlike }),
	say(`a replay of each of them shows its invocation`, func(w *world) any { return w.eachIsFound }),
	say(`a replay of it shows each of them`, func(w *world) any { return w.replayShowsAll }),
	say(`each replay holds events of its own correlation alone`, func(w *world) any { return w.ownEventsAlone }),
	say(`each replay result has its ([a-z_]+)`, func(w *world) any { return w.replayMember }),
	say(`each replay result bears the id that was asked for`, func(w *world) any { return w.replayOfAsked }),
	say(`the number of events is the number that it tells`, func(w *world) any { return w.countIsTrue }),
	say(`the events stand in the order of their sequence`, func(w *world) any { return w.sequencesRise }),
	say(`those that a limit leaves stand in it, too`, func(w *world) any { return w.limitedRise }),
	say(`a limited replay tells its own number or that of all`, func(w *world) any { return w.limitedCount }),
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

// answeredReplays are the replays of all attempts that came back as results, and that
// of an id that nobody used where it is one.
func (w *world) answeredReplays(ctx context.Context) ([]replay, error) {
	var all []replay
	for _, a := range w.attempts {
		if r := a.replayed; r.arrived() && r.result != nil && a.outcome() != "" && !a.sharer {
			all = append(all, r)
		}
	}
	if len(all) == 0 {
		return nil, suites.Undecided("no replay was answered by a result: see CHP-10-01")
	}
	if r := w.stranger(ctx, w.sc); r.arrived() && r.result != nil {
		all = append(all, r)
	}
	return all, nil
}

func (w *world) replayMember(ctx context.Context, name string) error {
	all, err := w.answeredReplays(ctx)
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

func (w *world) replayOfAsked(ctx context.Context) error {
	all, err := w.answeredReplays(ctx)
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
func (w *world) countIsTrue(ctx context.Context) error {
	all, err := w.answeredReplays(ctx)
	if err != nil {
		return err
	}
	for _, r := range all {
		n, ok := wholeNumber(r.result["event_count"])
		if r.query["limit"] != nil || r.query["since_sequence"] != nil {
			continue
		}
		if ok && r.odd == "" && r.result["truncated"] != true && r.result["partial"] != true && r.broken == nil && n.String() != fmt.Sprint(r.page) {
			return w.violated(r.answer, nil, "a replay result tells another number of events than it has", fmt.Sprint(r.page), n.String())
		}
	}
	return nil
}

func (w *world) sequencesRise() error {
	judged := 0
	for _, a := range w.attempts {
		fall, compared := a.replayed.falls()
		if judged += compared; fall != "" {
			return w.blame(a, "the sequence of replayed events does not rise", "each sequence above the one before it", fall)
		}
	}
	if judged == 0 {
		return suites.Undecided("no replay holds two events whose sequence is a number: see CHP-6-09")
	}
	return nil
}

// falls tells where the sequence does not rise, "" if it does, and how many pairs of
// neighbours were compared.
func (r replay) falls() (where string, compared int) {
	for i := 1; i < len(r.events); i++ {
		n, ok := wholeNumber(r.events[i].sequence)
		before, known := wholeNumber(r.events[i-1].sequence)
		if !ok || !known {
			continue
		}
		compared++
		twice := n.Cmp(before) == 0 && r.events[i].invocation != "" && r.events[i].invocation == r.events[i-1].invocation
		if n.Cmp(before) < 0 || twice { // two invocations may use the same numbers
			return fmt.Sprintf("%s after %s", n, before), compared
		}
	}
	return "", compared
}

// limited replays the shared correlation with a limit, and more. That it is refused is
// for the requirement that the limit has to say.
func (w *world) limited(ctx context.Context, limit int, more object) (r replay, came bool) {
	query := object{"correlation_id": w.correlation(), "limit": limit}
	maps.Copy(query, more)
	r = w.replay(ctx, w.sc, query)
	w.sc.Cite(r.answer, r.err)
	return r, r.arrived() && r.broken == nil
}

// few is a limit below the number of events that are shared.
const few = 3

func (w *world) limitedRise(ctx context.Context) error {
	r, came := w.limited(ctx, few, nil)
	if !came {
		return r.err
	}
	if fall, _ := r.falls(); fall != "" {
		return suites.Violated("the sequence of events that a limit leaves does not rise", "each sequence above the one before it", fall)
	}
	return nil
}

// limitedCount takes both readings of the number.
func (w *world) limitedCount(ctx context.Context) error {
	r, came := w.limited(ctx, few, nil)
	if !came {
		return r.err
	}
	n, ok := wholeNumber(r.result["event_count"])
	whole := w.replay(ctx, w.sc, object{"correlation_id": w.correlation()})
	if ok && whole.result["truncated"] != true && (n.Cmp(big.NewInt(int64(r.page))) < 0 || n.Cmp(big.NewInt(int64(max(whole.page, r.page)))) > 0) {
		return suites.Violated("a limited replay tells a number of events that is neither its own nor that of all", fmt.Sprintf("%d or %d", r.page, whole.page), n.String())
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
	if err := w.limitBoundsPage(ctx); err != nil {
		return err
	}
	for _, limit := range []int{1, whole, whole + 10} {
		if limit < 1 {
			continue
		}
		few := func(r replay) bool { return r.page == 0 || limit >= whole && r.page < whole }
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
		case limit >= whole && r.page < whole:
			return suites.Violated("a limit that is large enough leaves events out", fmt.Sprint(whole), fmt.Sprint(r.page))
		case r.page == 0:
			return suites.Violated("a limit leaves no event at all", "an event, since there are some", "none")
		case !subset(r.events, w.replays[0].events):
			return suites.Undecided("a replay with a limit holds events that the whole one lacks: see CHP-10-01")
		}
	}
	return nil
}

// limitBoundsPage reads on from the first event, as a caller does who reads in pages.
func (w *world) limitBoundsPage(ctx context.Context) error {
	events := w.replays[0].events
	if len(events) < 2 || events[0].sequence == "" {
		return nil // asked says so
	}
	r, came := w.limited(ctx, 1, object{"since_sequence": plainly(events[0].sequence)})
	if !came {
		return r.err
	}
	if r.page > 1 {
		return suites.Violated("a limit does not bound the events of a replay since a sequence", "at most 1", fmt.Sprint(r.page))
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
	at, ok := wholeNumber(whole[len(whole)/2].sequence)
	first, known := wholeNumber(whole[0].sequence)
	if !ok || !known {
		return suites.Undecided("the sequence of an event is no number: see CHP-6-09")
	}
	for _, since := range []*big.Int{at, shorter(first)} {
		if err := w.startsAt(ctx, since); err != nil {
			return err
		}
	}
	r, _ := w.limited(ctx, few, object{"since_sequence": json.Number(at.String())})
	if err := earlier(r, at); err != nil {
		return err
	}
	last, ok := wholeNumber(whole[len(whole)-1].sequence)
	if !ok {
		return nil
	}
	last.Add(last, big.NewInt(beyond))
	r = w.replay(ctx, w.sc, object{"correlation_id": w.correlation(), "since_sequence": json.Number(last.String())})
	w.sc.Cite(r.answer, r.err)
	return earlier(r, last)
}

// beyond is far enough behind the last event of a correlation, whatever else happens.
const beyond = 1_000_000

// earlier finds what a replay since a sequence should not hold.
func earlier(r replay, at *big.Int) error {
	for _, ev := range r.events {
		if n, ok := wholeNumber(ev.sequence); ok && n.Cmp(at) < 0 {
			return suites.Violated("a replay since a sequence holds an event before it", "nothing before "+at.String(), n.String())
		}
	}
	return r.err
}

// shorter gives the highest number of fewer digits, 0 for a digit: as texts the two
// stand in another order.
func shorter(n *big.Int) *big.Int {
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(len(n.String())-1)), nil)
	return power.Sub(power, big.NewInt(1))
}

func (w *world) startsAt(ctx context.Context, at *big.Int) error {
	whole := w.replays[0].events
	missing := func(r replay) (string, bool) {
		came := idsOf(r.events)
		for i, ev := range whole {
			if n, ok := wholeNumber(ev.sequence); ok && n.Cmp(at) > 0 && !came[ev.id] {
				toCome := r.result["truncated"] == true && !slices.ContainsFunc(whole[i:], func(ev event) bool { return came[ev.id] })
				return n.String(), !toCome || len(r.events) == 0
			}
		}
		return "", false
	}
	r, err := w.asked(ctx, object{"since_sequence": json.Number(at.String())}, func(r replay) bool {
		_, lacks := missing(r)
		return !lacks
	})
	if err != nil {
		return err
	}
	if err := earlier(r, at); err != nil {
		return err
	}
	if sequence, lacks := missing(r); lacks {
		return suites.Violated("a replay since a sequence lacks an event behind it", "the event with sequence "+sequence, kindsOf(r.events))
	}
	return nil
}
