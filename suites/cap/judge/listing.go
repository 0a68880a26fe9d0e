package judge

import (
	"fmt"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

var listingSentences = []verdict.Sentence[lists]{
	verdict.Say(`no list contains a pair of id and version twice`, lists.PairsUnique),
	verdict.Say(`each list is a complete array of manifests`, lists.ListsComplete),
	verdict.Say(`each list contains every capability that the source knows`, lists.NothingLeftOut),
	verdict.Say(`list, describe and invoke are provided`, lists.OperationsProvided),
}

// ListsComplete judges CAP-DIS-01 for the form of a list: each list is a complete array of
// manifests.
func (j lists) ListsComplete() verdict.Verdict {
	r := j.newVerdict()
	for _, l := range j.Lists() {
		at := []record.Tick{l.Entry}
		switch {
		case l.Unanswered():
			continue // the reason for the first list is below
		case l.Absent:
			r.open = verdict.Undecided("the source does not provide capability.list: see CAP-DIS-03")
		case !l.Returned && (l.Stimulus == stimulusDiscovery || !l.MayBeLimit()):
			r.AddBreach(at, "capability.list returns no list", "an array of manifests", l.Got)
		case !l.Returned:
			r.open = verdict.Undecided("a later list is refused: a limit of the source may explain it")
		}
		for _, f := range l.Flaws {
			r.AddBreach(at, f.Message, f.Want, f.Got)
		}
		if l.More != "" {
			r.Breaches = append(r.Breaches, verdict.Breach{
				Message: "the list indicates that more follows", Want: "every manifest in one answer",
				Got:  "the member " + l.More + " beside the list",
				Hint: "list() has no parameter that could request the next page", Entries: at,
			})
		}
		if !l.Empty() {
			r.Judged++
		}
	}
	if len(r.Breaches) == 0 && r.open == nil {
		r.open = j.listed()
	}
	return r.conclude(j.listed())
}

// stimulusDiscovery is the stimulus of the engine with which a run begins.
const stimulusDiscovery = "discovery"

// PairsUnique judges CAP-CAP-02: no list contains a pair of id and version twice.
func (j lists) PairsUnique() verdict.Verdict {
	r := j.newVerdict()
	same := map[record.Tick]bool{}
	for _, l := range j.Lists() {
		if same[l.Same] {
			continue
		}
		same[l.Same] = true
		places := map[history.Ref]string{}
		for _, el := range l.Elements {
			pair := el.Ref()
			if pair.ID == "" || pair.Version == "" {
				continue
			}
			r.Judged++
			if first, twice := places[pair]; twice {
				r.AddBreach([]record.Tick{l.Entry}, "a pair of id and version is listed twice", "each pair once",
					fmt.Sprintf("%s at %s and at %s of the list", pair, first, el.Pointer()))
			}
			places[pair] = el.Pointer()
		}
	}
	return r.conclude(j.listed())
}

// NothingLeftOut judges CAP-DIS-01 for pairs that describe or invoke knows: they must be listed.
// The pair is requested between two lists, since it may have been registered after the first. A
// source that describes any version of an id proves nothing here.
func (j lists) NothingLeftOut() verdict.Verdict {
	r := j.newVerdict()
	for _, l := range j.Lookups() {
		r.Judged++
		if !l.Own() || l.Settles() || !j.leftOut(l.Asked, &l.Call) {
			continue
		}
		b := verdict.Breach{
			Message: "describe knows a pair that the list omits", Want: "every capability of the source in the list",
			Got: l.Asked.String() + " is described and not listed", Entries: []record.Tick{l.Entry},
		}
		again := j.LookupsConfirming(l.Entry)
		if len(again) == 0 {
			r.addDoubt(b, history.Hidden)
			continue
		}
		if j.knownBetween(l.Entry, l.Asked) {
			r.Breaches = append(r.Breaches, b)
		}
	}
	j.runsNothingUnlisted(r)
	return r.conclude(j.listed())
}

// leftOut reports whether the lists before and after a call lack a pair. It is false if a listed
// capability declares compatibility with the pair, or if the capability has another reference now.
func (j lists) leftOut(ref history.Ref, c *history.Call) bool {
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
func (j lists) knownBetween(entry record.Tick, ref history.Ref) bool {
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

// runsNothingUnlisted finds unlisted versions that invoke knows. The control is that random
// references are NOT_FOUND.
func (j lists) runsNothingUnlisted(r *pendingVerdict) {
	for _, a := range j.Of(history.UnlistedInvoked) {
		if a.About[history.AboutForm] != "" && !a.FailedWith(history.NotFound) {
			return // it knows a random reference: CAP-ERR-01 judges that
		}
	}
	for _, a := range j.Of(history.Neighbours) {
		if !a.KnowsPair() || !j.leftOut(a.Asked, &a.Call) {
			continue
		}
		b := verdict.Breach{
			Message: "invoke knows a pair that the list omits",
			Want:    "every capability of the source in the list, or NOT_FOUND for " + a.Asked.String(), Got: a.Got,
			Entries: []record.Tick{a.Entry},
		}
		if len(j.Confirming(a.Entry)) == 0 {
			r.addDoubt(b, history.Hidden)
		} else if j.knownBetween(a.Entry, a.Asked) {
			r.Breaches = append(r.Breaches, b)
		}
	}
}

// OperationsProvided judges CAP-DIS-03: list, describe and invoke are provided.
func (j lists) OperationsProvided() verdict.Verdict {
	r := j.newVerdict()
	absent := func(op string, c *history.Call) {
		if c.Absent {
			r.AddBreach([]record.Tick{c.Entry}, op+" is not provided", "the operation "+op, c.Got)
		}
	}
	described, judged := false, false
	for _, l := range j.Lists() {
		absent(history.OpList, &l.Call)
	}
	for _, l := range j.Lookups() {
		absent(history.OpDescribe, &l.Call)
		described = described || l.Own()
	}
	for _, a := range j.Attempts() {
		absent(history.OpInvoke, &a.Call)
		judged = judged || a.HasResult()
	}
	switch {
	case j.listed() != nil:
		r.open = j.listed()
	case !described:
		r.open = j.noDescription()
	case !judged:
		r.open = verdict.Undecided("no invocation was answered with an InvokeResult: see CAP-INV-01")
		if err := firstLost(j.Attempts()); err != nil {
			r.open = err
		}
	default:
		r.Judged++
	}
	return r.conclude(nil)
}
