package rule

import (
	"cmp"

	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// Facts are an object whose members were collected one by one. A member that is not among them is null, and a *Gap is
// not known.
type Facts map[string]any

// KindOfFacts describes objects that no history keeps: a reading in one pass gives each to Set.JudgeFacts.
func KindOfFacts(name string, members ...string) *Kind {
	none := func(any) []*Facts { return nil }
	k := NewKind(name, none, func(*Facts) []record.Tick { return nil })
	for _, m := range members {
		k.members[m] = Value(m, func(f *Facts) any { return (*f)[m] })
	}
	return k
}

// JudgeFacts is JudgeOne for facts.
func (s *Set) JudgeFacts(v *Vocabulary, kind string, facts Facts, found func(*Rule, verdict.Verdict)) {
	s.JudgeOne(v, kind, &facts, found)
}

// JudgeOne evaluates each rule about a kind of the vocabulary on one object alone. The rules have no parameters. The
// function found receives the breaches of a rule, or the reason in Open why a gap or the budget leaves it undecided.
func (s *Set) JudgeOne(v *Vocabulary, kind string, x any, found func(*Rule, verdict.Verdict)) {
	view := NewView(v, nil, &reading.Reading{}, nil)
	view.kinds[kind] = []*object{view.object(v.kinds[kind], x)}
	for _, r := range s.Rules {
		if r.Each[0].source.Value != kind {
			continue
		}
		p, err := r.compiled()
		e := newEvaluation(r, p, view)
		if e.stopped = err; err == nil {
			e.each(0, nil)
		}
		if open := cmp.Or(e.stopped, e.blocked); open != nil || len(e.verdict.Breaches) > 0 {
			found(r, verdict.Verdict{Breaches: e.verdict.Breaches, Open: open})
		}
	}
}
