package instance

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/capconform/capconform/schemas"
)

// breakValue breaks type, enum and const.
func (b *breaker) breakValue(p place) {
	if p.top {
		return
	}
	for _, f := range p.facets {
		if f.Types != nil {
			b.breakType(p, strings.Join(f.Types.ToStrings(), " or "))
		}
		if f.Enum != nil {
			for _, value := range unlistedLike(f.Enum.Values, p.value) {
				note := "a value outside the enumeration: "
				if value == nil {
					note = "null for a value of the enumeration: "
				}
				b.offer(p, "enum", value, note+textOf(value))
			}
		}
		if f.Const != nil {
			for _, value := range unlistedLike([]any{*f.Const}, p.value) {
				b.offer(p, "const", value, "another value than the constant: "+textOf(value))
			}
		}
	}
}

// breakType offers values that a lenient host would accept as the right type, then one value of
// each other type.
func (b *breaker) breakType(p place, want string) {
	alike := coercibleValues(p.value)
	met := map[string]bool{}
	for _, value := range alike {
		met[TypeName(value)] = true
		b.offer(p, "type", value, fmt.Sprintf("%s for %s: %s", TypeName(value), want, textOf(value)))
	}
	for _, value := range unlistedValues {
		if !met[TypeName(value)] {
			b.offer(p, "type", value, fmt.Sprintf("%s for %s: %s", TypeName(value), want, textOf(value)))
		}
	}
}

// coercibleValues returns values of other types that coercion would make valid.
func coercibleValues(value any) []any {
	single := []any{value}
	switch v := value.(type) {
	case json.Number:
		alike := []any{string(v)}
		if x := ratOf(v); x != nil && x.IsInt() {
			alike = append(alike, jsonNumber(new(big.Rat).Add(x, big.NewRat(1, 2))), json.Number("1.5"))
		}
		return append(alike, single)
	case bool:
		number := json.Number("0")
		if v {
			number = "1"
		}
		return []any{fmt.Sprint(v), number, single}
	case string:
		return []any{json.Number("5"), single}
	case []any:
		if len(v) > 0 {
			return []any{v[0]}
		}
	case nil:
		return []any{"", "null", false, json.Number("0")}
	}
	return nil
}

// unlistedLike lists values of the same type that are not in the list, including the same string in
// another letter case.
func unlistedLike(values []any, valid any) []any {
	var others []any
	switch v := valid.(type) {
	case string:
		others = []any{unlisted, swapCase(v), v + "x", v + " "}
		if len(v) > 1 {
			others = append(others, v[:len(v)-1])
		}
	case json.Number:
		largest := big.NewRat(0, 1)
		for _, value := range values {
			if x := ratOf(value); x != nil && x.Cmp(largest) > 0 {
				largest = x
			}
		}
		others = []any{jsonNumber(new(big.Rat).Add(largest, big.NewRat(1, 1)))}
	case bool:
		others = []any{!v}
	}
	return append(others, unlistedValues...)
}

func swapCase(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, s)
}

// breakCombined breaks anyOf, oneOf and not as a whole.
func (b *breaker) breakCombined(p place) {
	for _, f := range p.facets {
		if f.Not != nil {
			b.breakNot(p, f.Not)
		}
		if p.top {
			continue
		}
		for _, combined := range []struct {
			keyword  string
			branches []*jsonschema.Schema
		}{{"anyOf", f.AnyOf}, {"oneOf", f.OneOf}} {
			if len(combined.branches) == 0 {
				continue
			}
			for _, value := range unlistedLike(nil, p.value) {
				b.offer(p, combined.keyword, value, "a value that no branch permits: "+textOf(value))
			}
		}
	}
}

// breakNot offers what is forbidden; an object gets the members of such a value.
func (b *breaker) breakNot(p place, not *jsonschema.Schema) {
	m := newMaker(b.schema, b.options.Seed, false)
	value, err := m.value([]*jsonschema.Schema{not}, request{depth: len(p.path)})
	if err != nil {
		return
	}
	note := "a value that must not be: " + textOf(value)
	object, isObject := p.value.(map[string]any)
	members, hasMembers := value.(map[string]any)
	switch {
	case isObject && hasMembers:
		for _, name := range sortedNames(members) {
			object = with(object, name, members[name])
		}
		b.offer(p, "not", object, note)
	case !p.top:
		b.offer(p, "not", value, note)
	}
}

