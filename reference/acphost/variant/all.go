package acpvariant

import (
	"slices"

	"github.com/capconform/capconform/reference/variant"
)

// All are the styles of a host of ACP.
func All() []variant.Variant {
	return slices.Concat(
		profiles(), absences(), as([]string{"router", "runtime"}, installations(), routings(), stacks(), requests(), frames(),
			concurrentInstalls()),
		as([]string{"runtime"}, tellings(), pageStyles(), states(), concurrentCalls(), sandboxes()),
		as([]string{"registry"}, registries(), concurrentPublications()),
		as([]string{"publisher"}, publishings()), as([]string{"index"}, indexes(), nameStyles(), concurrentIndexes()),
	)
}
