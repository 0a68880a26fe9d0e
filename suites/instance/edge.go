package instance

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/capconform/capconform/schemas"
)

const (
	edgeLength = 10_000  // characters of a string at its limit
	edgeItems  = 64      // items of an array at its limit
	manyItems  = 12      // items of an array without a limit
	edgeNumber = 1 << 53 // beyond it engines count differently
	edgeTries  = 1_000   // candidates that are validated
)

// Edges makes valid instances from a valid one, each at one limit of the schema: the longest and the
// shortest string, strings with unusual characters, a number on its bound, numbers larger than usual, the
// other values of an enumeration, the other branches of a choice, the arrays with the most and the fewest
// items, and a member that the schema permits without naming it. If the given instance is an object, so
// are all others, and all differ from it. An edge has a doubt only if the given instance has the same
// one. A limit of 0 means all; the first edges have different keywords. The note states what was changed
// and where.
func Edges(s *schemas.Schema, valid any, limit int) []Input {
	s = bounded(s)
	if s.Validate(valid) != nil {
		return nil
	}
	e := &edger{schema: s, document: valid, weight: weigh(valid), tries: edgeTries,
		seen: map[string]bool{textOf(valid): true}, sizes: map[string]int{}}
	visitor{schema: s, at: e.visit}.visit([]*jsonschema.Schema{s.Compiled()}, valid, nil)
	var inputs []Input
	for _, f := range spread(e.found) {
		if limit > 0 && len(inputs) == limit {
			break
		}
		inputs = append(inputs, Input{Value: f.Input, Note: f.Note, Keyword: f.Keyword,
			Size: e.sizes[f.text], Pointer: f.Pointer})
	}
	return inputs
}

// edger collects the edges of one instance. It keeps them like faults, by the keyword whose limit
// they are at.
type edger struct {
	schema   *schemas.Schema
	document any
	weight   int
	tries    int
	seen     map[string]bool
	sizes    map[string]int // by text, see Input
	found    []Fault
}

// offer keeps an instance with another value at the place if it is valid.
func (e *edger) offer(p place, keyword string, value any, note string) {
	if e.tries--; e.tries < 0 || e.schema.Spend(e.weight) != nil {
		return
	}
	_, wasObject := e.document.(map[string]any)
	input := replaced(e.document, p.path, value)
	if _, isObject := input.(map[string]any); wasObject && !isObject {
		return
	}
	text := textOf(input)
	if len(text) > maxBytes || e.seen[text] || e.schema.Validate(input) != nil {
		return
	}
	e.seen[text] = true
	where := schemas.Pointer(p.path)
	e.found = append(e.found, Fault{Keyword: keyword, Pointer: where, Input: input,
		Note: fmt.Sprintf("%s at %q", note, where), text: text})
}

func (e *edger) visit(p place) {
	e.choices(p)
	switch v := p.value.(type) {
	case map[string]any:
		e.object(p, v)
	case []any:
		e.array(p, v)
	case string:
		e.text(p, v)
	case json.Number:
		e.number(p)
	case bool:
		e.offer(p, "boolean", !v, fmt.Sprintf("%t", !v))
	}
}

// choices uses the other values of enumerations, the other branches, and the other types of a
// union.
func (e *edger) choices(p place) {
	m := newMaker(e.schema, 0, false)
	for _, other := range p.others(m) {
		if m.doubt == "" {
			keyword := "type " + TypeName(other.value)
			e.offer(p, keyword, other.value, "a value of another type that the schema permits, "+TypeName(other.value)+",")
			if empty := emptyOf(other.value); empty != nil {
				e.offer(p, keyword, empty, "the empty value of another type that the schema permits, "+TypeName(empty)+",")
			}
		}
	}
	for _, f := range p.facets {
		if f.Enum != nil {
			for _, value := range f.Enum.Values {
				e.offer(p, "enum", value, "another value of the enumeration")
			}
		}
		for _, branch := range append(slices.Clone(f.AnyOf), f.OneOf...) {
			m := newMaker(e.schema, 0, false)
			if value, err := m.value([]*jsonschema.Schema{branch}, request{depth: len(p.path)}); err == nil && m.doubt == "" {
				e.offer(p, "anyOf", value, "another branch")
			}
		}
	}
}

// object adds a member if every facet permits undeclared members.
func (e *edger) object(p place, object map[string]any) {
	if slices.ContainsFunc(p.facets, func(f *jsonschema.Schema) bool {
		return f.AdditionalProperties != nil || f.UnevaluatedProperties != nil || f.PropertyNames != nil ||
			len(f.PatternProperties) > 0
	}) {
		return
	}
	e.offer(p, "additionalProperties", with(object, undeclaredName, true),
		fmt.Sprintf("a member more that nothing forbids, %q,", undeclaredName))
}

func (e *edger) array(p place, array []any) {
	if least := p.least(minItems); least < len(array) {
		e.offer(p, "minItems", array[:least], fmt.Sprintf("%d items, the fewest,", least))
	}
	keyword, most, note := "maxItems", p.most(maxItems), "the most,"
	if most < 0 || most > edgeItems {
		keyword, most, note = "items", manyItems, "which nothing forbids,"
	}
	if most <= len(array) {
		return
	}
	m := newMaker(e.schema, 0, false)
	if long := m.lengthened(p, array, most); long != nil && m.doubt == "" {
		e.offer(p, keyword, long, fmt.Sprintf("%d items, %s", most, note))
	}
}

