package schemas

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// outcome summarizes an error as one word, and a reason if there is one.
func outcome(err error) string {
	if err == nil {
		return "ok"
	}
	if e, ok := errors.AsType[*Undecidable](err); ok {
		return "undecidable " + string(e.Reason)
	}
	if _, ok := errors.AsType[*InvalidSchema](err); ok {
		return "invalid schema"
	}
	if _, ok := errors.AsType[*Invalidity](err); ok {
		return "invalid"
	}
	return fmt.Sprintf("%T", err)
}

type compileTest struct{ schema, want string }

func TestCompileOutcomes(t *testing.T) {
	checkCompile(t, map[string]compileTest{
		"true":             {`true`, "ok"},
		"false":            {`false`, "ok"},
		"empty":            {`{}`, "ok"},
		"misspelt keyword": {`{"requird":["a"]}`, "ok"},
		"2020-12":          {`{"$schema":"https://json-schema.org/draft/2020-12/schema","prefixItems":[{}]}`, "ok"},
		"2019-09": {`{"$schema":"https://json-schema.org/draft/2019-09/schema","$recursiveAnchor":true}`,
			"ok"},
		"draft-07":                {`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{}],"additionalItems":false}`, "ok"},
		"draft-07 over https":     {`{"$schema":"https://json-schema.org/draft-07/schema"}`, "ok"},
		"draft-06":                {`{"$schema":"http://json-schema.org/draft-06/schema#","const":1}`, "ok"},
		"draft-04":                {`{"$schema":"http://json-schema.org/draft-04/schema#","minimum":1,"exclusiveMinimum":true}`, "ok"},
		"latest":                  {`{"$schema":"http://json-schema.org/schema#"}`, "ok"},
		"array items, no dialect": {`{"items":[{"type":"string"}]}`, "ok"},
		"boolean bound, none":     {`{"minimum":1,"exclusiveMinimum":true}`, "ok"},
		"array items in 2020-12": {`{"$schema":"https://json-schema.org/draft/2020-12/schema","items":[{}]}`,
			"invalid schema"},
		"no enum in 07":          {`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"enum":[]}}}`, "undecidable unresolved"},
		"equal enum in 06":       {`{"$schema":"http://json-schema.org/draft-06/schema#","items":{"enum":[1,1]}}`, "undecidable unresolved"},
		"no enum in 04":          {`{"$schema":"http://json-schema.org/draft-04/schema#","enum":[]}`, "invalid schema"},
		"no enum, wrong type 07": {`{"$schema":"http://json-schema.org/draft-07/schema#","enum":[],"type":1}`, "invalid schema"},
		"boolean bound in 07": {`{"$schema":"http://json-schema.org/draft-07/schema#","exclusiveMinimum":true}`,
			"invalid schema"},
		"draft-03": {`{"$schema":"http://json-schema.org/draft-03/schema#"}`, "undecidable dialect"},
		"a vocabulary's schema": {`{"$schema":"https://json-schema.org/draft/2020-12/meta/format-assertion"}`,
			"undecidable dialect"},
		"own dialect":           {`{"$schema":"https://example.com/dialect"}`, "undecidable dialect"},
		"dialect not a URI":     {`{"$schema":"draft-07"}`, "undecidable dialect"},
		"dialect a number":      {`{"$schema":7}`, "invalid schema"},
		"objekt":                {`{"type":"objekt"}`, "invalid schema"},
		"objekt below":          {`{"properties":{"a":{"type":"objekt"}}}`, "invalid schema"},
		"objekt, unused":        {`{"$defs":{"a":{"type":"objekt"}}}`, "invalid schema"},
		"required not a list":   {`{"required":true}`, "invalid schema"},
		"properties a list":     {`{"properties":[]}`, "invalid schema"},
		"negative length":       {`{"minLength":-1}`, "invalid schema"},
		"multiple of zero":      {`{"multipleOf":0}`, "invalid schema"},
		"objekt in if":          {`{"if":{"type":"objekt"}}`, "invalid schema"},
		"objekt with items":     {`{"items":[{}],"$defs":{"a":{"type":"objekt"}}}`, "invalid schema"},
		"a string":              {`"object"`, "invalid schema"},
		"null":                  {`null`, "invalid schema"},
		"a list":                {`[]`, "invalid schema"},
		"dangling pointer":      {`{"$ref":"#/$defs/a"}`, "invalid schema"},
		"dangling anchor":       {`{"$ref":"#a"}`, "invalid schema"},
		"text that is not JSON": {`{"type":}`, "invalid schema"},
		"duplicate member":      {`{"type":"object","type":"string"}`, "invalid schema"},
	})
}

