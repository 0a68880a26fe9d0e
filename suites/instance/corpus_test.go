package instance

import (
	"errors"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/schemas"
)

// corpus compiles the schemas of testdata/corpus.json, by name.
func corpus(t testing.TB) map[string]*schemas.Schema {
	t.Helper()
	raw, err := os.ReadFile("testdata/corpus.json")
	require.NoError(t, err)
	doc, err := schemas.Decode(raw, schemas.Limits{})
	require.NoError(t, err)
	compiled := map[string]*schemas.Schema{}
	for name, schema := range doc.(map[string]any) {
		compiled[name], err = schemas.CompileValue(schema, schemas.Options{})
		require.NoError(t, err, name)
	}
	return compiled
}

func compile(t testing.TB, schema string) *schemas.Schema {
	t.Helper()
	s, err := schemas.Compile([]byte(schema), schemas.Options{})
	require.NoError(t, err)
	return s
}

func value(t testing.TB, text string) any {
	t.Helper()
	v, err := schemas.Decode([]byte(text), schemas.Limits{})
	require.NoError(t, err)
	return v
}

// wire converts a value to JSON and back, as a host receives it.
func wire(t testing.TB, v any) any { return value(t, textOf(v)) }

// Every schema of the corpus has valid inputs, which are accepted, and faults, which are refused only for the keyword
// that they name, at the place that they name.
func TestCorpus(t *testing.T) {
	unbreakable := []string{"no members", "bare object", "empty schema", "true"}
	for name, s := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			for seed := range int64(5) {
				inputs, err := ValidObject(s, seed)
				require.NoError(t, err)
				faults := 0
				for _, input := range inputs {
					if err := s.Validate(wire(t, input.Value)); err != nil {
						t.Errorf("seed %d: the %s input %s is refused: %v", seed, input.Note, textOf(input.Value), err)
					}
					if _, ok := input.Value.(map[string]any); !ok {
						t.Errorf("seed %d: the %s input is not an object", seed, input.Note)
					}
					for _, fault := range Invalid(s, input.Value, Options{Seed: seed}) {
						faults++
						checkFault(t, s, fault)
					}
				}
				if faults == 0 != slices.Contains(unbreakable, name) {
					t.Errorf("seed %d: %d faults of %v", seed, faults, inputs)
				}
			}
		})
	}
}

func checkFault(t *testing.T, s *schemas.Schema, fault Fault) {
	t.Helper()
	if _, ok := fault.Input.(map[string]any); !ok {
		t.Errorf("%s at %q: the input is not an object", fault.Keyword, fault.Pointer)
	}
	invalid, ok := errors.AsType[*schemas.Invalidity](s.Validate(wire(t, fault.Input)))
	if !ok {
		t.Errorf("%s at %q (%s): %s is accepted", fault.Keyword, fault.Pointer, fault.Note, textOf(fault.Input))
		return
	}
	var got [][2]string
	for _, c := range primary(invalid.Causes) {
		got = append(got, [2]string{c.Keyword, c.InstancePointer})
	}
	if diff := cmp.Diff([][2]string{{fault.Keyword, fault.Pointer}}, got); diff != "" {
		t.Errorf("%s: %s is refused for another reason (-want +got):\n%s", fault.Note, textOf(fault.Input), diff)
	}
	if fault.Keyword == "format" || fault.Note == "" {
		t.Errorf("a fault of %q with the note %q", fault.Keyword, fault.Note)
	}
}

