package acdvariant

import (
	"slices"

	"github.com/capconform/capconform/reference/variant"
)

// All lists the variants of ACD.
func All() []variant.Variant {
	return slices.Concat(descriptions(), answers(), replies(), refusals(), indexes(), reads(), records(), partStyles(),
		variant.Replies("acd", "ACD-DESC-01"), concurrentChanges(), ownRules(), omissions(), receipts())
}
