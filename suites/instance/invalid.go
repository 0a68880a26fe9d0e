package instance

import (
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/capconform/capconform/schemas"
)

const (
	faultTries = 4_000    // candidates that are validated
	faultBytes = 64 << 20 // total bytes of all candidates
)

// Invalid breaks a valid instance of the schema in every supported way. The validator confirms that
// each result breaks this keyword at this place and nothing else. The first faults have different
// keywords, so that a caller who takes a few covers most. The order is always the same.
func Invalid(s *schemas.Schema, valid any, options Options) []Fault {
	s = bounded(s)
	b := &breaker{schema: s, options: options, document: valid, weight: weigh(valid), seen: map[string]bool{}}
	b.tries = min(faultTries, faultBytes/(1+len(textOf(valid))))
	if s.Validate(valid) != nil {
		return nil
	}
	visitor{schema: s, top: options.Top, at: func(p place) { breakPlace(b, p) }}.visit([]*jsonschema.Schema{s.Compiled()}, valid, nil)
	faults := spread(b.faults)
	if options.Limit > 0 && len(faults) > options.Limit {
		faults = faults[:options.Limit]
	}
	return faults
}

// breakPlace breaks everything that is required of one value, and of one value of each other type
// that is permitted there.
func breakPlace(b *breaker, p place) {
	if spent(b.schema) {
		return
	}
	for _, breaks := range []func(place){b.breakValue, b.breakCombined, b.breakObject, b.breakArray, b.breakText,
		b.breakNumber} {
		breaks(p)
	}
	if p.top {
		return
	}
	for _, other := range p.others(newMaker(b.schema, b.options.Seed, false)) {
		for _, breaks := range []func(place){b.breakValue, b.breakArray, b.breakText, b.breakNumber} {
			breaks(other)
		}
	}
}
