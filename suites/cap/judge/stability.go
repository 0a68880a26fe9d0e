package judge

import (
	"maps"
	"slices"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

var stabilitySentences = []verdict.Sentence[lists]{
	verdict.Say(`a replaced pair is unknown and its replacement is validated against its own manifest`,
		lists.NewContractHolds),
	verdict.Say(`no handler is executed for an input that breaks its schema`, lists.NothingExecuted),
	verdict.Say(`each capability keeps its reference`, lists.ReferencesStable),
	verdict.Say(`each capability keeps its reference after a restart`, lists.ReferencesSurvive),
}

// listings returns the first list of the run, and those of ListedAgain.
func (j lists) listings() []*history.Listing {
	return slices.DeleteFunc(j.ListsOf(stimulusDiscovery, history.ListedAgain),
		func(l *history.Listing) bool { return !l.Readable() })
}

// ReferencesStable judges CAP-FC-01: each capability keeps its reference. A source may add and
// remove capabilities during the run; those that it keeps must keep their references.
func (j lists) ReferencesStable() verdict.Verdict {
	r := j.newVerdict()
	lists := j.listings()
	if len(lists) < 2 {
		return r.conclude(firstOf(j.listed(), j.Conclusion(history.ListedAgain), lostLists(j.Lists()),
			verdict.Undecided("the source was listed only once")))
	}
	r.Judged = len(lists[0].Capabilities)
	last := lists[len(lists)-1]
	for _, ref := range unstablePairs(lists) {
		b := verdict.Breach{
			Message: "a reference appears and disappears between lists", Want: "the same pairs in each list",
			Got: ref.String() + " is in some of the lists only", Entries: []record.Tick{last.Entry, lists[0].Entry},
		}
		switch hidden, tested := j.hiddenInSome(ref); {
		case !tested:
			r.Doubts = append(r.Doubts, verdict.Doubt{Breach: b, Settle: verdict.Settle{
				Stimulus: history.Flickering, Of: last.Entry, About: map[string]string{"id": ref.ID, "version": ref.Version},
			}})
		case hidden:
			r.Breaches = append(r.Breaches, b)
		}
	}
	renamings, was, now := 0, history.Ref{}, history.Ref{}
	for i := range lists[1:] {
		for _, ref := range missing(lists[i], lists[i+1]) {
			if s := renamed(lists[i].Find(ref), lists[i], lists[i+1]); s != nil {
				renamings, was, now = renamings+1, ref, s.Ref()
				break
			}
		}
	}
	if renamings > 1 { // one of them is a new release that replaced the other
		r.AddBreach([]record.Tick{last.Entry, lists[0].Entry}, "a capability changes its reference during the run",
			was.String()+" as in the list before", now.String()+" with the same manifest otherwise")
	}
	if gone := missing(lists[0], last); len(gone) > 0 {
		r.open = verdict.Undecided("the source changed during the run: %s is no longer listed", gone[0])
	}
	return r.conclude(j.listed())
}

func lostLists(all []*history.Listing) error {
	for _, l := range all {
		if l.Unanswered() {
			return l.Lost
		}
	}
	return nil
}

// hiddenInSome distinguishes a reference that some lists omit although the source knows it at that
// time from a reference that is removed and added again.
func (j lists) hiddenInSome(ref history.Ref) (hidden, tested bool) {
	const enough = 2
	seen := 0
	for _, l := range j.ListsOf(history.Flickering) {
		tested = tested || l.About["id"] == ref.ID && l.About["version"] == ref.Version
	}
	for _, l := range j.LookupsOf(history.Flickering) {
		if before := j.before(l.Entry); l.Asked == ref && l.Own() && before != nil && before.Find(ref) == nil {
			seen++
		}
	}
	return seen >= enough, tested
}

// unstablePairs returns the pairs whose presence changes more than once.
func unstablePairs(lists []*history.Listing) []history.Ref {
	var found []history.Ref
	seen := map[record.Tick]bool{}
	for _, l := range lists {
		if seen[l.Same] {
			continue
		}
		seen[l.Same] = true
		for _, ref := range l.Pairs() {
			changes := 0
			for i := range lists[1:] {
				if lists[i].Same != lists[i+1].Same && (lists[i].Find(ref) == nil) != (lists[i+1].Find(ref) == nil) {
					changes++
				}
			}
			if changes > 1 && !slices.Contains(found, ref) {
				found = append(found, ref)
			}
		}
	}
	return found
}

// missing returns the pairs of a list that a later one lacks.
func missing(before, after *history.Listing) []history.Ref {
	if before.Same == after.Same {
		return nil
	}
	return slices.DeleteFunc(before.Pairs(), func(ref history.Ref) bool { return after.Find(ref) != nil })
}

// renamed finds the capability in the later list that equals the given one except for its
// reference.
func renamed(was *history.RawManifest, before, after *history.Listing) *history.RawManifest {
	old := was.Manifest()
	for _, candidate := range after.Capabilities {
		if before.Find(candidate.Ref()) != nil {
			continue
		}
		if is := candidate.Manifest(); sameApartFromRef(old, is) && sameApartFromRef(is, old) {
			return candidate
		}
	}
	return nil
}

// sameApartFromRef reports whether each member of one manifest except its reference is the same in
// another. A name that is the id belongs to the reference.
func sameApartFromRef(a, b history.Manifest) bool {
	named := func(m history.Manifest) bool { return m[history.MemberName] == m[history.MemberID] }
	for member := range a {
		if member == history.MemberName && named(a) && named(b) {
			continue
		}
		if member != history.MemberID && member != history.MemberVersion && !jsonvalue.Equal(a[member], b[member]) {
			return false
		}
	}
	return true
}

// ReferencesSurvive judges CAP-FC-01 over a restart: it compares the list after it with those
// before. A pair that was added only shortly before need not be present again.
func (j lists) ReferencesSurvive() verdict.Verdict {
	r := j.newVerdict()
	step := func(name string) []*history.Listing {
		return slices.DeleteFunc(j.ListsOf(history.Restart), func(l *history.Listing) bool {
			return l.About[history.AboutStep] != name || !l.Readable()
		})
	}
	before, after := step(history.StepBefore), step(history.StepAfter)
	if len(before) == 0 || len(after) == 0 {
		return r.conclude(firstOf(j.Conclusion(history.Restart), lostLists(j.ListsOf(history.Restart)),
			verdict.Undecided("the source was not listed around a restart")))
	}
	r.Judged++
	for _, ref := range missing(before[0], after[0]) {
		if j.First().Find(ref) == nil || slices.ContainsFunc(after,
			func(l *history.Listing) bool { return l.Find(ref) != nil }) {
			continue
		}
		r.AddBreach([]record.Tick{after[0].Entry, before[0].Entry}, "a reference does not survive a restart",
			"every pair that was listed before", ref.String()+" is no longer listed")
	}
	return r.conclude(nil)
}

// NewContractHolds judges CAP-DIS-06: whatever is cached, an invocation is validated against the
// current manifest. CAP-DIS-05 permits a describe from a cache. A source that serves any version
// of the id proves nothing here: CAP-ERR-01 judges that.
func (j lists) NewContractHolds() verdict.Verdict {
	r := j.newVerdict()
	step := func(name string) []*history.Attempt {
		return slices.DeleteFunc(j.Of(history.Replaced),
			func(a *history.Attempt) bool { return a.About[history.AboutStep] != name })
	}
	foreign := func(a *history.Attempt) bool {
		return slices.ContainsFunc(step(history.StepForeign), func(f *history.Attempt) bool {
			return f.Asked.ID == a.Asked.ID && f.Succeeded() && jsonvalue.Equal(history.Value(f.Input),
				history.Value(a.Input))
		})
	}
	for _, a := range step(history.StepOld) {
		if after := j.after(a.Done); a.Succeeded() && !foreign(a) && (after == nil || after.Find(a.Asked) == nil) {
			r.AddBreach([]record.Tick{a.Entry}, "a pair that was replaced can still be invoked",
				"NOT_FOUND for "+a.Asked.String(),
				a.Got)
		}
	}
	for _, a := range step(history.StepNew) {
		if a.FailedWith(history.InvalidInput) && !a.RefusedWithDoubt() {
			r.addSuspected(suspectedBreach{
				attempt: a, message: "an input that the new manifest permits is refused",
				want: "a success of " + a.Asked.String() + " for " + jsonvalue.Clip(string(a.Input)),
			})
		}
	}
	for _, a := range step(history.StepOldWith) {
		switch {
		case a.Succeeded() && j.othersValidate():
			r.addSuspected(suspectedBreach{
				attempt: a, message: "an input that only the old manifest permits is accepted",
				want: "INVALID_INPUT of " + a.Asked.String() + " for " + jsonvalue.Clip(string(a.Input)),
			})
		case a.Unsuccessful():
			r.Judged++
		}
	}
	return r.conclude(firstOf(j.Conclusion(history.Replaced), firstLost(j.Of(history.Replaced)),
		verdict.Undecided("no input distinguishes the old manifest from the new one, or nothing is validated: see CAP-INV-02")))
}

// othersValidate reports whether some capability refused every invalid input: the control.
func (j lists) othersValidate() bool {
	took := map[history.Ref]bool{}
	for _, a := range j.Of(history.Invalid) {
		took[a.Asked] = took[a.Asked] || a.BrokenKeyword() != "" && a.Succeeded()
	}
	for _, accepts := range took {
		if !accepts {
			return true
		}
	}
	return false
}

// NothingExecuted judges CAP-INV-03, measured by a counter: no handler is executed for an input
// that breaks its schema. Other callers may use the source at the same time, so a count must
// repeat in several rounds.
func (j lists) NothingExecuted() verdict.Verdict {
	const enough = 2
	r := j.newVerdict()
	rounds := map[string][]*history.Attempt{}
	for _, a := range j.Of(history.Counted) {
		rounds[a.About[history.AboutRound]] = append(rounds[a.About[history.AboutRound]], a)
	}
	var entries []record.Tick
	for _, round := range slices.Sorted(maps.Keys(rounds)) {
		ran, err := history.Executions(rounds[round])
		switch {
		case err != nil:
			r.open = err
		case ran == 0:
			r.Judged++
		default:
			entries = append(entries, firstRepeat(rounds[round]))
		}
	}
	if len(entries) > enough && r.Judged == 0 {
		r.AddBreach(entries, "a handler is executed for an input that fails validation", "no execution for invalid inputs",
			"the counter increases with each invalid input")
	}
	if r.Judged > 0 {
		r.open = nil
	} else if len(entries) > 0 && r.open == nil {
		r.open = verdict.Undecided("the counter increases only in some rounds")
	}
	return r.conclude(firstOf(j.Conclusion(history.Counted), j.noRefusal()))
}

func firstRepeat(round []*history.Attempt) record.Tick {
	i := slices.IndexFunc(round,
		func(a *history.Attempt) bool { return a.About[history.AboutStep] == history.StepRepeat })
	return round[max(i, 0)].Entry
}