func TestCompileResolvesNothingAndHasLimits(t *testing.T) {
	checkCompile(t, map[string]compileTest{
		"remote reference":         {`{"$ref":"https://example.com/a.json"}`, "undecidable reference"},
		"file reference":           {`{"$ref":"file:///etc/hostname"}`, "undecidable reference"},
		"relative reference":       {`{"$ref":"a.json#/b"}`, "undecidable reference"},
		"relative, below":          {`{"properties":{"a":{"$ref":"a.json"}}}`, "undecidable reference"},
		"reference with a space":   {`{"$ref":"#/$defs/a b","$defs":{"a b":{}}}`, "ok"},
		"reference, generics":      {`{"$ref":"#/definitions/List<A>","definitions":{"List<A>":{}}}`, "ok"},
		"id and reference to it":   {`{"$id":"https://example.com/s","properties":{"a":{"$ref":"https://example.com/s#/$defs/b"}},"$defs":{"b":{}}}`, "ok"},
		"reference to meta-schema": {`{"$ref":"https://json-schema.org/draft/2020-12/schema"}`, "ok"},
		"look-ahead":               {`{"pattern":"^(?=.*[0-9]).+$"}`, "ok"},
		"look-ahead in 07":         {`{"$schema":"http://json-schema.org/draft-07/schema#","pattern":"^(?!x)"}`, "ok"},
		"escape of ECMAScript":     {`{"pattern":"^\\u0041\\cA[^]$"}`, "ok"},
		"name in pattern, Go":      {`{"pattern":"(?P<year>[0-9]{4})"}`, "ok"},
		"pattern of no engine":     {`{"pattern":"(["}`, "undecidable pattern"},
		"pattern of no engine, 07": {`{"$schema":"http://json-schema.org/draft-07/schema#","pattern":"(["}`,
			"undecidable pattern"},
		"pattern in a name":   {`{"patternProperties":{"([":{}}}`, "undecidable pattern"},
		"pattern and objekt":  {`{"pattern":"([","type":"objekt"}`, "invalid schema"},
		"number too large":    {`{"minimum":1e1000001}`, "undecidable limit"},
		"count beyond an int": {`{"maxLength":18446744073709551616}`, "ok"},
		"deep":                {strings.Repeat(`{"not":`, 300) + `{}` + strings.Repeat(`}`, 300), "undecidable limit"},
		"long":                {`{"description":"` + strings.Repeat("a", 64<<10) + `"}`, "undecidable limit"},
		"many":                {`{"allOf":[` + strings.Repeat(`{"type":"object"},`, 1000) + `{}]}`, "undecidable limit"},
		"very many":           {`{"allOf":[` + strings.Repeat(`true,`, 9000) + `true]}`, "undecidable limit"},
		"doubling":            {doubling(40), "undecidable expansion"},
		"itself":              {`{"$ref":"#"}`, "ok"},
	})
}

func checkCompile(t *testing.T, tests map[string]compileTest) {
	t.Helper()
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := Compile([]byte(test.schema), Options{})
			if got := outcome(err); got != test.want {
				t.Errorf("Compile returned %s, want %s: %v", got, test.want, err)
			}
		})
	}
}

// doubling returns a schema whose nth definition refers to the next one twice.
func doubling(n int) string {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/d0","$defs":{`)
	for i := range n {
		fmt.Fprintf(&b, `"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	fmt.Fprintf(&b, `"d%d":{"type":"object"}}}`, n)
	return b.String()
}

func TestCompileNamesFault(t *testing.T) {
	_, err := Compile([]byte(`{"properties":{"a":{"type":"objekt"}}}`), Options{})
	e, ok := errors.AsType[*InvalidSchema](err)
	if !ok || len(e.Causes) != 1 {
		t.Fatalf("Compile returned %v, want an InvalidSchema with one cause", err)
	}
	if diff := cmp.Diff([2]string{"anyOf", "/properties/a/type"},
		[2]string{e.Causes[0].Keyword, e.Causes[0].InstancePointer}); diff != "" {
		t.Errorf("keyword of the meta-schema and place (-want +got):\n%s", diff)
	}
	if dialect := "https://json-schema.org/draft/2020-12/schema"; !strings.Contains(e.Message, dialect) {
		t.Errorf("the message is %q, want one that names %s", e.Message, dialect)
	}
}

func TestCompileValueCopiesSchema(t *testing.T) {
	doc := map[string]any{"required": []any{"a"}}
	s, err := CompileValue(doc, Options{})
	if err != nil {
		t.Fatal(err)
	}
	doc["required"].([]any)[0] = "b"
	if got := outcome(s.Validate(map[string]any{"b": true})); got != "invalid" {
		t.Errorf("after a change of the document the value is %s, want invalid", got)
	}
}

func TestDialect(t *testing.T) {
	tests := map[string]int{
		`{}`:                                    2020,
		`{"items":[{}],"definitions":{}}`:       2019,
		`{"maximum":1,"exclusiveMaximum":true}`: 4,
		`{"$schema":"http://json-schema.org/draft-06/schema#"}`: 6,
	}
	for schema, want := range tests {
		s, err := Compile([]byte(schema), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.root.DraftVersion; got != want {
			t.Errorf("%s was read in draft %d, want %d", schema, got, want)
		}
	}
}
