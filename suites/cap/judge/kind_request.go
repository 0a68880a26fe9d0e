package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/record"
)

// request is a describe of a pair, or an invocation of a version next to the listed ones.
type request struct {
	j       *evidence
	lookup  *history.Lookup  // nil for an invocation
	attempt *history.Attempt // nil for a describe
}

func (j *evidence) requests() []request {
	all := each(j.Lookups(), func(l *history.Lookup) request { return request{j, l, nil} })
	return append(all, each(j.Of(history.Neighbours), func(a *history.Attempt) request { return request{j, nil, a} })...)
}

// Entries returns that of the call.
func (r request) Entries() []record.Tick { return r.call().Entries() }

// Describes reports whether the request is a describe.
func (r request) Describes() bool { return r.lookup != nil }

// Got returns the answer, for messages.
func (r request) Got() string { return r.call().Got() }

func (r request) call() *history.Call {
	if r.lookup != nil {
		return &r.lookup.Call
	}
	return &r.attempt.Call
}

// Asked returns the requested pair.
func (r request) Asked() history.Ref {
	if r.lookup != nil {
		return r.lookup.Asked
	}
	return r.attempt.Asked
}

// ShowsOmission reports whether the source knows a pair that its lists omit. The pair is requested again between two
// lists, since it may have been registered after the first.
func (r request) ShowsOmission() any {
	known, tested := false, false
	if l := r.lookup; l != nil {
		known, tested = l.Own() && !l.Settles(), len(r.j.LookupsConfirming(l.Entry)) > 0
	} else {
		known, tested = r.attempt.KnowsPair() && !r.j.runsAnything(), len(r.j.Confirming(r.attempt.Entry)) > 0
	}
	switch {
	case !known || !r.j.leftOut(r.Asked(), r.call()):
		return false
	case !tested:
		return settledBy(history.Hidden, r.call().Entry)
	}
	return r.j.knownBetween(r.call().Entry, r.Asked())
}

// runsAnything reports whether a random reference is not answered with NOT_FOUND. Other requirements judge that.
func (j *evidence) runsAnything() bool {
	return slices.ContainsFunc(j.Of(history.UnlistedInvoked), func(a *history.Attempt) bool {
		return a.About[history.AboutForm] != "" && !a.FailedWith(history.NotFound)
	})
}

// leftOut reports whether the lists before and after a call lack a pair. It is false if a listed
// capability declares compatibility with the pair, or if the capability has another reference now.
func (j *evidence) leftOut(ref history.Ref, c *history.Call) bool {
	before, after := j.before(c.Entry), j.after(c.Done)
	if before == nil || before.Find(ref) != nil || after != nil && after.Find(ref) != nil ||
		before.DeclaresCompatible(ref) {
		return false
	}
	if first := j.First().Find(ref); first != nil {
		return renamed(first, j.First(), before) == nil // CAP-FC-01 judges a changed reference
	}
	return true
}

// knownBetween reports whether a pair was known between two lists that lack it, while a random
// version of the same id was not.
func (j *evidence) knownBetween(entry record.Tick, ref history.Ref) bool {
	known := false
	for _, l := range j.LookupsConfirming(entry) {
		switch {
		case l.About[history.AboutStep] == history.StepControl && (l.Lost != nil || l.Returned && !l.Unknown()):
			return false // CAP-DIS-04 judges that
		case l.About[history.AboutStep] != history.StepControl && l.Own():
			known = true
		}
	}
	for _, a := range j.Confirming(entry) {
		switch {
		case a.About[history.AboutStep] == history.StepControl && !a.FailedWith(history.NotFound):
			return false // CAP-ERR-01 judges that, or a limit explains it
		case a.About[history.AboutStep] != history.StepControl && a.KnowsPair():
			known = true
		}
	}
	for _, l := range j.ListsConfirming(entry) {
		if !l.Readable() || l.Find(ref) != nil {
			return false
		}
	}
	return known
}
