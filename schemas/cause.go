package schemas

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

const (
	causeLimit    = 50     // causes in one Invalidity
	visitLimit    = 20_000 // causes looked at before the first ones are chosen
	messageLength = 300    // bytes of a message
)

// causesOf flattens the tree of the library. Causes that apply together (allOf, $ref) become one
// level. Causes inside alternatives stay within their cause.
func causesOf(found *jsonschema.ValidationError, value any) ([]Cause, error) {
	c := &collector{visits: visitLimit}
	c.add(found)
	if c.doubt != nil {
		return nil, c.doubt
	}
	relocate(c.raw, value)
	budget := causeLimit
	return sortedCauses(c.raw, &budget), nil
}

// rawCause is a cause without a message: there may be 200,000.
type rawCause struct {
	Cause
	kind   jsonschema.ErrorKind
	within []rawCause
}

type collector struct {
	raw    []rawCause
	visits int
	doubt  error
}

func (c *collector) add(e *jsonschema.ValidationError) {
	switch k := e.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.Reference, *kind.AllOf:
		for _, cause := range e.Causes {
			c.add(cause)
		}
		return
	case *kind.RefCycle:
		c.doubt = undecidable(ReasonCycle, "the schema refers to itself for the same value, at %s", k.KeywordLocation1)
		return
	case *kind.InvalidJsonValue:
		c.doubt = undecidable(ReasonValue, "a Go %T is not a JSON value", k.Value)
		return
	}
	if c.visits--; c.visits < 0 {
		return
	}
	raw := rawCause{kind: e.ErrorKind}
	raw.Keyword, raw.InstancePointer, raw.SchemaPointer = place(e)
	inner := &collector{visits: c.visits}
	for _, cause := range e.Causes {
		inner.add(cause)
	}
	c.visits = inner.visits
	if c.doubt == nil {
		c.doubt = inner.doubt
	}
	raw.within = inner.raw
	c.raw = append(c.raw, raw)
}

// sortedCauses sorts the causes (the library iterates over maps at random), takes the first ones, and
// writes their messages.
func sortedCauses(raw []rawCause, budget *int) []Cause {
	slices.SortStableFunc(raw, func(a, b rawCause) int { return compareCauses(a.Cause, b.Cause) })
	var causes []Cause
	for _, r := range raw {
		if *budget--; *budget < 0 {
			break
		}
		r.Message = clip(messageOf(r.kind), messageLength)
		causes = append(causes, r.Cause)
	}
	for i := range causes {
		causes[i].Within = sortedCauses(raw[i].within, budget)
	}
	return causes
}

func compareCauses(a, b Cause) int {
	return cmp.Or(
		strings.Compare(a.InstancePointer, b.InstancePointer),
		strings.Compare(a.SchemaPointer, b.SchemaPointer),
		strings.Compare(a.Keyword, b.Keyword),
	)
}

// place returns keyword and pointers. A schema of false has no keyword: it is named after the
// keyword that contains it, at the object or array if that keyword closes it.
func place(e *jsonschema.ValidationError) (keyword, instance, schema string) {
	_, fragment, _ := strings.Cut(e.SchemaURL, "#")
	schema, err := url.PathUnescape(fragment)
	if err != nil {
		schema = fragment
	}
	location := e.InstanceLocation
	switch k := e.ErrorKind.(type) {
	case *kind.PropertyNames:
		// The library names the subschema, not the schema that has the keyword.
		return "propertyNames", Pointer(location), schema
	case *kind.FalseSchema:
		keyword = enclosingKeyword(schema)
		if closingKeywords[keyword] && len(location) > 0 {
			location = location[:len(location)-1]
		}
		return keyword, Pointer(location), schema
	case *kind.Not:
		keyword = "not"
	case *kind.Dependency:
		keyword = "dependencies"
	default:
		if path := k.KeywordPath(); len(path) > 0 {
			keyword = path[0]
		}
	}
	return keyword, Pointer(location), schema + "/" + keyword
}

// closingKeywords are the keywords whose false means that nothing more is permitted.
var closingKeywords = map[string]bool{"unevaluatedProperties": true, "unevaluatedItems": true, "additionalItems": true,
	"items": true, "additionalProperties": true}

// enclosingKeyword finds the keyword that contains the subschema at a pointer.
func enclosingKeyword(schemaPointer string) string {
	tokens := strings.Split(schemaPointer, "/")
	last := tokens[len(tokens)-1]
	if len(tokens) < 3 {
		return last
	}
	switch above := tokens[len(tokens)-2]; above {
	case "properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions":
		return above
	case "allOf", "anyOf", "oneOf", "prefixItems", "items":
		if _, err := strconv.Atoi(last); err == nil {
			return above
		}
	}
	return last
}

// Pointer joins names and indices to a JSON pointer.
func Pointer(tokens []string) string {
	var b strings.Builder
	for _, token := range tokens {
		b.WriteByte('/')
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1"))
	}
	return b.String()
}
