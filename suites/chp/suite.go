// Package chpsuite is the suite of CHP, the Capability Host Protocol: what a capability host must do,
// observed from outside through invocation and replay, and what its descriptors and evidence logs must
// contain.
//
// Its parts have the same names as those of the other suites:
//
//	spec/chp.yaml, features/chp/   the requirements of CHP, and their scenarios
//	suite.go                       operations and routes
//	role.go                        the roles of capabilities
//	examination.go                 the first look at a host, before the scenarios
//	act/                           the stimuli: all calls of the suite
//	history/                       the record of a run, read as attempts, replays and events
//	judge/                         the judgements: pure functions of a history
//	document/                      files: which belong to CHP, who wrote them, and one reading that judges them
//	schemas/chp/                   the schemas of its objects, and their closed readings
//	0.2/, edition.go               the edition 0.2, which is data, and how a host chooses between the editions
//	0.1/                           what the edition 0.1 has beyond the draft
//	reference/chphost/             a conforming host
//	reference/chp2host/            a conforming host of the edition 0.2
//	reference/chphost/mutant/      hosts and documents with one defect
package chpsuite

import (
	"context"
	"net/http"
	"sync"

	"github.com/capconform/capconform/suites"
	chpdocument "github.com/capconform/capconform/suites/chp/document"
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/chp/judge"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/live"
)

// Definition returns the definition of the suite, in the edition Draft.
func Definition() suites.Definition { return definition(Draft) }

// definition returns the definition of the suite for an edition that is not a folder by itself.
func definition(edition string) suites.Definition {
	cache := &instance.Cache{}
	forms := sync.OnceValues(judge.CompileForms) // most commands do not need them
	return suites.Definition{
		Name:       "chp",
		Operations: []string{history.OpHost, history.OpCapabilities, history.OpInvoke, history.OpReplay},
		Probes:     []driver.Operation{{Name: history.OpHost, List: true}, {Name: history.OpCapabilities, List: true}},
		Routes:     routes(),
		Roles:      roles(),
		Uses:       uses(),
		Shows:      []string{history.OpCapabilities},
		Examine: func(ctx context.Context, subject *suites.Subject, session *live.Gate) (suites.Examination, error) {
			return examineHost(ctx, subject, session, cache, forms, edition)
		},
		Editions:   editions(),
		Recognises: chpdocument.Recognises,
		Inspect: func(subject *suites.Subject) (suites.Examination, error) {
			return chpdocument.Inspect(subject, forms)
		},
		Sentences: func(voc suites.Vocabulary) {
			(&examination{judge: judge.New(nil)}).Steps(voc, &suites.Scenario{})
			chpdocument.Steps(voc)
		},
	}
}

// routes returns the routes of the protocol's own HTTP binding, in which a processed invocation
// has status 200 whatever its outcome.
func routes() []driver.Route {
	return []driver.Route{
		{Operation: history.OpHost, Method: http.MethodGet, Path: "/host"},
		{Operation: history.OpCapabilities, Method: http.MethodGet, Path: "/capabilities"},
		{Operation: history.OpInvoke, Method: http.MethodPost, Path: "/invoke"},
		{Operation: history.OpReplay, Method: http.MethodPost, Path: "/replay"},
		{Operation: history.OpReplayByPath, Method: http.MethodGet, Path: "/replay/{correlation_id}"},
		suites.UndefinedRoute(),
	}
}
