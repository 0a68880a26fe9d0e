package capmutant

import (
	"slices"

	"github.com/capconform/capconform/reference/mutant"
)

// All returns the live mutants of CAP, in the order of the sections of the text.
func All() []mutant.Mutant {
	return slices.Concat(identities(), references(), skills(), manifests(), lists(), listPages(), descriptions(),
		unknownPairs(), replacements(), results(), admissions(), refusals(), outputs(), handles(), codes(),
		transports(), stabilities(), listChanges(), repetitions(), rareInputs(), attachments())
}
