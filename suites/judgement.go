package suites

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/verdict"
)

// Settler is an Examination that performs stimuli to settle doubts. It records entries that are
// linked to the doubtful entries by record.Confirms.
type Settler interface {
	Settle(ctx context.Context, sc *Scenario, what []verdict.Settle)
}

// The bounds of the cost of settling doubts.
const (
	maxSettled     = 32 // doubts of one judgement in each round
	settlingRounds = 3
)

// Judge runs a judgement and keeps its verdict. A breach does not end the scenario: the verdicts of
// its further sentences count too, and the engine decides at the end to which requirement each
// breach belongs. The error is nil except for a defect of the harness.
func (s *Scenario) Judge(ctx context.Context, judgement func() verdict.Verdict) error {
	v := s.read(judgement)
	settler, settles := s.shared.examination.(Settler)
	for range settlingRounds {
		if len(v.Doubts) == 0 || !settles || s.shared.recorded != nil || ctx.Err() != nil {
			break
		}
		var what []verdict.Settle
		for _, d := range v.Doubts {
			if len(what) < maxSettled && !slices.ContainsFunc(what, d.Settle.Equal) { // one call may settle several doubts
				what = append(what, d.Settle)
			}
		}
		settler.Settle(ctx, s, what)
		v = s.read(judgement)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.verdicts = append(s.verdicts, v)
	return nil
}

// read runs a judgement and notes the mappings on which its verdict rests.
func (s *Scenario) read(judgement func() verdict.Verdict) verdict.Verdict {
	reader, reads := s.shared.examination.(reading.Reader)
	if !reads {
		return judgement()
	}
	v, mappings := reader.Reads().RunJudgement(judgement)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mappings = append(s.mappings, mappings...)
	return v
}

// breaches returns all breaches of the scenario, in the order of its sentences.
func (s *Scenario) breaches() []verdict.Breach {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []verdict.Breach
	for _, v := range s.verdicts {
		all = append(all, v.Breaches...)
	}
	return all
}

// open returns the reason why verdicts without a breach decide nothing, or nil if they hold.
func (s *Scenario) open() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range s.verdicts {
		switch {
		case v.Open != nil:
			return v.Open
		case len(v.Doubts) > 0:
			return verdict.Undecided("%s, or so it seems; nothing in the record settles it", v.Doubts[0].Breach.Message)
		case v.Judged == 0 && len(v.Breaches) == 0:
			return verdict.Undecided("nothing was observed that this is about")
		}
	}
	return nil
}

// kinds groups breaches by message. The worst kinds come first, and among equals the most frequent.
func kinds(all []verdict.Breach) []reports.FailureKind {
	type group struct {
		reports.FailureKind
		worse int
	}
	var groups []*group
	for _, b := range all {
		i := slices.IndexFunc(groups, func(g *group) bool { return g.Message == b.Message })
		if i < 0 {
			kind := reports.FailureKind{Message: b.Message, Want: b.Want, Got: b.Got}
			groups = append(groups, &group{FailureKind: kind})
			i = len(groups) - 1
		}
		groups[i].Count++
		groups[i].worse = max(groups[i].worse, b.Worse)
	}
	slices.SortStableFunc(groups, func(a, b *group) int {
		return cmp.Or(cmp.Compare(b.worse, a.worse), cmp.Compare(b.Count, a.Count))
	})
	var list []reports.FailureKind
	for _, g := range groups {
		list = append(list, g.FailureKind)
	}
	return list
}

// findingsOf returns the places of breaches in documents, ordered by file, line and column, without repetition and at
// most maxFindings.
func findingsOf(all []verdict.Breach) []reports.Finding {
	var found []reports.Finding
	for _, b := range all {
		if b.Finding != nil {
			found = append(found, *b.Finding)
		}
	}
	slices.SortStableFunc(found, func(a, b reports.Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	found = slices.Compact(found)
	return found[:min(len(found), maxFindings)]
}

// maxFindings is the number of places in documents that a report shows for one requirement.
const maxFindings = 100

// worst returns a breach of the kind that is reported first. The list must not be empty.
func worst(all []verdict.Breach) verdict.Breach {
	first := kinds(all)[0].Message
	return all[slices.IndexFunc(all, func(b verdict.Breach) bool { return b.Message == first })]
}

// Register registers the sentences for one scenario. The argument by is the receiver of their
// judgements.
func Register[J any](voc Vocabulary, sc *Scenario, by J, all []verdict.Sentence[J]) {
	for _, s := range all {
		voc.Step(s.Expression(), s.Handler(by, sc.Judge))
	}
}