// text uses the minimum and maximum lengths of a string. If a pattern, a format or a content type
// also judges the string, this package has no suitable strings. The non-ASCII letter is one
// character in every engine, but two bytes.
func (e *edger) text(p place, text string) {
	if slices.ContainsFunc(p.facets, func(f *jsonschema.Schema) bool {
		return e.schema.Format(f) != "" ||
			e.schema.Content(f) != ""
	}) {
		return
	}
	for _, f := range p.facets {
		if f.Pattern != nil {
			e.aroundMatch(p, f.Pattern.String(), text)
			return
		}
	}
	if most := p.most(maxLength); most > 0 && most <= edgeLength {
		e.offer(p, "maxLength", strings.Repeat("a", most), fmt.Sprintf("%d characters, the most,", most))
		e.offer(p, "characters", strings.Repeat("\u00e9", most), fmt.Sprintf("%d characters beyond ASCII, the most,", most))
	}
	if p.most(maxLength) < 0 || p.most(maxLength) > edgeLength {
		e.offer(p, "free", freeText+strings.Repeat("a", longText), fmt.Sprintf(
			"characters beyond ASCII, a line break and %d further characters, which nothing forbids,", longText))
	}
	if most := p.most(maxLength); most < 0 || most > 2*len(specialText) { // engines count the last one differently
		e.offer(p, Special, specialText,
			"blanks around quotes, markup, a tab and a character beyond 16 bits, which nothing forbids,")
	}
	if least := p.least(minLength); least <= edgeLength {
		e.offer(p, "minLength", strings.Repeat("a", least), fmt.Sprintf("%d characters, the fewest,", least))
	}
}

// freeText satisfies any usual minimum length, and fits into a database column.
const freeText = "Gr\u00f6\u00dfe \u6df7\u8272\nand a second line"

// Special is the keyword of an edge that is a text of unusual characters.
const Special = "special"

// specialText has characters with a meaning in usual notations, and one of two UTF-16 units. It is not a
// command in any of these notations.
const specialText = "  It's \"50 %\" of <b>x</b> & {y} \\ z,\tend \U0001f3a8  "

// longText is the length of a string that nothing limits.
const longText = 3000

// aroundMatch puts a character before and after a match: a pattern without anchors may match
// anywhere.
func (e *edger) aroundMatch(p place, pattern, text string) {
	if !schemas.Portable(pattern) || !printable(text) {
		return
	}
	for _, around := range []string{"0" + text, "-" + text, text + "0", text + "-"} {
		e.offer(p, "pattern", around, "a match that is not the whole string")
	}
}

// number uses the bounds that belong to the range, and zero.
func (e *edger) number(p place) {
	b := p.bounds(false)
	if b.low != nil && !b.openLow {
		e.bound(p, "minimum", b.low, 0)
	}
	size := e.larger(p, b)
	switch {
	case b.high == nil || b.openHigh:
	case size == 0:
		e.bound(p, "maximum", b.high, 0)
	default:
		e.bound(p, "larger", b.high, size+1)
	}
	e.bound(p, "zero", new(big.Rat), 0)
	if b.low == nil {
		e.offer(p, "negative", json.Number("-7"), "a negative number, which nothing forbids,")
	}
	before := len(e.found)
	e.offer(p, "fraction", json.Number("0.0005"), "a fraction, which nothing forbids,")
	if len(e.found) == before {
		e.offer(p, "fraction", json.Number("1.5"), "a fraction, which nothing forbids,")
	}
}

// bound offers a number at the end of a range.
func (e *edger) bound(p place, keyword string, number *big.Rat, size int) {
	if p.sameAsDouble(number) && new(big.Rat).Abs(number).Cmp(big.NewRat(edgeNumber, 1)) <= 0 {
		e.sized(p, keyword, number, size, decimal(number)+", which is within the bounds,")
	}
}

// largerNumbers have no special meaning. The last one does not fit in 32 bits.
var largerNumbers = []int64{1009, 1_000_003, 1<<32 + 1}

// larger offers numbers that are larger than usual, unless a bound forbids all but the smallest of
// them. It returns the size of the last one.
func (e *edger) larger(p place, b bounds) int {
	if b.high != nil && b.high.Cmp(big.NewRat(largerNumbers[1], 1)) <= 0 {
		return 0
	}
	size := 0
	for _, n := range largerNumbers {
		number := big.NewRat(n, 1)
		if b.step != nil {
			number = floorTo(number, b.step)
		}
		if p.sameAsDouble(number) && b.holds(number) {
			size++
			e.sized(p, "larger", number, size, decimal(number)+", a number larger than usual,")
		}
	}
	return size
}

// sized offers a number of a size, see Input.
func (e *edger) sized(p place, keyword string, number *big.Rat, size int, note string) {
	before := len(e.found)
	e.offer(p, keyword, jsonNumber(number), note)
	if len(e.found) > before {
		e.sizes[e.found[before].text] = size
	}
}

// emptyOf returns the value of the same type that many languages treat as empty.
func emptyOf(value any) any {
	switch value.(type) {
	case bool:
		return false
	case string:
		return ""
	case json.Number:
		return json.Number("0")
	}
	return nil
}
