// Package acpsuite is the suite of ACP, the Agent Capability Package (NIP-7 of
// 2025-05-18, now NIP-5): what a package must hold, and what a router with its
// runtime, a registry, an indexing service and a publisher must do with it.
package acpsuite

import (
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/lint"
)

// The parties that ACP obliges, as the catalogue names them.
const actorPackage = "package"

// Definition gives the suite to the engine.
func Definition() suites.Definition {
	return suites.Definition{
		Name:       "acp",
		Recognises: Recognises,
		Inspect:    inspectPackages,
		Sentences: func(voc suites.Vocabulary) {
			lint.Examine(packageVocabulary, suites.Profile{}, nil).Steps(voc, &suites.Scenario{})
		},
	}
}
