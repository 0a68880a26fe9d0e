package capsuite

import (
	"sync"

	"github.com/capconform/capconform/suites/cap/judge"
	caprules "github.com/capconform/capconform/suites/cap/rules"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/verdict"
)

// ruleSentences returns the sentences of the rules. It is empty if a file is broken, which rules reports.
var ruleSentences = sync.OnceValue(func() []verdict.Sentence[*judge.Judge] {
	all, err := rules()
	if err != nil {
		return nil
	}
	return rule.Sentences(all, (*judge.Judge).View)
})

// rules returns the rules of CAP. An error means that one of their files is broken.
var rules = sync.OnceValues(func() (*rule.Set, error) { return caprules.OfRuns(judge.Vocabulary()) })
