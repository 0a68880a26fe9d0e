package judge

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/rule"
)

// queryMembers are the optional members of the query of a replay, and what the replay does with them.
func queryMembers() []*rule.Member {
	return []*rule.Member{
		rule.Value("limit", func(r replay) any { return r.wholeNumber("limit") }),          // null for none
		rule.Value("since", func(r replay) any { return r.wholeNumber("since_sequence") }), // null for none
		rule.Value("includes_payloads", func(r replay) any { return r.Query["include_payloads"] }),
		rule.Text("combination", replay.combination), // for messages
		rule.Value("refused_members", replay.refusedMembers).InAnswer(),
		rule.One("unlimited", "replay", replay.unlimited),
		rule.Flag("may_omit_events", replay.mayOmitEvents),
		rule.Text("earlier_event", replay.earlierEvent),
		rule.Text("omitted_event", replay.omittedEvent),
		rule.Many("events", "event", func(r replay) rule.List[event] { return r.known(r.Whole()) }),
		rule.Text("event_types", func(r replay) string { return kindsOf(r.Events) }), // for messages
		rule.Value("unexpected_payload", replay.unexpectedPayload),
		rule.Many("requested_without_payloads", "event", replay.requestedWithoutPayloads),
	}
}

// known returns events of the replay whose members were kept.
func (r replay) known(these []*history.Event) rule.List[event] {
	var all rule.List[event]
	for _, ev := range these {
		if ev.Known() {
			all.Elements = append(all.Elements, r.in.shown(r.Replay, ev))
		}
	}
	return all
}

func (r replay) wholeNumber(name string) any {
	if n, is := history.WholeNumber(r.Query[name]); is {
		return json.Number(n.String())
	}
	return nil
}

// combination names the members of a query that affect the replay, if there are several.
func (r replay) combination() string {
	rest := maps.Clone(r.Query)
	delete(rest, "correlation_id")
	if len(rest) < 2 {
		return ""
	}
	return ", for a query with " + strings.Join(slices.Sorted(maps.Keys(rest)), " and ")
}

// optionalMembers are the members of a query beside the correlation id.
var optionalMembers = []string{"include_payloads", "since_sequence", "limit"}

// refusedMembers returns the members because of which a query is not answered although the plain query was: the one
// member beside the correlation id or, if a query with several members closes the connection although each member
// alone is answered, the last of optionalMembers that it has.
func (r replay) refusedMembers() any {
	refused := []any{}
	if r.Arrived() || r.in.wholeBefore(r.Replay) == nil {
		return refused
	}
	refusable := r.startsAfterAll() || r.limitTooGreat()
	for _, name := range optionalMembers {
		alone := len(r.Query) == 2 && !refusable
		if r.Query[name] != nil && (alone || r.Lost != nil && r.lastOfSeveral() == name) {
			refused = append(refused, name)
		}
	}
	return refused
}

// withMember returns the replays whose query has a member.
func (j *evidence) withMember(name string) []*history.Replay {
	return slices.DeleteFunc(j.Replays(), func(r *history.Replay) bool { return r.Query[name] == nil })
}

// limitTooGreat reports whether a query with a limit is refused, and one with a smaller limit is answered:
// the text does not say how great a limit a host must accept.
func (r replay) limitTooGreat() bool {
	limit, is := history.WholeNumber(r.Query["limit"])
	return is && r.Lost == nil && slices.ContainsFunc(r.in.withMember("limit"), func(other *history.Replay) bool {
		smaller, is := history.WholeNumber(other.Query["limit"])
		return is && smaller.Cmp(limit) < 0 && other.Readable()
	})
}

// startsAfterAll reports whether a query starts after the last event that a replay showed. The text does not
// say whether a host must accept such a query.
func (r replay) startsAfterAll() bool {
	since, is := history.WholeNumber(r.Query["since_sequence"])
	return is && r.Lost == nil && !slices.ContainsFunc(r.in.wholeBefore(r.Replay).Whole(), func(ev *history.Event) bool {
		n, is := history.WholeNumber(ev.Sequence)
		return !is || n.Cmp(since) > 0
	})
}

// lastOfSeveral returns the last of optionalMembers in the query, "" if a query with one of its members alone is not
// answered.
func (r replay) lastOfSeveral() string {
	last := ""
	for _, name := range optionalMembers {
		if r.Query[name] == nil {
			continue
		}
		if !slices.ContainsFunc(r.in.withMember(name), func(one *history.Replay) bool {
			return len(one.Query) == 2 && one.Arrived()
		}) {
			return ""
		}
		last = name
	}
	return last
}

// unlimited returns the replay that a replay with a limit is a part of, if there is one. It has no event twice.
func (r replay) unlimited() (replay, bool) {
	whole := r.in.wholeBefore(r.Replay)
	comparable := whole != nil && r.Query["since_sequence"] == nil && !r.Polled && whole.DuplicateID == ""
	return replay{whole, r.in}, comparable
}