// breakText breaks the keywords of strings. Lengths are in code points. All strings here are ASCII,
// so the unit makes no difference.
func (b *breaker) breakText(p place) {
	text, ok := p.value.(string)
	if !ok {
		return
	}
	for _, f := range p.facets {
		if f.MinLength != nil && *f.MinLength > 0 && *f.MinLength <= len(text) {
			b.offer(p, "minLength", text[:*f.MinLength-1], fmt.Sprintf("%d characters where %d are wanted", *f.MinLength-1,
				*f.MinLength))
			b.offer(p, "minLength", "", "an empty string")
		}
		if f.MaxLength != nil && *f.MaxLength < maxSize && printable(text) {
			note := fmt.Sprintf("%d characters where %d are the most", *f.MaxLength+1, *f.MaxLength)
			for _, filler := range []string{"a", "1", text} { // a pattern may refuse one and accept another
				if filler != "" && b.offer(p, "maxLength", filled(text, filler, *f.MaxLength+1), note) {
					break
				}
			}
			b.offer(p, "maxLength", filled(text, " ", *f.MaxLength+1), note+", blanks at the end among them")
		}
		if f.Pattern != nil {
			b.breakPattern(p, f.Pattern.String(), text)
		}
	}
}

// filled returns a text of a given length.
func filled(text, filler string, length int) string {
	return (text + strings.Repeat(filler, length/len(filler)+1))[:length]
}

// breakPattern offers strings that no engine matches: similar to a match, and two that are not
// similar.
func (b *breaker) breakPattern(p place, pattern, text string) {
	if !schemas.Portable(pattern) || !printable(text) {
		return
	}
	near := []string{text + "!", "!" + text, ""}
	if len(text) > 1 {
		near = append(near, text[:len(text)-1], text[1:])
	}
	offerAs := func(note, candidate string) bool {
		return !matches(pattern, candidate) && b.offer(p, "pattern", candidate, note+": "+textOf(candidate))
	}
	offer := func(candidate string) bool { return offerAs("a string that does not match the pattern", candidate) }
	if !offerAs("a blank after a match of the pattern", text+" ") {
		offerAs("a blank before a match of the pattern", " "+text)
	}
	offerAs("a match of the pattern and a further line", text+"\n!")
	offerAs("a match of the pattern in the other letter case", swapCase(text))
	far := 0
	for _, candidate := range []string{unlisted, strings.Repeat("!", len(text)), "!", "~ ~", "0", "a", "A"} {
		if far < 2 && offer(candidate) {
			far++
		}
	}
	for _, candidate := range near {
		offer(candidate)
	}
}

// breakNumber breaks the keywords of numbers.
func (b *breaker) breakNumber(p place) {
	x := ratOf(p.value)
	if x == nil {
		return
	}
	whole := slices.ContainsFunc(p.facets,
		func(f *jsonschema.Schema) bool { return f.Types != nil && !takes(f, "number") })
	step := p.bounds(whole).stepSize()
	if step.Cmp(big.NewRat(1, 1)) < 0 && p.bounds(whole).step == nil {
		step = big.NewRat(1, 1)
	}
	for _, f := range p.facets {
		for _, edge := range []struct {
			keyword string
			bound   *big.Rat
			sign    int64
			on      bool
		}{
			{"minimum", f.Minimum, -1, false}, {"maximum", f.Maximum, 1, false},
			{"exclusiveMinimum", f.ExclusiveMinimum, -1, true}, {"exclusiveMaximum", f.ExclusiveMaximum, 1, true},
		} {
			if edge.bound == nil {
				continue
			}
			if edge.on {
				b.offer(p, edge.keyword, jsonNumber(edge.bound), "the bound itself, which is outside: "+decimal(edge.bound))
			}
			for _, beyond := range outwards(edge.bound, step, edge.sign) {
				if b.offer(p, edge.keyword, jsonNumber(beyond), "a number beyond the bound: "+decimal(beyond)) {
					break // further steps would prove nothing more
				}
			}
		}
		if f.MultipleOf != nil {
			for _, part := range []*big.Rat{big.NewRat(1, 1), new(big.Rat).Quo(f.MultipleOf, big.NewRat(2, 1))} {
				for _, off := range []*big.Rat{new(big.Rat).Add(x, part), new(big.Rat).Sub(x, part)} {
					b.offer(p, "multipleOf", jsonNumber(off), "no multiple: "+decimal(off))
				}
			}
		}
	}
}

// outwards lists numbers beyond a bound, near ones first. If the bound is so large that doubles
// have no near ones, it lists one far from it.
func outwards(bound, step *big.Rat, sign int64) []*big.Rat {
	var all []*big.Rat
	onGrid := floorTo(bound, step)
	for _, n := range []int64{0, 1, 2, 1000} {
		all = append(all, new(big.Rat).Add(onGrid, new(big.Rat).Mul(step, big.NewRat(n*sign, 1))))
	}
	size := new(big.Rat).Abs(bound)
	if size.Cmp(big.NewRat(1<<53, 1)) > 0 {
		far := new(big.Rat).Mul(size, big.NewRat(sign, 1))
		all = append(all, floorTo(far.Add(far, bound), step))
	}
	return all
}
