package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// indexSentences are the sentences of the judgements in this file.
var indexSentences = []verdict.Sentence[documents]{
	verdict.Say(
		`the list of each manifest matches the registry`,
		func(j documents) verdict.Verdict { return j.IndexFollows(false) }),
	verdict.Say(
		`each manifest and the registry agree in both directions`,
		func(j documents) verdict.Verdict { return j.IndexFollows(true) }),
}

// listedIDs returns the ids that a manifest lists.
func listedIDs(manifest *history.Call) []string {
	return jsonvalue.Texts(history.Member(manifest.Value, "capabilities.list"))
}

// IndexFollows judges whether each manifest lists the entries of the registry. If truly is true, for the exemplar,
// an entry that is enabled again must return to the list.
func (j documents) IndexFollows(truly bool) verdict.Verdict {
	r, usable := j.both()
	if !usable {
		return *r
	}
	if !j.Registry().Listed {
		return r.OpenUnlessJudged(j.NoEntries())
	}
	for _, m := range j.shown() {
		if m.IsConfirmation() {
			continue
		}
		r.Judged++
		must, may := indexable(j.Registry())
		missing, _ := differing(must, listedIDs(m))
		_, more := differing(may, withoutCopies(listedIDs(m)))
		if len(missing)+len(more) > 0 {
			j.confirmIndexDifference(r, m)
		}
		for _, s := range j.statesAt(m) {
			if !truly {
				j.copyIndexed(r, m, s)
			} else {
				j.copyAdvertised(r, m, s)
			}
		}
	}
	if !truly && r.Open == nil && len(r.Breaches) == 0 && j.Conclusion(history.Indexed) != nil {
		r.Open = j.Conclusion(history.Indexed)
	}
	return *r
}

// withoutCopies omits the copies of any run.
func withoutCopies(ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), history.IsCopyID)
}

// indexable returns the ids that an index must list, and those that it may list.
func indexable(whole *history.Call) (must, may []string) {
	for _, i := range whole.Items {
		if i.ID == "" || history.IsCopyID(i.ID) {
			continue
		}
		may = append(may, i.ID)
		if i.Members != nil && !history.Hidden(i.Members) {
			must = append(must, i.ID)
		}
	}
	return must, may
}

// confirmIndexDifference confirms a difference between manifest and registry: other callers may change both.
func (j documents) confirmIndexDifference(r *verdict.Verdict, m *history.Call) {
	const want = "the ids of the enabled entries; those of scope internal and those that are disabled are optional"
	s := verdict.Settle{Stimulus: history.IndexAgain, Of: m.Entry}
	confirmations, at := j.Confirmations(s), []record.Tick{m.Entry}
	if len(confirmations) == 0 {
		must, may := indexable(j.Registry())
		missing, _ := differing(must, listedIDs(m))
		_, more := differing(may, withoutCopies(listedIDs(m)))
		r.AddDoubt(s, at, "the list of the manifest is not the index of the registry", want, difference(missing, more))
		return
	}
	lacks, has := map[string]int{}, map[string]int{}
	full := 0
	for _, answers := range confirmations {
		if !answers[0].Listed || !answers[2].Listed || !answers[1].Returned() {
			continue
		}
		full++
		before, mayBefore := indexable(answers[0])
		after, mayAfter := indexable(answers[2])
		now := listedIDs(answers[1])
		for _, id := range before {
			if slices.Contains(after, id) && !slices.Contains(now, id) {
				lacks[id]++
			}
		}
		for _, id := range slices.Compact(slices.Sorted(slices.Values(withoutCopies(now)))) {
			if !slices.Contains(mayBefore, id) && !slices.Contains(mayAfter, id) {
				has[id]++
			}
		}
	}
	for id, often := range lacks {
		if often == full {
			r.AddBreach(at, "an enabled entry of the registry is not in the manifest", want, id)
		}
	}
	for id, often := range has {
		if often == full {
			r.AddBreach(at, "the manifest lists a capability that is not registered", want, id)
		}
	}
}

// known returns the descriptor of a copy in the registry, or nil if it differs from the requested one.
func (j documents) known(s *history.State) history.Object {
	got, listed := j.readings(s)
	all := append(slices.Clone(got), listed...)
	if s.Given == nil || len(all) == 0 || !j.isEffective(s) {
		return nil
	}
	return all[len(all)-1].Shown
}

// copyIndexed judges whether a manifest lists a copy if, and only if, it must.
func (j documents) copyIndexed(r *verdict.Verdict, m *history.Call, s *history.State) {
	is, at := slices.Contains(listedIDs(m), s.ID), []record.Tick{m.Entry, s.Change.Entry}
	now := j.known(s)
	switch {
	case s.Given == nil && is && j.WasApplied(s):
		r.AddBreach(at, "a capability that was deleted is still in the manifest", "a list without it", m.Got())
	case now == nil || is || history.Hidden(now) || j.wasDisabled(s):
	case s.Created():
		r.AddBreach(at, "a capability that was created is not in the manifest", "its id in capabilities.list", m.Got())
	case s.Before != nil && history.Hidden(s.Before.Given):
		r.AddBreach(at, "a capability that is no longer internal is not in the manifest", "its id in capabilities.list",
			m.Got())
	}
}

// wasDisabled reports whether a copy was ever disabled.
func (j documents) wasDisabled(s *history.State) bool {
	for one := s.Before; one != nil; one = one.Before {
		if one.Given != nil && !history.Enabled(one.Given) {
			return true
		}
	}
	return false
}

// copyAdvertised judges whether the list contains a copy again after it was enabled. ACD-MAN-01 judges a list that
// never changes.
func (j documents) copyAdvertised(r *verdict.Verdict, m *history.Call, s *history.State) {
	now := j.known(s)
	if now == nil {
		return
	}
	if !slices.Contains(listedIDs(m), s.ID) && !history.Hidden(now) && j.wasDisabled(s) && j.indexListsCopies() {
		r.AddBreach([]record.Tick{m.Entry, s.Change.Entry}, "a capability that was enabled is not in the manifest",
			"its id in capabilities.list", m.Got())
	}
}

// indexListsCopies reports whether a manifest ever listed a copy.
func (j documents) indexListsCopies() bool {
	return slices.ContainsFunc(j.shown(), func(m *history.Call) bool {
		return slices.ContainsFunc(listedIDs(m), func(id string) bool {
			s := j.StateAt(id, m)
			return s != nil &&
				s.Created()
		})
	})
}
