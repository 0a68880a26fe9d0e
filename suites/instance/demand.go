package instance

import (
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// choices enumerates the ways to satisfy a schema: each choice among n removes one digit from the
// number, and the remainder varies the values.
type choices struct {
	rest int
	open bool // there was a choice
	turn int  // the offset of each choice
	most int  // alternatives of the widest choice
}

func (c *choices) choose(n int) int {
	if n < 2 {
		return 0
	}
	c.open, c.most = true, max(c.most, n)
	digit := (c.rest + c.turn) % n
	c.rest /= n
	return digit
}

// demand is what all subschemas together require of one value, after a choice of branch wherever
// there is one.
type demand struct {
	facets     []*jsonschema.Schema // every subschema that applies, without duplicates
	impossible bool                 // a schema of false is among them
}

// steps returns the cost of collecting the facets: each was compared with the earlier ones.
func (d *demand) steps() int {
	const compared = 16 // in one step
	return 1 + len(d.facets) + len(d.facets)*len(d.facets)/compared
}

// collect adds a subschema and the subschemas for the same value to which it leads.
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
			d.collect(ordered[c.choose(len(ordered))], c)
		}
	}
	if s.If != nil && (s.Then != nil || s.Else != nil) {
		if c.choose(2) == 0 {
			d.collect(s.Else, c)
		} else {
			d.collect(s.If, c)
			d.collect(s.Then, c)
		}
	}
}

// nullLast moves the branches that only accept null to the end.
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

// allTypes lists the types in the order in which they are tried if nothing else decides.
var allTypes = []string{"string", "integer", "number", "boolean", "object", "array", "null"}

// types lists the JSON types that every facet accepts, the most likely first.
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

// hints counts the facets with keywords for a type.
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

// least returns the largest of the minimum counts that get reads from the facets.
func (d *demand) least(get func(*jsonschema.Schema) *int) int {
	n := 0
	for _, f := range d.facets {
		if bound := get(f); bound != nil {
			n = max(n, *bound)
		}
	}
	return n
}

// most returns the smallest of the maximum counts, or -1.
func (d *demand) most(get func(*jsonschema.Schema) *int) int {
	n := -1
	for _, f := range d.facets {
		if bound := get(f); bound != nil && (n < 0 || *bound < n) {
			n = *bound
		}
	}
	return n
}

// required lists the required members, sorted.
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

// member lists the subschemas for the member with a name.
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

// matches reports whether a string matches a pattern. It is used only for choices; the validator
// decides. An expression that Go does not accept counts as matching.
func matches(pattern, s string) bool {
	re, err := regexp.Compile(pattern)
	return err != nil || re.MatchString(s)
}

// bounds are the bounds of a number. A nil bound means that there is none.
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

// minProperties and the following functions read the counts, for demand.least and demand.most.
func minProperties(f *jsonschema.Schema) *int { return f.MinProperties }
func maxProperties(f *jsonschema.Schema) *int { return f.MaxProperties }
func minItems(f *jsonschema.Schema) *int      { return f.MinItems }
func maxItems(f *jsonschema.Schema) *int      { return f.MaxItems }
func minLength(f *jsonschema.Schema) *int     { return f.MinLength }
func maxLength(f *jsonschema.Schema) *int     { return f.MaxLength }

// itemPlan contains what the facets require of the items of an array.
type itemPlan struct {
	prefixes [][]*jsonschema.Schema
	rests    []*jsonschema.Schema // nil if the rest is free
	wanted   []*jsonschema.Schema // of contains
	contains int                  // how many items must satisfy wanted
	places   int                  // items that have a separate subschema
	closed   bool                 // there may be no more than places
	unique   bool
}

func (d *demand) items() itemPlan {
	var p itemPlan
	for _, f := range d.facets {
		prefix, rest := schemas.ItemSchemas(f)
		p.prefixes = append(p.prefixes, prefix)
		p.rests = append(p.rests, rest)
		p.places = max(p.places, len(prefix))
		p.unique = p.unique || f.UniqueItems
		if open, ok := f.AdditionalItems.(bool); ok && !open || rest != nil && rest.Bool != nil && !*rest.Bool {
			p.closed = true
		}
		if f.Contains == nil {
			continue
		}
		least := 1
		if f.MinContains != nil {
			least = *f.MinContains
		}
		p.wanted = append(p.wanted, f.Contains)
		p.contains = max(p.contains, least)
	}
	return p
}

// at lists the subschemas for the item at an index.
func (p itemPlan) at(i int) []*jsonschema.Schema {
	var subs []*jsonschema.Schema
	for j, prefix := range p.prefixes {
		switch {
		case i < len(prefix):
			subs = append(subs, prefix[i])
		case p.rests[j] != nil:
			subs = append(subs, p.rests[j])
		}
	}
	return subs
}