// mayOmitEvents reports whether a replay with a sufficient limit may lack events of the whole replay before it: it
// contains events that the other lacks, or the host discarded what is missing, or a query without payloads and
// without a limit lacks events as well.
func (r replay) mayOmitEvents() bool {
	j, whole := r.in, r.in.wholeBefore(r.Replay)
	if slices.ContainsFunc(r.Events, func(ev *history.Event) bool { return !whole.Holds(ev.ID) }) {
		return true
	}
	after := j.wholeAfter(r.Replay)
	if after != nil && !slices.ContainsFunc(whole.Events, func(ev *history.Event) bool {
		return !r.Holds(ev.ID) && after.Holds(ev.ID)
	}) {
		return true
	}
	return r.Query["include_payloads"] == false &&
		slices.ContainsFunc(j.Thread(r.Correlation()).Replays, func(other *history.Replay) bool {
			return other.Query["include_payloads"] == false && other.Unfiltered() && other.Readable() && other.Page < whole.Page
		})
}

// earlierEvent returns the sequence of an event before since_sequence, "" if there is none.
func (r replay) earlierEvent() string {
	at, _ := history.WholeNumber(r.Query["since_sequence"])
	for _, ev := range r.Events {
		if n, is := history.WholeNumber(ev.Sequence); is && n.Cmp(at) < 0 {
			return n.String()
		}
	}
	return ""
}

// omittedEvent returns the sequence of an event after since_sequence that the replay lacks, "" if there is none: the
// host need not keep its evidence. The event at since_sequence may be there or not.
func (r replay) omittedEvent() string {
	at, _ := history.WholeNumber(r.Query["since_sequence"])
	whole := r.in.wholeBefore(r.Replay)
	limited := r.Query["limit"] != nil && r.Page > 0
	if whole == nil || limited || r.Polled || r.Stimulus != history.Queries {
		return ""
	}
	ev, after := r.lacksBehind(whole.Whole(), at), r.in.wholeAfter(r.Replay)
	if ev == nil || after != nil && !after.Holds(ev.ID) {
		return ""
	}
	return string(ev.Sequence)
}

// lacksBehind finds an event after a place that the replay omits, nil if there is none. A truncated replay may
// contain it on a further page.
func (r replay) lacksBehind(whole []*history.Event, at *big.Int) *history.Event {
	came := map[string]bool{}
	for _, ev := range r.Whole() {
		if ev.ID == "" {
			return nil // what came is not known
		}
		came[ev.ID] = true
	}
	for i, ev := range whole {
		n, is := history.WholeNumber(ev.Sequence)
		if !is || n.Cmp(at) <= 0 || came[ev.ID] || ev.ID == "" {
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

// withContent returns the members of an event as a replay shows them that may contain payloads, nil if none shows
// content in the payload.
func (e event) withContent() history.Object {
	var last history.Object
	for _, r := range e.j.Thread(e.in.Correlation()).Replays {
		if r.Query["include_payloads"] == false || e.ID == "" {
			continue
		}
		for _, ev := range r.Whole() {
			if ev.ID == e.ID && ev.Known() && len(ev.Payload()) > 0 {
				last = ev.Members()
			}
		}
	}
	return last
}

// content returns the payload of the event where a replay shows one with content.
func (e event) content() history.Object {
	payload, _ := e.withContent()["payload"].(history.Object)
	return payload
}

// keepsContent reports whether the payload contains a member of the payload that another replay shows.
func (e event) keepsContent() bool {
	left, content := e.Payload(), e.content()
	for name, v := range content {
		if left[name] != nil && jsonvalue.Equal(left[name], v) {
			return true
		}
	}
	return false
}

// movedContent returns a member that the event has only here and that contains the payload that another replay shows,
// "" if there is none.
func (e event) movedContent() string {
	full := e.withContent()
	for _, name := range slices.Sorted(maps.Keys(e.Members())) {
		if full["payload"] != nil && full[name] == nil && jsonvalue.Equal(e.Members()[name], full["payload"]) {
			return name
		}
	}
	return ""
}

// unexpectedPayload returns the content of an event for which a replay with payloads shows none, null if there is
// none. A replacement for a payload, such as a digest, has the same members in each event.
func (r replay) unexpectedPayload() any {
	none := map[string]bool{} // the events that are shown with payloads, and have none
	for _, other := range r.in.Thread(r.Correlation()).Replays {
		for _, ev := range other.Whole() {
			if other.Query["include_payloads"] == true && ev.ID != "" && ev.Known() {
				none[ev.ID] = len(ev.Payload()) == 0
			}
		}
	}
	shapes := map[string]bool{}
	var content any
	for _, ev := range r.Whole() {
		if !none[ev.ID] {
			continue
		}
		shapes[strings.Join(slices.Sorted(maps.Keys(ev.Payload())), " ")] = true
		if len(ev.Payload()) > 0 {
			content = ev.Payload()
		}
	}
	if len(shapes) < 2 {
		return nil
	}
	return content
}

// requestedWithoutPayloads returns the events of the last whole replay before one that requests all events without
// payloads, whenever that was: another replay shows whether the host discarded what is missing.
func (r replay) requestedWithoutPayloads() rule.List[event] {
	whole := r.in.lastWhole(r.Replay, func(*history.Replay) bool { return true })
	if r.Query["include_payloads"] != false || whole == nil || !r.Unfiltered() || r.Polled || r.Cut() || !r.Readable() {
		return rule.List[event]{}
	}
	return replay{whole, r.in}.known(whole.Whole())
}
