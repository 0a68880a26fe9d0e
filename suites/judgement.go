package suites

import (
	"cmp"
	"context"
	"slices"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/record"
)

// Verdict is what a judgement says of a record (DESIGN section 5). A judgement is a pure
// function: whoever judges the same entries again gets the same verdict.
type Verdict struct {
	Judged   int      // how many objects it was about
	Breaches []Breach // every place where the requirement is broken
	Doubts   []Doubt  // places that cannot be decided yet
	// Open says why it decides nothing, if there is no breach: an *Inconclusive, a
	// *NotApplicable or the error of a call. A verdict about nothing needs no reason.
	Open error
}

// Broken adds a place where the requirement is broken. The text got stands as it is, any
// other value as JSON.
func (v *Verdict) Broken(entries []record.Tick, message, want string, got any) {
	v.Breaches = append(v.Breaches, Breach{Message: message, Want: want, Got: said(got), Entries: entries})
}

// Doubtful adds a place that is broken unless what settles it shows otherwise.
func (v *Verdict) Doubtful(settle Settle, entries []record.Tick, message, want string, got any) {
	breach := Breach{Message: message, Want: want, Got: said(got), Entries: entries}
	v.Doubts = append(v.Doubts, Doubt{Breach: breach, Settle: settle})
}

// Otherwise returns the verdict. One that is about nothing is open, for the reason why.
func (v *Verdict) Otherwise(why error) Verdict {
	if v.Judged == 0 && len(v.Breaches) == 0 && v.Open == nil {
		v.Open = why
	}
	return *v
}

// Holds returns the verdict of a judgement that holds also where it is about nothing.
func (v *Verdict) Holds() Verdict {
	v.Judged++
	return *v
}

func said(got any) string {
	if s, is := got.(string); is {
		return s
	}
	return Print(got)
}

// Breach is one place where a record shows that a requirement is broken.
type Breach struct {
	Message string // its kind: the same in every run on the same defect, so no id, time or port
	Want    string
	Got     string
	Hint    string
	// Entries show it, by Begun. The breach belongs to the first: see yields_to in
	// DESIGN section 4.
	Entries []record.Tick
	Worse   int // kinds with a greater number are reported first
}

// Doubt is a place that may be a breach. It is one unless what settles it shows otherwise.
type Doubt struct {
	Breach Breach
	Settle Settle
}

// Settle names the stimulus that settles a doubt.
type Settle struct {
	Stimulus string
	About    map[string]string
	Of       record.Tick // Begun of the entry that the doubt is about
}

// Settler is an Examination that performs stimuli to settle doubts. It leaves entries
// that are linked to the doubtful ones by record.Confirms.
type Settler interface {
	Settle(ctx context.Context, sc *Scenario, what []Settle)
}

// Bounds of what doubts may cost.
const (
	settledAtMost  = 32 // doubts of one judgement
	settlingRounds = 3
)

// Judge runs a judgement. A breach ends no scenario: what its further sentences judge
// counts too, and the engine decides at the end to which requirement a breach belongs.
// The error is nil but for a defect of the harness.
func (s *Scenario) Judge(ctx context.Context, judgement func() Verdict) error {
	v := s.read(judgement)
	settler, settles := s.run.examination.(Settler)
	for range settlingRounds {
		if len(v.Doubts) == 0 || !settles || s.run.past != nil || ctx.Err() != nil {
			break
		}
		var what []Settle
		for _, d := range v.Doubts[:min(len(v.Doubts), settledAtMost)] {
			what = append(what, d.Settle)
		}
		settler.Settle(ctx, s, what)
		v = s.read(judgement)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.verdicts = append(s.verdicts, v)
	return nil
}

// read runs a judgement, and notes on which mappings its verdict rests.
func (s *Scenario) read(judgement func() Verdict) Verdict {
	reader, reads := s.run.examination.(Reader)
	if !reads {
		return judgement()
	}
	v, mappings := reader.Reads().during(judgement)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mappings = append(s.mappings, mappings...)
	return v
}

// breaches gives all of a scenario, in the order of its sentences.
func (s *Scenario) breaches() []Breach {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Breach
	for _, v := range s.verdicts {
		all = append(all, v.Breaches...)
	}
	return all
}

// open gives the error of verdicts without a breach, nil if they hold.
func (s *Scenario) open() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range s.verdicts {
		switch {
		case v.Open != nil:
			return v.Open
		case len(v.Doubts) > 0:
			return Undecided("%s, or so it seems; nothing in the record settles it", v.Doubts[0].Breach.Message)
		case v.Judged == 0 && len(v.Breaches) == 0:
			return Undecided("nothing was observed that this is about")
		}
	}
	return nil
}

// kinds groups breaches by message, the worst and then the most frequent first.
func kinds(all []Breach) []reports.FailureKind {
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

// worst gives a breach of the kind that is reported first.
func worst(all []Breach) Breach {
	first := kinds(all)[0].Message
	return all[slices.IndexFunc(all, func(b Breach) bool { return b.Message == first })]
}

// judge gives a scenario the status that its verdicts mean.
func (rec *caseResult) judge(s *Scenario, breaches []Breach) {
	rec.exchanges, rec.kinds, rec.left = nil, nil, breaches
	if len(breaches) == 0 {
		rec.status, rec.err = reports.Passed, nil
		if err := s.open(); err != nil {
			rec.end(err)
		}
		return
	}
	b := worst(breaches)
	rec.kinds = kinds(breaches)
	rec.end(&Violation{Message: b.Message, Want: b.Want, Got: b.Got, Hint: b.Hint})
	for _, begun := range b.Entries {
		if exchange, ok := s.run.exchangeOf(begun); ok {
			rec.exchanges = append(rec.exchanges, exchange)
		}
	}
}
