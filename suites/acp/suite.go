// Package acpsuite is the suite of ACP, the Agent Capability Package (NIP-7 of
// 2025-05-18, now NIP-5): what a package must hold, and what a router with its
// runtime, a registry, an indexing service and a publisher must do with it.
//
// A newcomer finds its parts under the same names as those of the other suites:
//
//	spec/acp.yaml, features/acp/   what ACP demands, and the scenarios that show it
//	suite.go, actors.go            actors and operations
//	ADAPTER.md                     the operations, for who makes a subject speak them
//	discovery.go                   the first look at a subject, before the scenarios
//	examination.go                 what is known of a subject, live or by a record
//	sentences*.go                  the sentences that judge a whole run, a file for each actor
//	history/, judge/               the record read as packages, turns and objects, and the judgements on them
//	act/, act/router/              the stimuli: what all actors share, and those of a router
//	sample/                        the packages that the suite makes
//	environment/                   what is played to a router; each exchange is an entry of the record
//	document_recognition.go        which files are ours
//	document_inspection.go         who wrote them
//	document_reading.go            all of them, read once; package_*.go judge each
//	document_rules.go              the requirements on them, with their sentences
//	schemas/acp/                   the schemas of its objects, and their closed readings
//	reference/acphost/             a router, a registry and an index that do it right
//	reference/acphost/mutant/      subjects and packages with one defect
package acpsuite

import (
	"context"
	"fmt"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/act/router"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/lint"
	"github.com/capconform/capconform/suites/live"
)

// The parties that ACP obliges, as the catalogue names them.
const (
	actorPackage   = "package"
	actorRouter    = "router"
	actorRuntime   = "runtime"
	actorPublisher = "publisher"
	actorRegistry  = "registry"
	actorIndex     = "index"
)

// Definition gives the suite to the engine. What is played to the subjects of all
// its runs listens on one address.
func Definition() suites.Definition {
	surroundings := &environment.Environment{}
	return suites.Definition{
		Name:       "acp",
		Operations: operations(),
		Probes:     probes(),
		Roles:      []live.Role{router.Confined()},
		Surround: func() (suites.Surroundings, error) {
			run, err := surroundings.Open()
			if err != nil {
				return suites.Surroundings{}, fmt.Errorf("acpsuite: %w", err)
			}
			return suites.Surroundings{Variables: run.Configuration().Variables(), Held: run}, nil
		},
		Examine: func(ctx context.Context, subject *suites.Subject, session *live.Gate) (suites.Examination, error) {
			return examineSubject(ctx, subject, session, surroundings)
		},
		Recognises: Recognises,
		Foreign:    otherFormat,
		Inspect:    inspectDocuments,
		Sentences: func(voc suites.Vocabulary) {
			(&examination{}).Steps(voc, &suites.Scenario{})
			lint.Examine(documentVocabulary, suites.Profile{}, nil).Steps(voc, nil)
		},
	}
}
