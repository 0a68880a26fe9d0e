package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/chp/history"
)

// displacedBy is the number of later invocations after which a host may have discarded the evidence of an
// attempt: the text does not say how long a host keeps evidence.
const displacedBy = 2

// displaced reports whether a replay may lack evidence of an attempt because the host discarded it:
// other invocations ended after the attempt began, and neither this replay nor a later one shows
// anything older.
func (j *evidence) displaced(a *history.Attempt, in *history.Replay) bool {
	later := 0
	for _, b := range j.Attempts() {
		if b != a && b.Done > a.Entry && b.Entry < in.Entry {
			later++
		}
	}
	return later >= displacedBy && !slices.ContainsFunc(j.Replays(), func(r *history.Replay) bool {
		return r.Entry >= in.Entry && j.showsOlder(r, a)
	})
}

// showsOlder reports whether a replay shows an event of an invocation that ended before an attempt began.
func (j *evidence) showsOlder(r *history.Replay, a *history.Attempt) bool {
	return slices.ContainsFunc(r.Whole(), func(ev *history.Event) bool {
		b := j.Sent(ev.Invocation)
		return b != nil && b.Done < a.Entry
	})
}
