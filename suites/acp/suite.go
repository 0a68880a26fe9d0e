// Package acpsuite is the suite of ACP, the Agent Capability Package (NIP-7 of 2025-05-18, now NIP-5):
// what a package must contain, and how a router with its runtime, a registry, an indexing service and a
// publisher must process it.
//
// Its parts have the same names as those of the other suites:
//
//	spec/acp.yaml, features/acp/   what ACP requires, and the scenarios that show it
//	suite.go, actors.go            actors and operations
//	ADAPTER.md                     the operations, for authors of adapters
//	discovery.go                   the first calls, before the scenarios
//	examination.go                 what is known about a subject, live or from a record
//	history/                       the record read as packages, turns and objects
//	judge/                         the judgements, each file with the sentences that name them
//	act/, act/router/              the stimuli: those that all actors share, and those of a router
//	sample/                        the packages that the suite makes
//	environment/                   the test doubles for a router; each exchange is an entry of the record
//	document/                      the judgements on packages as files: reading.go reads all packages once, judge.go
//	                               judges each by its sections, rule.go lists the requirements with their sentences
//	schemas/acp/                   the schemas of its objects
//	reference/acphost/             a conforming router, registry, publisher and index
//	reference/acphost/mutant/      subjects and packages with one defect
package acpsuite

import (
	"context"
	"fmt"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/act/router"
	acpdocument "github.com/capconform/capconform/suites/acp/document"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/lint"
	"github.com/capconform/capconform/suites/live"
)

// The actors of ACP, as the catalogue names them.
const (
	actorPackage   = acpdocument.Actor
	actorRouter    = "router"
	actorRuntime   = "runtime"
	actorPublisher = "publisher"
	actorRegistry  = "registry"
	actorIndex     = "index"
)

// Definition returns the suite. The test doubles of all its runs listen on one address.
func Definition() suites.Definition {
	surroundings := &environment.Environment{}
	return suites.Definition{
		Name:       "acp",
		Operations: operations(),
		Changes:    []string{opConfigure, opInstall, opUninstall, opMessage, opAuthor, opPublish},
		Probes:     probes(),
		Roles:      []live.Role{router.Confined()},
		StartTestDoubles: func() (suites.TestDoubles, error) {
			run, err := surroundings.Open()
			if err != nil {
				return suites.TestDoubles{}, fmt.Errorf("acpsuite: %w", err)
			}
			return suites.TestDoubles{Variables: run.Configuration().Variables(), Closer: run}, nil
		},
		Examine: func(ctx context.Context, subject *suites.Subject, session *live.Gate) (suites.Examination, error) {
			return examineSubject(ctx, subject, session, surroundings)
		},
		Recognises: acpdocument.Recognises,
		Foreign:    acpdocument.Foreign,
		Inspect:    acpdocument.Inspect,
		Sentences: func(voc suites.Vocabulary) {
			(&examination{}).Steps(voc, &suites.Scenario{})
			lint.Examine(acpdocument.Vocabulary(), suites.Profile{}, nil).Steps(voc, nil)
		},
	}
}
