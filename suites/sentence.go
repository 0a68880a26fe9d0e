package suites

import "github.com/capconform/capconform/suites/verdict"

// Register registers the sentences for one scenario. by is the receiver of their judgements.
func Register[J any](voc Vocabulary, sc *Scenario, by J, all []verdict.Sentence[J]) {
	for _, s := range all {
		voc.Step(s.Expression(), s.Handler(by, sc.Judge))
	}
}
