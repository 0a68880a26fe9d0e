package judge

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/verdict"
)

var querySentences = []verdict.Sentence[queries]{
	verdict.Say(`each limit bounds the number of events`, queries.LimitsBound),
	verdict.Say(`each replay with since_sequence starts at that place`, queries.SincesBegin),
	verdict.Say(`each replay contains payloads as requested`, queries.PayloadsAsAsked),
}

// withMember returns the replays whose query has a member. Plain queries that were answered are their
// control.
func (j queries) withMember(name string) []*history.Replay {
	return slices.DeleteFunc(j.Replays(), func(r *history.Replay) bool { return r.Query[name] == nil })
}

// queryInWords returns the members of a query that affect the replay, if there are several.
func queryInWords(r *history.Replay) string {
	rest := maps.Clone(r.Query)
	delete(rest, "correlation_id")
	if len(rest) < 2 {
		return ""
	}
	return ", for a query with " + strings.Join(slices.Sorted(maps.Keys(rest)), " and ")
}

// number reads a member of a query.
func number(r *history.Replay, name string) (int64, bool) {
	n, ok := history.WholeNumber(r.Query[name])
	if !ok || !n.IsInt64() {
		return 0, false
	}
	return n.Int64(), true
}

// unanswered reports whether a query was not answered. It adds a breach if the query has one more member
// than the correlation id and the plain query was answered. It also adds a breach, for the first member
// of the query, if a query with several members closes the connection although each member alone is
// answered.
func (j queries) unanswered(r *verdict.Verdict, replay *history.Replay, name string) bool {
	closed, whole := replay.Lost != nil && j.ClosedInsteadOfAnswer(&replay.Call), j.wholeBefore(replay)
	if replay.Readable() || replay.Lost != nil && !closed {
		return !replay.Readable()
	}
	refusable := beyondLast(replay, whole) || j.limitTooGreat(replay)
	reported := len(replay.Query) == 2 && !refusable || closed && j.firstOfSeveral(replay) == name
	if reported && !replay.Arrived() && whole != nil {
		r.AddBreach(j.entriesOfReplay(replay), "a replay query with "+name+" is not answered"+queryInWords(replay),
			"a ReplayResult", replay.Got)
	}
	return true
}

// limitTooGreat reports whether a query with a limit is refused, and one with a smaller limit is answered:
// the text does not say how great a limit a host must accept.
func (j queries) limitTooGreat(replay *history.Replay) bool {
	limit, ok := number(replay, "limit")
	return ok && replay.Lost == nil && slices.ContainsFunc(j.withMember("limit"), func(other *history.Replay) bool {
		smaller, ok := number(other, "limit")
		return ok && smaller < limit && other.Readable()
	})
}

// beyondLast reports whether a query starts after the last event that a replay showed. The text does not
// say whether a host must accept such a query.
func beyondLast(replay, whole *history.Replay) bool {
	since, ok := history.WholeNumber(replay.Query["since_sequence"])
	if !ok || whole == nil || replay.Lost != nil {
		return false
	}
	return !slices.ContainsFunc(whole.Whole(), func(ev *history.Event) bool {
		n, ok := history.WholeNumber(ev.Sequence)
		return !ok || n.Cmp(since) > 0
	})
}

// firstOfSeveral returns the first member of a query beside the correlation id, "" if a query with one
// of its members alone is not answered.
func (j queries) firstOfSeveral(replay *history.Replay) string {
	first := ""
	for _, name := range []string{"include_payloads", "since_sequence", "limit"} {
		if replay.Query[name] == nil {
			continue
		}
		if !slices.ContainsFunc(j.withMember(name), func(one *history.Replay) bool {
			return len(one.Query) == 2 && one.Arrived()
		}) {
			return ""
		}
		first = name
	}
	return first
}

// ofQueries returns a verdict about replays with a member in their query.
func (j queries) ofQueries(r *verdict.Verdict, all []*history.Replay) verdict.Verdict {
	for _, replay := range all {
		if replay.Lost != nil && !j.ClosedInsteadOfAnswer(&replay.Call) && len(r.Breaches) == 0 {
			r.Open = replay.Lost
		}
	}
	if why := j.reason(j.Of(history.Shared), history.Shared); why != nil {
		return r.OpenUnlessJudged(why)
	}
	if why := j.Conclusion(history.Queries); why != nil {
		return r.OpenUnlessJudged(why)
	}
	return r.OpenUnlessJudged(verdict.Undecided("no such query was answered"))
}

