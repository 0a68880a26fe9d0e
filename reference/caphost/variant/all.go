package capvariant

import (
	"slices"

	"github.com/capconform/capconform/reference/variant"
)

// All returns the variants of CAP.
func All() []variant.Variant {
	return slices.Concat(manifests(), skills(), lists(), populations(), schemas(), results(), faults(), conducts(),
		variant.Replies("cap", "CAP-MAY-04"), concurrentChanges(), attachments())
}
