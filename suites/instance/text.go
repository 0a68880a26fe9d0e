package instance

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/capconform/capconform/schemas"
)

// plausible contains values for the formats that servers check although JSON Schema does not
// require it. The second one is for places that need two.
var plausible = map[string][2]string{
	"date-time":             {"2026-01-15T10:30:00Z", "2026-02-16T11:31:01Z"},
	"date":                  {"2026-01-15", "2026-02-16"},
	"time":                  {"10:30:00Z", "11:31:01Z"},
	"duration":              {"PT1H", "PT2H"},
	"email":                 {"user@example.com", "other@example.com"},
	"idn-email":             {"user@example.com", "other@example.com"},
	"hostname":              {"example.com", "www.example.com"},
	"idn-hostname":          {"example.com", "www.example.com"},
	"ipv4":                  {"192.0.2.1", "192.0.2.2"},
	"ipv6":                  {"2001:db8::1", "2001:db8::2"},
	"uri":                   {"https://example.com/a", "https://example.com/b"},
	"uri-reference":         {"https://example.com/a", "https://example.com/b"},
	"iri":                   {"https://example.com/a", "https://example.com/b"},
	"iri-reference":         {"https://example.com/a", "https://example.com/b"},
	"uri-template":          {"https://example.com/{a}", "https://example.com/{b}"},
	"uuid":                  {"123e4567-e89b-42d3-a456-426614174000", "123e4567-e89b-42d3-a456-426614174001"},
	"json-pointer":          {"/a", "/b"},
	"relative-json-pointer": {"0", "1"},
	"regex":                 {"^a$", "^b$"},
}

// contents contains values for encodings and media types of strings, which servers may check
// although JSON Schema does not require it.
var contents = map[string][2]string{
	"base64":                  {"ZXhhbXBsZQ==", "b3RoZXI="},
	"base64url":               {"ZXhhbXBsZQ", "b3RoZXI"},
	"base16":                  {"6578616D706C65", "6F74686572"},
	"application/json":        {"{}", `{"example":1}`},
	"base64 application/json": {"e30=", "eyJleGFtcGxlIjoxfQ=="},
	"text/plain":              {"example", "other"},
	"base64 text/plain":       {"ZXhhbXBsZQ==", "b3RoZXI="},
}

// plausibleFor lists the values for the format and the content that a subschema names.
func (state *search) plausibleFor(f *jsonschema.Schema) []string {
	var values []string
	for _, known := range []struct {
		name string
		by   map[string][2]string
	}{{state.schema.Format(f), plausible}, {state.schema.Content(f), contents}} {
		if pair, ok := known.by[known.name]; ok {
			values = append(values, pair[:]...)
		}
	}
	return values
}

// text makes a string.
func (state *search) text(d *demand, vary int) (any, error) {
	least, most := d.least(minLength), d.most(maxLength)
	if least > maxSize {
		return nil, fmt.Errorf("a string of %d characters is beyond capconform's limit", least)
	}
	fitting := func(s string) bool { return len(s) >= least && (most < 0 || len(s) <= most) }
	var patterns []string
	for _, f := range d.facets {
		if f.Pattern != nil {
			patterns = append(patterns, f.Pattern.String())
		}
	}
	for _, f := range d.facets {
		for i, values := 0, state.plausibleFor(f); i < len(values); i++ {
			value := values[(vary+i)%len(values)]
			if fitting(value) && all(patterns, value) {
				return value, nil
			}
		}
	}
	state.noteDoubts(d)
	if len(patterns) > 0 {
		return state.matching(patterns[0], vary, func(s string) bool { return fitting(s) && all(patterns, s) })
	}
	return plain(least, most, vary), nil
}

// noteDoubts records the format or content that a host may check in a string although JSON Schema does
// not require it, if the strings of this package do not satisfy it.
func (state *search) noteDoubts(d *demand) {
	for _, f := range d.facets {
		if format := state.schema.Format(f); format != "" {
			state.doubt = fmt.Sprintf("a string in the format %q is wanted", format)
		}
		if content := state.schema.Content(f); content != "" {
			state.doubt = fmt.Sprintf("a string whose content is %q is wanted", content)
		}
	}
}

func all(patterns []string, s string) bool {
	for _, p := range patterns {
		if !schemas.Portable(p) || !matches(p, s) {
			return false
		}
	}
	return true
}

// plain makes a word that fits.
func plain(least, most, vary int) string {
	word := "example"
	if vary > 0 {
		word = fmt.Sprintf("e%dxample", vary)
	}
	if most >= 0 && len(word) > most {
		word = word[:most]
		if digits := fmt.Sprint(vary); vary > 0 && len(digits) <= most {
			word = digits
		}
	}
	if missing := least - len(word); missing > 0 {
		word += strings.Repeat("a", missing)
	}
	return word
}

// words are tried on a pattern first, because a person would write them.
var words = []string{"example", "example1", "example-1", "a", "abc", "A", "ABC", "1", "12", "123", "1.0.0", "a/b", "/a",
	"example.txt", "https://example.com", "user@example.com", "2026-01-15"}

const (
	patternTries = 200
	patternSteps = 100 // the steps of the maker that an unsuccessful search costs
)

// matching makes a string that matches a pattern and is wanted, in printable ASCII. It returns none
// for a pattern that engines read differently.
func (state *search) matching(pattern string, vary int, wanted func(string) bool) (found string, err error) {
	if !schemas.Portable(pattern) {
		return "", fmt.Errorf("engines read the pattern %q differently, so no string is made for it", pattern)
	}
	barren := fmt.Errorf("no string can be made for the pattern %q", pattern)
	if state.unmatchable[pattern] {
		return "", barren
	}
	defer func() {
		// The generator panics, after a thousand attempts, if nothing matches.
		if p := recover(); p != nil {
			state.unmatchable[pattern] = true
			found, err = "", barren
		}
	}()
	re, err := regexp.Compile(pattern)
	if err != nil {
		return "", err
	}
	skip := vary
	take := func(s string) bool {
		if !printable(s) || !re.MatchString(s) || !wanted(s) {
			return false
		}
		skip--
		return skip < 0
	}
	for _, word := range words {
		if take(word) {
			return word, nil
		}
	}
	generator := rapid.StringMatching(narrowed(pattern))
	for i := range patternTries {
		if s := generator.Example(int(state.seed&0xffff)*patternTries + i); take(s) {
			return s, nil
		}
	}
	state.steps -= patternSteps
	return "", fmt.Errorf("no string was found for the pattern %q within its lengths", pattern)
}
