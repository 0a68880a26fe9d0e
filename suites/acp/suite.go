// Package acpsuite is the suite of ACP, the Agent Capability Package (NIP-7 of
// 2025-05-18, now NIP-5): what a package must hold, and what a router with its
// runtime, a registry, an indexing service and a publisher must do with it.
package acpsuite

import (
	"context"
	"fmt"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/lint"
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
		Surround: func() (suites.Surroundings, error) {
			run, err := surroundings.Open()
			if err != nil {
				return suites.Surroundings{}, fmt.Errorf("acpsuite: %w", err)
			}
			return suites.Surroundings{Variables: run.Configuration().Variables(), Held: run}, nil
		},
		Examine: func(ctx context.Context, subject *suites.Subject, session driver.Session) (suites.Examination, error) {
			return examineSubject(ctx, subject, session, surroundings)
		},
		Recognises: Recognises,
		Inspect:    inspectDocuments,
		Sentences: func(voc suites.Vocabulary) {
			(&examination{}).Steps(voc, &suites.Scenario{})
			lint.Examine(documentVocabulary, suites.Profile{}, nil).Steps(voc, nil)
		},
	}
}
