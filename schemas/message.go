package schemas

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// messageOf returns what a keyword requires. The messages of the library quote the instance at any
// length; these contain only its member names and types, so that two runs give the same text.
func messageOf(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		return fmt.Sprintf("wants %s, is %s", strings.Join(k.Want, " or "), k.Got)
	case *kind.Enum:
		return "must be one of " + listing(k.Want)
	case *kind.Const:
		return "must be " + listing([]any{k.Want})
	case *kind.Required:
		return "lacks " + names(k.Missing)
	case *kind.DependentRequired:
		return fmt.Sprintf("has %q and so must have %s", k.Prop, names(k.Missing))
	case *kind.Dependency:
		return fmt.Sprintf("has %q and so must have %s", k.Prop, names(k.Missing))
	case *kind.AdditionalProperties:
		return "may not have " + names(k.Properties)
	case *kind.PropertyNames:
		return "may not have a member of the name " + names([]string{k.Property})
	case *kind.Pattern:
		return fmt.Sprintf("must match the pattern %q", clip(k.Want, messageLength))
	case *kind.Minimum:
		return "must be at least " + decimal(k.Want)
	case *kind.Maximum:
		return "must be at most " + decimal(k.Want)
	case *kind.ExclusiveMinimum:
		return "must be above " + decimal(k.Want)
	case *kind.ExclusiveMaximum:
		return "must be below " + decimal(k.Want)
	case *kind.MultipleOf:
		return "must be a multiple of " + decimal(k.Want)
	}
	return countMessage(k)
}

// countMessage is messageOf for keywords that count, and for those that combine.
func countMessage(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.MinLength:
		return fmt.Sprintf("must have at least %d characters", k.Want)
	case *kind.MaxLength:
		return fmt.Sprintf("must have at most %d characters", k.Want)
	case *kind.MinItems:
		return fmt.Sprintf("must have at least %d items", k.Want)
	case *kind.MaxItems:
		return fmt.Sprintf("must have at most %d items", k.Want)
	case *kind.MinProperties:
		return fmt.Sprintf("must have at least %d members", k.Want)
	case *kind.MaxProperties:
		return fmt.Sprintf("must have at most %d members", k.Want)
	case *kind.MinContains:
		return fmt.Sprintf("must have at least %d items of the kind it must contain", k.Want)
	case *kind.MaxContains:
		return fmt.Sprintf("must have at most %d items of the kind it must contain", k.Want)
	case *kind.Contains:
		return "must contain an item that it does not have"
	case *kind.UniqueItems:
		return fmt.Sprintf("must not contain the same item twice, as at %d and %d", k.Duplicates[0], k.Duplicates[1])
	case *kind.AdditionalItems:
		return "has more items than the schema has places for"
	case *kind.OneOf:
		if len(k.Subschemas) == 0 {
			return "matches none of the alternatives"
		}
		return fmt.Sprintf("matches alternatives %d and %d, of which only one may match", k.Subschemas[0], k.Subschemas[1])
	case *kind.AnyOf:
		return "matches none of the alternatives"
	case *kind.Not:
		return "matches what it must not match"
	case *kind.FalseSchema:
		return "must not be there"
	case *kind.Format:
		return "must be a valid " + k.Want
	}
	return strings.Join(k.KeywordPath(), " ") + " is broken"
}

const maxListed = 20

// names quotes the first member names, sorted.
func names(all []string) string {
	sorted := slices.Clone(all)
	slices.Sort(sorted)
	var parts []string
	for _, name := range sorted[:min(maxListed, len(sorted))] {
		parts = append(parts, strconv.Quote(clip(name, messageLength)))
	}
	if len(sorted) > maxListed {
		parts = append(parts, "...")
	}
	return strings.Join(parts, ", ")
}

// listing returns the first values of a list of the schema.
func listing(values []any) string {
	var parts []string
	for _, v := range values[:min(maxListed, len(values))] {
		text, err := json.Marshal(v)
		if err != nil {
			text = []byte("?")
		}
		parts = append(parts, clip(string(text), messageLength))
	}
	if len(values) > maxListed {
		parts = append(parts, "...")
	}
	return strings.Join(parts, ", ")
}

func decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	f, _ := r.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}
