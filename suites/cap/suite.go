// Package capsuite is the suite of CAP, the Capability Protocol Profile: what a
// capability source must do, observed from outside, and what its documents must contain.
//
// Its parts have the same names as those of the other suites:
//
//	spec/cap.yaml, features/cap/   the requirements of CAP, and their scenarios
//	suite.go, role.go              operations, actors and roles
//	examination.go                 the first look at a source, before the scenarios
//	history/                       the record, read as the objects of CAP
//	act/                           the stimuli, named after what they provoke
//	judge/                         what rules read of a history: kinds of objects, and functions
//	rules/                         the judgements with their sentences, as data
//	adapter*.go                    CAP over a plain MCP server
//	document_recognition.go        which files belong to CAP
//	document_inspection.go         which actors wrote them
//	document_reading.go            all of them, read once and judged
//	document_rules.go              the requirements on them, with their sentences
//	schemas/cap/                   the schemas of its objects
//	reference/caphost/             a conforming source
//	reference/caphost/mutant/      sources and documents with one defect
//
// Inputs are generated in these amounts: each keyword is broken once per capability, and at five further places per
// run. A value of one type for another is tried once per run, any other way twice. A kind of valid input at a limit is
// tried twice per capability and four times per run.
package capsuite

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/cap/act"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/cap/judge"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/lint"
	"github.com/capconform/capconform/suites/live"
)

// Definition returns the definition of the suite.
func Definition() suites.Definition {
	cache := &instance.Cache{}
	return suites.Definition{
		Name:       "cap",
		Operations: []string{history.OpList, history.OpDescribe, history.OpInvoke},
		Probes:     []driver.Operation{listOperation()},
		Roles:      roles(),
		Fixtures:   []string{act.Replaceable},
		Uses:       uses(),
		Examine: func(ctx context.Context, subject *suites.Subject, session *live.Gate) (suites.Examination, error) {
			return examineSource(ctx, subject, session, cache)
		},
		Plain:      plainServer,
		Recognises: Recognises,
		Inspect:    inspectDocuments,
		Sentences: func(voc suites.Vocabulary) {
			(&examination{judge: judge.New(nil)}).Steps(voc, &suites.Scenario{})
			lint.Examine(documentVocabulary(), suites.Profile{}, nil).Steps(voc, nil)
		},
	}
}
