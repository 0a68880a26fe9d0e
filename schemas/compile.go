// Package schemas contains the JSON Schemas of the project and the guarded engine for every
// judgement on JSON: a strict and bounded decoder, and a compiler and validator for untrusted
// schemas and values. It imports no other package of this project.
//
// There are three kinds of outcome. A defect of the sender's text is a *DecodeError, an
// *InvalidSchema or an *Invalidity; it may be a finding. A text that cannot be decided is an
// *Undecidable, or a DecodeError whose OurLimit is true; it is never a finding. Otherwise the error
// is nil.
package schemas

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Options bound the schemas that Compile accepts. A zero field stands for its default.
type Options struct {
	Limits      Limits        // of the schema's text; Size 0 means 64 KiB here
	Subschemas  int           // subschemas that can be reached; 0 means 1,000
	Expansions  int           // subschemas applied to one value, references followed; 0 means 10,000
	MatchingFor time.Duration // time for the regular expressions of one validation; 0 means 2 s
}

// WithDefaults fills the zero fields.
func (o Options) WithDefaults() Options {
	for _, f := range []struct {
		field *int
		value int
	}{{&o.Limits.Size, 64 << 10}, {&o.Subschemas, 1000}, {&o.Expansions, 10_000}} {
		if *f.field == 0 {
			*f.field = f.value
		}
	}
	o.Limits = o.Limits.WithDefaults()
	if o.MatchingFor == 0 {
		o.MatchingFor = 2 * time.Second
	}
	return o
}

// Compile compiles the text of a schema. The error is an *InvalidSchema, even if the text is not
// valid JSON, or an *Undecidable.
func Compile(raw []byte, options Options) (*Schema, error) {
	options = options.WithDefaults()
	doc, err := Decode(raw, options.Limits)
	if refused, ok := errors.AsType[*DecodeError](err); ok {
		if refused.OurLimit() {
			return nil, &Undecidable{Reason: ReasonLimit, Message: refused.Message, Err: refused}
		}
		return nil, &InvalidSchema{Message: refused.Message, Err: refused}
	}
	return CompileValue(doc, options)
}

// CompileValue compiles a schema that Decode returned: an object or a boolean. It copies the value.
// $schema selects draft-04, 06, 07, 2019-09 or 2020-12. Without it, 2020-12 is tried, and the older
// drafts if that fails, because CAP does not fix a dialect. References lead only into the document
// and to the five meta-schemas. The error is an *InvalidSchema or an *Undecidable.
func CompileValue(doc any, options Options) (*Schema, error) {
	options = options.WithDefaults()
	copier := copier{limits: options.Limits, objects: objectsPerSubschema * options.Subschemas}
	adopted, err := copier.value(doc, 0)
	if err != nil {
		return nil, err
	}
	source := source{doc: adopted, url: hostURL, loader: jsonschema.SchemeURLLoader{}}
	drafts, err := dialects(adopted)
	if err != nil {
		return nil, err
	}
	var refused error
	for _, draft := range drafts {
		compiled, err := source.compile(draft, options)
		if err == nil {
			return compiled, nil
		}
		if refused == nil {
			refused = err
		}
		if _, invalid := errors.AsType[*InvalidSchema](err); !invalid {
			break
		}
	}
	return nil, refused
}

// dialects lists the drafts to try for a document, the best first.
func dialects(doc any) ([]*jsonschema.Draft, error) {
	object, _ := doc.(map[string]any)
	declared, ok := object["$schema"].(string)
	if !ok {
		return undeclared(doc), nil
	}
	name := strings.TrimPrefix(strings.TrimPrefix(strings.TrimSuffix(declared, "#"), "https://"), "http://")
	draft := map[string]*jsonschema.Draft{
		"json-schema.org/schema":               jsonschema.Draft2020,
		"json-schema.org/draft/2020-12/schema": jsonschema.Draft2020,
		"json-schema.org/draft/2019-09/schema": jsonschema.Draft2019,
		"json-schema.org/draft-07/schema":      jsonschema.Draft7,
		"json-schema.org/draft-06/schema":      jsonschema.Draft6,
		"json-schema.org/draft-04/schema":      jsonschema.Draft4,
	}[name]
	if draft == nil {
		return nil, undecidable(ReasonDialect, "the dialect %q is unknown", declared)
	}
	return []*jsonschema.Draft{draft}, nil
}

// newerKeywords lists the keywords that a draft does not have. A schema that uses one is not read in that
// draft, which would ignore the keyword.
var newerKeywords = []struct {
	draft    *jsonschema.Draft
	keywords []string
}{
	{jsonschema.Draft2019, []string{"prefixItems", "$dynamicRef", "$dynamicAnchor"}},
	{jsonschema.Draft7, []string{"$defs", "$anchor", "dependentRequired", "dependentSchemas", "unevaluatedProperties",
		"unevaluatedItems", "minContains", "maxContains"}},
	{jsonschema.Draft4, []string{"if", "const", "contains", "propertyNames", "$id"}},
}

// undeclared lists the drafts that a document without $schema may use.
func undeclared(doc any) []*jsonschema.Draft {
	drafts := []*jsonschema.Draft{jsonschema.Draft2020}
	for _, older := range newerKeywords {
		if hasMember(doc, older.keywords) {
			break
		}
		drafts = append(drafts, older.draft)
	}
	return drafts
}

// hasMember reports whether an object anywhere in v has one of the members.
func hasMember(v any, names []string) bool {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if slices.Contains(names, name) || hasMember(member, names) {
				return true
			}
		}
	case []any:
		for _, item := range v {
			if hasMember(item, names) {
				return true
			}
		}
	}
	return false
}

// hostURL is the base address of an untrusted schema. No loader knows its scheme, so relative
// references lead nowhere.
const hostURL = "mem:///schema.json"

// source is a document that is ready for the library.
type source struct {
	doc    any
	url    string
	loader jsonschema.URLLoader
}

func (s source) compile(draft *jsonschema.Draft, options Options) (compiled *Schema, err error) {
	defer func() {
		if p := recover(); p != nil {
			compiled, err = nil, undecidable(ReasonPanic, "the schema library gave up: %v", p)
		}
	}()
	matching := &matching{}
	c := jsonschema.NewCompiler()
	c.UseLoader(s.loader)
	c.DefaultDraft(draft)
	c.UseRegexpEngine(engine(matching))
	c.AssertFormat() // so that the names are kept; newGraph removes the assertions
	c.AssertContent()
	nameFormats(c, s.doc)
	if err := c.AddResource(s.url, s.doc); err != nil {
		return nil, classify(err, draft)
	}
	root, err := c.Compile(s.url)
	if err != nil {
		return nil, classify(err, draft)
	}
	g, err := newGraph(root, options.Subschemas)
	if err != nil {
		return nil, err
	}
	if err := g.expansions(options.Expansions); err != nil {
		return nil, err
	}
	limits := options.Limits
	return &Schema{root: root, graph: g, matching: matching, deadline: options.MatchingFor, limits: limits}, nil
}
