package rule

import "github.com/capconform/capconform/suites/verdict"

// Sentences returns the sentences of the rules, for the steps of a suite. The function view returns the view of the
// history as it is now.
func Sentences[J any](s *Set, view func(J) *View) []verdict.Sentence[J] {
	var all []verdict.Sentence[J]
	for _, r := range s.Rules {
		expression := r.Expression()
		decide := func(j J, words ...string) verdict.Verdict { return r.Judge(view(j), words) }
		switch len(r.Parameters()) {
		case 0:
			all = append(all, verdict.Say(expression, func(j J) verdict.Verdict { return decide(j) }))
		case 1:
			all = append(all, verdict.SayOf(expression, func(j J, a string) verdict.Verdict { return decide(j, a) }))
		case 2:
			all = append(all, verdict.SayOfTwo(expression, func(j J, a, b string) verdict.Verdict { return decide(j, a, b) }))
		default:
			all = append(all,
				verdict.SayOfThree(expression, func(j J, a, b, c string) verdict.Verdict { return decide(j, a, b, c) }))
		}
	}
	return all
}
