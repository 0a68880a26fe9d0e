package instance

import (
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// choices numbers the ways to satisfy a schema: each choice among n takes one
// digit off the number, what remains varies the values.
type choices struct {
	rest int
	open bool // there was a choice
	turn int  // by how many each choice is moved on
	most int  // alternatives of the widest choice
}

func (c *choices) among(n int) int {
	if n < 2 {
		return 0
	}
	c.open, c.most = true, max(c.most, n)
	digit := (c.rest + c.turn) % n
	c.rest /= n
	return digit
}

// demand is what all the subschemas together ask of one value, after a choice
// of branch wherever there is one.
type demand struct {
	facets     []*jsonschema.Schema // every subschema that applies, none twice
	impossible bool                 // a schema of false is among them
}

// steps is what it took to collect the facets: each was compared with those before.
func (d *demand) steps() int {
	const compared = 16 // in one step
	return 1 + len(d.facets) + len(d.facets)*len(d.facets)/compared
}

// collect adds a subschema and what it leads to for the same value.
func (d *demand) collect(s *jsonschema.Schema, c *choices) {
	if s == nil || slices.Contains(d.facets, s) {
		return
	}
	if s.Bool != nil {
		d.impossible = d.impossible || !*s.Bool
		return
	}
	d.facets = append(d.facets, s)
	d.collect(s.Ref, c)
	d.collect(s.RecursiveRef, c)
	if s.DynamicRef != nil {
		d.collect(s.DynamicRef.Ref, c)
	}
	for _, sub := range s.AllOf {
		d.collect(sub, c)
	}
	for _, branches := range [][]*jsonschema.Schema{s.AnyOf, s.OneOf} {
		if len(branches) > 0 {
			ordered := nullLast(branches)
			d.collect(ordered[c.among(len(ordered))], c)
		}
	}
	if s.If != nil && (s.Then != nil || s.Else != nil) {
		if c.among(2) == 0 {
			d.collect(s.Else, c)
		} else {
			d.collect(s.If, c)
			d.collect(s.Then, c)
		}
	}
}

// nullLast puts the branches that only take null behind the others.
func nullLast(branches []*jsonschema.Schema) []*jsonschema.Schema {
	ordered := slices.Clone(branches)
	slices.SortStableFunc(ordered, func(a, b *jsonschema.Schema) int { return nullRank(a) - nullRank(b) })
	return ordered
}

func nullRank(s *jsonschema.Schema) int {
	if s.Types != nil && slices.Equal(s.Types.ToStrings(), []string{"null"}) {
		return 1
	}
	if s.Const != nil && *s.Const == nil {
		return 1
	}
	return 0
}

// allTypes in the order in which they are tried where nothing else decides.
var allTypes = []string{"string", "integer", "number", "boolean", "object", "array", "null"}

// types lists the JSON types that every facet takes, the likeliest first.
func (d *demand) types() []string {
	var left []string
	for _, t := range allTypes {
		if !slices.ContainsFunc(d.facets, func(f *jsonschema.Schema) bool { return !takes(f, t) }) {
			left = append(left, t)
		}
	}
	slices.SortStableFunc(left, func(a, b string) int { return d.hints(b) - d.hints(a) })
	return left
}

func takes(f *jsonschema.Schema, t string) bool {
	if f.Types == nil {
		return true
	}
	names := f.Types.ToStrings()
	return slices.Contains(names, t) || t == "integer" && slices.Contains(names, "number")
}

// hints counts the facets whose keywords speak of a type.
func (d *demand) hints(t string) int {
	n := 0
	for _, f := range d.facets {
		speaks := false
		switch t {
		case "object":
			speaks = len(f.Properties) > 0 || len(f.Required) > 0 || f.AdditionalProperties != nil || f.MinProperties != nil ||
				f.PropertyNames != nil
		case "array":
			speaks = f.Items != nil || f.Items2020 != nil || len(f.PrefixItems) > 0 || f.MinItems != nil || f.Contains != nil
		case "string":
			speaks = f.Pattern != nil || f.MinLength != nil || f.MaxLength != nil
		case "integer", "number":
			speaks = f.Minimum != nil || f.Maximum != nil || f.ExclusiveMinimum != nil || f.ExclusiveMaximum != nil ||
				f.MultipleOf != nil
		}
		if speaks {
			n++
		}
	}
	return n
}

// closedValues lists the values of const and enum, if a facet has one.
func (d *demand) closedValues() (values []any, closed bool) {
	for _, f := range d.facets {
		if f.Const != nil {
			return []any{*f.Const}, true
		}
	}
	for _, f := range d.facets {
		if f.Enum != nil {
			return f.Enum.Values, true
		}
	}
	return nil, false
}

// least returns the largest of the lower counts that get reads from the facets.
func (d *demand) least(get func(*jsonschema.Schema) *int) int {
	n := 0
	for _, f := range d.facets {
		if bound := get(f); bound != nil {
			n = max(n, *bound)
		}
	}
	return n
}

// most returns the smallest of the upper counts, or -1.
func (d *demand) most(get func(*jsonschema.Schema) *int) int {
	n := -1
	for _, f := range d.facets {
		if bound := get(f); bound != nil && (n < 0 || *bound < n) {
			n = *bound
		}
	}
	return n
}

// required lists the members that must be there, sorted.
func (d *demand) required() []string {
	names := map[string]bool{}
	for _, f := range d.facets {
		for _, name := range f.Required {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// declared lists the members that a facet names, sorted.
func (d *demand) declared() []string {
	names := map[string]bool{}
	for _, f := range d.facets {
		for name := range f.Properties {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// member lists the subschemas for the member of a name.
func (d *demand) member(name string) []*jsonschema.Schema {
	var subs []*jsonschema.Schema
	for _, f := range d.facets {
		found := false
		if sub, ok := f.Properties[name]; ok {
			subs, found = append(subs, sub), true
		}
		for _, re := range sortedPatterns(f) {
			if matches(re.String(), name) {
				subs, found = append(subs, f.PatternProperties[re]), true
			}
		}
		if sub, ok := f.AdditionalProperties.(*jsonschema.Schema); ok && !found {
			subs = append(subs, sub)
		}
	}
	if len(subs) > 0 {
		return subs
	}
	for _, f := range d.facets {
		if f.UnevaluatedProperties != nil {
			subs = append(subs, f.UnevaluatedProperties)
		}
	}
	return subs
}

// sortedPatterns lists the expressions of patternProperties in a fixed order.
func sortedPatterns(f *jsonschema.Schema) []jsonschema.Regexp {
	return slices.SortedFunc(maps.Keys(f.PatternProperties),
		func(a, b jsonschema.Regexp) int { return strings.Compare(a.String(), b.String()) })
}

// matches is for choosing only; the validator decides. An expression that Go
// does not take is taken to match.
func matches(pattern, s string) bool {
	re, err := regexp.Compile(pattern)
	return err != nil || re.MatchString(s)
}

// bounds of a number. A nil bound is none.
type bounds struct {
	low, high         *big.Rat
	openLow, openHigh bool
	step              *big.Rat
	integer           bool
}

func (d *demand) bounds(integer bool) bounds {
	b := bounds{integer: integer}
	for _, f := range d.facets {
		b.atLeast(f.Minimum, false)
		b.atLeast(f.ExclusiveMinimum, true)
		b.atMost(f.Maximum, false)
		b.atMost(f.ExclusiveMaximum, true)
		if f.MultipleOf != nil && (b.step == nil || f.MultipleOf.Cmp(b.step) > 0) {
			b.step = f.MultipleOf
		}
	}
	return b
}

func (b *bounds) atLeast(bound *big.Rat, open bool) {
	if bound == nil {
		return
	}
	if c := compareBound(bound, b.low); b.low == nil || c > 0 || c == 0 && open {
		b.low, b.openLow = bound, open
	}
}

func (b *bounds) atMost(bound *big.Rat, open bool) {
	if bound == nil {
		return
	}
	if c := compareBound(bound, b.high); b.high == nil || c < 0 || c == 0 && open {
		b.high, b.openHigh = bound, open
	}
}

func compareBound(a, b *big.Rat) int {
	if b == nil {
		return 0
	}
	return a.Cmp(b)
}
