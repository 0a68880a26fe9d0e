package acpvariant

import (
	"slices"

	"github.com/capconform/capconform/reference/variant"
)

// All returns the variants of an ACP host.
func All() []variant.Variant {
	return slices.Concat(
		profiles(), absences(),
		as([]string{"router", "runtime"}, installations(), routings(), stacks(), toolNames(), requestForms(),
			messageForms(),
			concurrentInstalls(), bounds()),
		as([]string{"runtime"}, resultForms(), pageForms(), states(), concurrentCalls(), sandboxes(), refusals()),
		as([]string{"registry"}, registries(), events(), concurrentPublications()),
		as([]string{"publisher"}, publishings()),
		as([]string{"index"}, indexes(), noMatches(), nameStyles(), concurrentIndexes()),
	)
}