// LimitsBound judges CHP-10-03: each limit bounds the number of events.
func (j queries) LimitsBound() verdict.Verdict {
	r := &verdict.Verdict{}
	all := j.withMember("limit")
	for _, replay := range all {
		limit, ok := number(replay, "limit")
		if !ok || j.unanswered(r, replay, "limit") {
			continue
		}
		r.Judged++
		whole := j.wholeBefore(replay)
		switch since := replay.Query["since_sequence"] != nil; {
		case int64(replay.Page) > limit:
			r.AddBreach(j.entriesOfReplay(replay), "a limit does not bound the events of a replay"+queryInWords(replay),
				fmt.Sprintf("at most %d", limit), fmt.Sprint(replay.Page))
		case since || whole == nil || replay.Polled || whole.DuplicateID != "": // CHP-6-13 judges the last
		case replay.Page == 0 && whole.Page > 0:
			r.AddBreach(j.entriesOfReplay(replay), "a replay with a limit contains no event"+queryInWords(replay),
				"at least one event, since the correlation has some", "none")
		case limit >= int64(whole.Page) && replay.Page < whole.Page && within(replay, whole) && // else CHP-10-01
			j.stillShown(replay, whole) && !j.lacksWithoutLimit(replay, whole): // else CHP-10-05
			r.AddBreach(j.entriesOfReplay(replay), "a replay omits events although its limit is large enough",
				fmt.Sprint(whole.Page),
				fmt.Sprint(replay.Page))
		}
	}
	return j.ofQueries(r, all)
}

// lacksWithoutLimit reports whether a query without payloads and without a limit lacks events as well.
func (j queries) lacksWithoutLimit(replay, whole *history.Replay) bool {
	return replay.Query["include_payloads"] == false &&
		slices.ContainsFunc(j.Thread(replay.Correlation()).Replays, func(other *history.Replay) bool {
			return other.Query["include_payloads"] == false && other.Unfiltered() && other.Readable() && other.Page < whole.Page
		})
}

// stillShown reports whether an event that a replay lacks is in the next plain replay of its
// correlation: a host need not keep its evidence. It is true if there is no such replay.
func (j queries) stillShown(part, before *history.Replay) bool {
	after := j.wholeAfter(part)
	return after == nil || slices.ContainsFunc(before.Events, func(ev *history.Event) bool {
		return !part.Holds(ev.ID) && after.Holds(ev.ID)
	})
}

// within reports whether each event of a replay is also in another one.
func within(part, whole *history.Replay) bool {
	return !slices.ContainsFunc(part.Events, func(ev *history.Event) bool { return !whole.Holds(ev.ID) })
}

// SincesBegin judges CHP-10-04: each replay with since_sequence starts at that place. It accepts both
// readings, with and without the event at that sequence.
func (j queries) SincesBegin() verdict.Verdict {
	r := &verdict.Verdict{}
	all := j.withMember("since_sequence")
	for _, replay := range all {
		at, ok := history.WholeNumber(replay.Query["since_sequence"])
		if !ok || j.unanswered(r, replay, "since_sequence") {
			continue
		}
		r.Judged++
		if before := earlier(replay, at); before != "" {
			r.AddBreach(j.entriesOfReplay(replay), "a replay with since_sequence contains an earlier event"+queryInWords(replay),
				"nothing before "+at.String(), before)
			continue
		}
		whole := j.wholeBefore(replay)
		limited := replay.Query["limit"] != nil
		if whole == nil || limited && replay.Page > 0 || replay.Polled || replay.Stimulus != history.Queries {
			continue
		}
		if lacks := behind(replay, whole.Whole(), at); lacks != nil && !j.discarded(lacks, replay) {
			r.AddBreach(j.entriesOfReplay(replay), "a replay with since_sequence omits a later event"+queryInWords(replay),
				"the event with sequence "+string(lacks.Sequence), kindsOf(replay.Events))
		}
	}
	return j.ofQueries(r, all)
}

// earlier finds an event that a replay since a sequence should not contain.
func earlier(r *history.Replay, at *big.Int) string {
	for _, ev := range r.Events {
		if n, ok := history.WholeNumber(ev.Sequence); ok && n.Cmp(at) < 0 {
			return n.String()
		}
	}
	return ""
}

// discarded reports whether the next plain replay lacks an event as well: a host need not keep its evidence.
func (j queries) discarded(ev *history.Event, in *history.Replay) bool {
	after := j.wholeAfter(in)
	return after != nil && !after.Holds(ev.ID)
}

// behind finds an event after a place that a replay omits, nil if there is none. A truncated replay may
// contain it on a further page.
func behind(r *history.Replay, whole []*history.Event, at *big.Int) *history.Event {
	came := map[string]bool{}
	for _, ev := range r.Whole() {
		if ev.ID == "" {
			return nil // CHP-6-03: what came is not known
		}
		came[ev.ID] = true
	}
	for i, ev := range whole {
		n, ok := history.WholeNumber(ev.Sequence)
		if !ok || n.Cmp(at) <= 0 || came[ev.ID] || ev.ID == "" {
			continue
		}
		toCome := r.Cut() && !slices.ContainsFunc(whole[i:], func(ev *history.Event) bool { return came[ev.ID] })
		if toCome && len(r.Events) > 0 {
			return nil
		}
		return ev
	}
	return nil
}