// coveredFaults are, by schema, the keywords and places of its faults.
var coveredFaults = map[string][]string{
	"closed object, draft-07": {"additionalProperties ", "maxLength /message", "maximum /repeat", "minLength /message",
		"minimum /repeat", "required ", "type /message", "type /repeat"},
	"zod defaults": {"additionalProperties ", "additionalProperties /edits/0", "required ",
		"required /edits/0", "type /dryRun", "type /edits", "type /edits/0", "type /edits/0/newText",
		"type /edits/0/oldText", "type /edits/1", "type /path", "type /tail"},
	"zod union":         {"additionalProperties ", "anyOf /id", "anyOf /mode", "required "},
	"pydantic optional": {"anyOf /days", "required ", "type /city"},
	"pydantic nested": {"enum /address/kind", "enum /others/0/kind", "maxItems /others", "required ",
		"required /address", "required /others/0", "type /address", "type /address/kind", "type /address/street",
		"type /others", "type /others/0", "type /others/0/kind", "type /others/0/street", "type /others/1"},
	"go sdk":            {"additionalProperties ", "required ", "type /name", "type /tags", "type /tags/0", "type /tags/1"},
	"enum with default": {"enum /level", "enum /unit", "required ", "type /level", "type /unit"},
	"exclusive bounds": {"exclusiveMaximum /count", "exclusiveMaximum /ratio", "exclusiveMinimum /count",
		"exclusiveMinimum /ratio", "required ", "type /count", "type /ratio"},
	"exclusive bounds, draft-04": {"exclusiveMaximum /ratio", "exclusiveMinimum /ratio", "required ", "type /ratio"},
	"multiples": {"maximum /even", "minimum /even", "minimum /quarter", "multipleOf /even",
		"multipleOf /quarter", "required ", "type /even", "type /quarter"},
	"patterns": {"maxLength /slug", "minLength /slug", "pattern /sha", "pattern /slug",
		"pattern /version", "required ", "type /sha", "type /slug", "type /version"},
	"look-ahead with example": {"required ", "type /password"},
	"tuple": {"items /point", "minItems /point", "required ", "type /point", "type /point/0",
		"type /point/1"},
	"tuple, draft-07": {"additionalItems /point", "minItems /point", "required ", "type /point",
		"type /point/0", "type /point/1"},
	"arrays": {"enum /flags/0", "enum /flags/1", "enum /flags/2", "maxItems /tags", "minItems /flags",
		"minItems /tags", "required ", "type /flags", "type /tags", "type /tags/0", "type /tags/1", "type /tags/2",
		"uniqueItems /flags", "uniqueItems /tags"},
	"contains": {"contains /ys", "maxContains /xs", "minContains /xs", "required ", "type /xs",
		"type /ys"},
	"dependencies":           {"dependentRequired ", "type /address", "type /card", "type /zip"},
	"dependencies, draft-07": {"dependencies ", "required ", "type /address", "type /card", "type /city"},
	"record": {"maxProperties /env", "minProperties /env", "required ", "type /env",
		"type /env/capconform_unlikely_member", "type /env/key1"},
	"all of":                {"minimum /b", "required ", "type /a", "type /b", "unevaluatedProperties "},
	"one of, discriminated": {"oneOf /shape", "required "},
	"one of required":       {"oneOf ", "type /id"},
	"if then else":          {"enum /kind", "required ", "type /x", "type /y"},
	"not":                   {"not ", "not /n", "not /word", "required ", "type /word"},
	"escaped names":         {"required ", "required /a~1b", "type /a~1b", "type /a~1b/c~0d"},
	"forbidden member":      {"properties /old", "required ", "type /new"},
	"counts":                {"maxProperties ", "minProperties ", "type /a", "type /b", "type /c"},
	"nullable":              {"const /c", "required ", "type /a", "type /b"},
}

// The keywords and places at which the fuller input of a schema can be broken.
func TestFaultsCoverTheSchema(t *testing.T) {
	compiled := corpus(t)
	for name, want := range coveredFaults {
		t.Run(name, func(t *testing.T) {
			s := compiled[name]
			require.NotNil(t, s)
			inputs, err := ValidObject(s, 0)
			require.NoError(t, err)
			got := map[string]bool{}
			for _, input := range inputs {
				for _, fault := range Invalid(s, input.Value, Options{}) {
					got[fault.Keyword+" "+fault.Pointer] = true
				}
			}
			if diff := cmp.Diff(want, slices.Sorted(maps.Keys(got))); diff != "" {
				t.Errorf("keywords and places (-want +got):\n%s", diff)
			}
		})
	}
}
