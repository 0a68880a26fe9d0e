package chpvariant

import (
	"slices"

	"github.com/capconform/capconform/reference/variant"
)

// All returns the styles of a capability host.
func All() []variant.Variant {
	return slices.Concat(descriptions(), resultStyles(), evidence(), orders(), replays(), boundaries(), ofBinding(),
		concurrentChanges(), retentions(), readings(), variant.Replies("chp", "CHP-13-03"))
}