// leavesMember reports whether the rest of a payload contains a member of the payload.
func leavesMember(payload, left history.Object) bool {
	return slices.ContainsFunc(slices.Sorted(maps.Keys(payload)), func(name string) bool {
		return left[name] != nil && jsonvalue.Equal(left[name], payload[name])
	})
}

// moved returns a member that an event has only without its payload and that contains the payload, "" if there
// is none.
func moved(full, without history.Object) string {
	for name, v := range without {
		if full["payload"] != nil && full[name] == nil && jsonvalue.Equal(v, full["payload"]) {
			return name
		}
	}
	return ""
}

// PayloadsAsAsked judges CHP-10-05: each replay contains payloads as requested. With false, a replay
// contains no payload that another replay shows. With true, it contains each payload that a replay
// without the member shows.
func (j queries) PayloadsAsAsked() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, t := range j.Threads() {
		full := map[string]history.Object{} // the events that are shown with content in their payload
		for _, replay := range t.Replays {
			for _, ev := range replay.Whole() {
				if ev.ID != "" && replay.Query["include_payloads"] != false && ev.Known() && len(ev.Payload()) > 0 {
					full[ev.ID] = ev.Members()
				}
			}
		}
		for _, replay := range t.Replays {
			if wanted, said := replay.Query["include_payloads"].(bool); said && !j.unanswered(r, replay, "include_payloads") {
				r.Judged++
				j.payloads(r, replay, wanted, full)
				if !wanted {
					j.judgeInverted(r, replay, t.Replays)
				}
			}
		}
	}
	return r.OpenUnlessJudged(noEvidence())
}

// judgeInverted judges a replay without payloads that shows content of events for which a replay with
// payloads shows none. A replacement for a payload, such as a digest, has the same members in each
// event.
func (j queries) judgeInverted(r *verdict.Verdict, replay *history.Replay, all []*history.Replay) {
	none := map[string]bool{} // the events that are shown with payloads, and have none
	for _, other := range all {
		for _, ev := range other.Whole() {
			if other.Query["include_payloads"] == true && ev.ID != "" && ev.Known() {
				none[ev.ID] = len(ev.Payload()) == 0
			}
		}
	}
	var shapes []string
	var content *history.Event
	for _, ev := range replay.Whole() {
		if !none[ev.ID] {
			continue
		}
		shapes = append(shapes, strings.Join(slices.Sorted(maps.Keys(ev.Payload())), " "))
		if len(ev.Payload()) > 0 {
			content = ev
		}
	}
	if content != nil && len(slices.Compact(slices.Sorted(slices.Values(shapes)))) > 1 {
		r.AddBreach(j.entriesOfReplay(replay), "a replay without payloads contains one that a replay with payloads does not contain",
			"no payload in the event "+content.Kind, printed(content.Payload()))
	}
}

func (j queries) payloads(r *verdict.Verdict, replay *history.Replay, wanted bool, full map[string]history.Object) {
	for _, ev := range replay.Whole() {
		if !ev.Known() {
			continue
		}
		has := ev.Payload()
		payload, _ := full[ev.ID]["payload"].(history.Object)
		switch {
		case wanted && len(payload) > 0 && len(has) == 0:
			r.AddBreach(j.entries(j.shown(replay, ev)), "a replay with payloads omits one"+queryInWords(replay),
				"the payload of the event "+ev.Kind, printed(has))
		case !wanted && leavesMember(payload, has):
			r.AddBreach(j.entriesOfReplay(replay), "a replay without payloads contains one"+queryInWords(replay),
				"no payload in the event "+ev.Kind,
				printed(has))
		case !wanted && moved(full[ev.ID], ev.Members()) != "":
			r.AddBreach(j.entriesOfReplay(replay),
				"a replay without payloads contains one in another member"+queryInWords(replay),
				"no payload in the event "+ev.Kind, moved(full[ev.ID], ev.Members())+" in "+jsonvalue.Clip(ev.Raw))
		}
	}
	whole := j.wholeBefore(replay)
	if wanted || whole == nil || !replay.Unfiltered() || replay.Polled || replay.Cut() {
		return
	}
	for _, ev := range whole.Whole() {
		if replay.Holds(ev.ID) {
			continue
		}
		message, want := "a replay without payloads omits events", "the event "+ev.Kind+" without its payload"
		switch again, asked := j.again(replay); {
		case !asked:
			r.AddDoubt(verdict.Settle{Stimulus: history.ReplayAgain, Of: replay.Entry}, j.entriesOfReplay(replay), message, want,
				kindsOf(replay.Events))
		case again.Holds(ev.ID):
			r.AddBreach(j.entriesOfReplay(replay), message, want, kindsOf(replay.Events))
		}
		return
	}
}
