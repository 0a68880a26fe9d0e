package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// shown is an object of the protocol and the answer that showed it.
type shown struct {
	members history.Object
	what    string // for messages: "a capability descriptor"
	entry   record.Tick
}

// descriptors returns the descriptors of all capabilities in every answer.
func (j *evidence) descriptors() []shown {
	var all []shown
	for _, d := range distinct(slices.Concat(j.Lists(), j.Hosts())) {
		for _, members := range d.Capabilities() {
			all = append(all, shown{members, "a capability descriptor", d.Entry})
		}
	}
	return all
}

// hostDescriptors returns the descriptors that the host returned of itself.
func (j *evidence) hostDescriptors() []shown {
	var all []shown
	for _, d := range distinct(j.Hosts()) {
		if d.Result != nil {
			all = append(all, shown{d.Result, "the host descriptor", d.Entry})
		}
	}
	return all
}

// undeclared returns the reason why no answer contained a descriptor.
func (j *evidence) undeclared() error {
	for _, d := range slices.Concat(j.Lists(), j.Hosts()) {
		if d.Lost != nil && !j.ClosedInsteadOfAnswer(&d.Call) {
			return d.Lost
		}
	}
	return verdict.Undecided("no capability is declared, so there is nothing to judge")
}

func (j *evidence) entries(ev event) []record.Tick {
	switch {
	case ev.in == nil:
		return j.entriesOfAttempt(ev.of)
	case ev.of != nil:
		return []record.Tick{ev.of.Entry, ev.in.Entry}
	}
	return j.entriesOfReplay(ev.in)
}

// shown returns an event of a replay with the attempt that it belongs to.
func (j *evidence) shown(r *history.Replay, ev *history.Event) event {
	return event{Event: ev, j: j, in: r, of: j.owner(r, ev)}
}

// events returns the events of all replays, each text once. It omits the events that certainly
// belong to another caller.
func (j *evidence) events(which func(*history.Event) bool) []event {
	var all []event
	seen := map[*history.Event]bool{}
	for _, r := range j.Replays() {
		for _, ev := range r.Events {
			if seen[ev] || !ev.Known() || !which(ev) {
				continue
			}
			of := j.owner(r, ev)
			if of == nil && ev.Invocation != "" && ev.Correlation != "" && ev.Correlation != r.Correlation() {
				continue
			}
			seen[ev] = true
			all = append(all, event{Event: ev, j: j, in: r, of: of})
		}
	}
	return all
}

// owner returns the attempt that an event belongs to, preferably one under the correlation id of
// the query.
func (j *evidence) owner(r *history.Replay, ev *history.Event) *history.Attempt {
	for _, a := range j.Thread(r.Correlation()).Attempts {
		if a.Owns(ev) {
			return a
		}
	}
	return j.Sent(ev.Invocation)
}

// wholeBefore returns the last plain replay of the same correlation before another one, if few
// invocations lie between the two. It returns nil if there is none.
func (j *evidence) wholeBefore(of *history.Replay) *history.Replay {
	return j.lastWhole(of, func(r *history.Replay) bool { return j.FollowsClosely(r.Done, of.Entry) })
}

// lastWhole returns the last plain replay of the same correlation before another one for which fits is true, or nil.
func (j *evidence) lastWhole(of *history.Replay, fits func(*history.Replay) bool) *history.Replay {
	var last *history.Replay
	for _, r := range j.Thread(of.Correlation()).Replays {
		if r.Plain() && !r.Polled && r.Readable() && r.Done < of.Entry && fits(r) {
			last = r
		}
	}
	return last
}

// wholeAfter returns the next plain replay of the same correlation, or nil.
func (j *evidence) wholeAfter(r *history.Replay) *history.Replay {
	all := j.Thread(r.Correlation()).Replays
	next := slices.IndexFunc(all, func(w *history.Replay) bool {
		return w.Plain() && !w.Polled && w.Readable() && w.Entry > r.Done
	})
	if next < 0 {
		return nil
	}
	return all[next]
}

// again returns the replay that was made to settle a doubt about another one.
func (j *evidence) again(of *history.Replay) (again *history.Replay, asked bool) {
	for _, r := range j.Thread(of.Correlation()).Replays {
		if r.Stimulus == history.ReplayAgain && r.Confirms(of.Entry) {
			return r, true
		}
	}
	return nil, false
}

// othersBetween reports whether something was invoked under another id between two replays.
func (j *evidence) othersBetween(t *history.Thread, before, after *history.Replay) bool {
	return slices.ContainsFunc(j.Attempts(), func(a *history.Attempt) bool {
		return a.Entry > before.Done && a.Entry < after.Entry && a.CorrelationID() != t.Correlation
	})
}

// usuallyShown reports whether a replay of a usual correlation id showed an invocation of the
// same capability with the same outcome. If not, CHP-6-01 judges that.
func (j *evidence) usuallyShown(a *history.Attempt) bool {
	return slices.ContainsFunc(j.Attempts(), func(b *history.Attempt) bool {
		return !b.HasUncommonID() && sameKindAndOutcome(a, b) && b.Code() == a.Code() && len(j.Evidence(b).Events) > 0
	})
}

// keptUsually reports whether the host keeps the correlation id of invocations of the same
// capability with the same outcome, if the id is usual and used once.
func (j *evidence) keptUsually(a *history.Attempt) bool {
	return !slices.ContainsFunc(j.Attempts(), func(b *history.Attempt) bool {
		return !b.HasUncommonID() && b.Supplied != "" && sameKindAndOutcome(a, b) && j.replaced(b) != ""
	})
}

// replaced returns the correlation id that the host used in place of the caller's, "" if there
// is none.
func (j *evidence) replaced(a *history.Attempt) string {
	if got := a.ResultCorrelation(); got != "" && got != a.Supplied {
		return got
	}
	for _, ev := range j.Evidence(a).Events {
		if ev.JudgedAsCore() && ev.Correlation != "" && ev.Correlation != a.Supplied {
			return ev.Correlation
		}
	}
	return ""
}

// reason returns the reason why a verdict about the attempts of a stimulus is undecided.
func (j *evidence) reason(all []*history.Attempt, stimulus string) error {
	if err := j.lost(all); err != nil {
		return err
	}
	return j.Conclusion(stimulus)
}

// usedBefore reports whether another invocation used the correlation id of an attempt before it.
func (j *evidence) usedBefore(a *history.Attempt) bool {
	return a.Supplied != "" && j.Thread(a.Supplied).Attempts[0] != a
}

// shares reports whether other invocations use the correlation id of an attempt as well.
func (j *evidence) shares(a *history.Attempt) bool { return len(j.Thread(a.Supplied).Attempts) > 1 }

// sharersShown reports whether the replays of a correlation that many invocations share show each of them.
// Otherwise CHP-10-01 judges what a replay of several invocations lacks.
func (j *evidence) sharersShown() bool {
	return !slices.ContainsFunc(j.Of(history.Shared, history.UsedAgain), func(a *history.Attempt) bool {
		e := j.Evidence(a)
		return a.Processed() && e.LastReplay != nil && e.LastReplay.Readable() && len(e.Events) == 0
	})
}
