package chpsuite

import (
	"embed"
	"errors"
	"io/fs"
	"sync"

	"github.com/capconform/capconform/suites/chp/judge"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/verdict"
)

//go:embed rules/*.yaml
var ruleFiles embed.FS

// ruleSentences returns the sentences of the rules. It is empty if a file is broken, which rules reports.
var ruleSentences = sync.OnceValue(func() []verdict.Sentence[*judge.Judge] {
	all, err := rules()
	if err != nil {
		return nil
	}
	return rule.Sentences(all, (*judge.Judge).View)
})

// rules returns the rules of CHP. An error means that one of their files is broken.
var rules = sync.OnceValues(func() (*rule.Set, error) {
	var all rule.Set
	var errs []error
	names, err := fs.Glob(ruleFiles, "rules/*.yaml")
	errs = append(errs, err)
	for _, name := range names {
		data, err := ruleFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		set, err := rule.Load("suites/chp/"+name, data, judge.Vocabulary())
		errs = append(errs, err)
		if set != nil {
			all.Rules = append(all.Rules, set.Rules...)
		}
	}
	return &all, errors.Join(errs...)
})
