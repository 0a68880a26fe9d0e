package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/record"
)

// retentionInvocations is the number of later invocations after which a host may have discarded the evidence of an
// attempt: the text does not say how long a host keeps evidence.
const retentionInvocations = 2

// mayBeDiscarded reports whether a replay may lack evidence of an attempt because the host discarded it: other
// invocations ended after the attempt began, the evidence of another invocation is missing as well, and
// neither this replay nor a later one shows anything older.
func (j *evidence) mayBeDiscarded(a *history.Attempt, in *history.Replay) bool {
	gone := j.goneEvidence()
	if len(gone) == 0 {
		return false
	}
	later, othersGone := 0, false
	for _, b := range j.Attempts() {
		if b == a {
			continue
		}
		if b.Done > a.Entry && b.Entry < in.Entry {
			later++
		}
		othersGone = othersGone || b.Processed() && b.Done < in.Entry && gone[b] >= in.Entry
	}
	return later >= retentionInvocations && othersGone && !slices.ContainsFunc(j.Replays(), func(r *history.Replay) bool {
		return r.Entry >= in.Entry && j.showsOlder(r, a)
	})
}

// goneEvidence returns the attempts of which a replay requests the evidence and shows none, each with the last
// such replay.
func (j *evidence) goneEvidence() map[*history.Attempt]record.Tick {
	if size := j.Size(); j.gone == nil || j.goneOf != size {
		j.gone, j.goneOf = map[*history.Attempt]record.Tick{}, size
		for _, t := range j.Threads() {
			for _, r := range t.Replays {
				for _, a := range t.Attempts {
					if r.Unfiltered() && r.Readable() && !r.Shows(a) {
						j.gone[a] = max(j.gone[a], r.Entry)
					}
				}
			}
		}
	}
	return j.gone
}

// showsOlder reports whether a replay shows an event of an invocation that ended before an attempt began.
func (j *evidence) showsOlder(r *history.Replay, a *history.Attempt) bool {
	return slices.ContainsFunc(r.Whole(), func(ev *history.Event) bool {
		b := j.Sent(ev.Invocation)
		return b != nil && b.Done < a.Entry
	})
}
