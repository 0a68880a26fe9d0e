package shape

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/schemas"
)

const manifest = "acd/agent-manifest.schema.json"

func compiled(t *testing.T, name string) *Shape {
	t.Helper()
	s, err := Compile(name)
	require.NoError(t, err)
	return s
}

// flawsOf returns the requirement and the place of each flaw, and whether the member is missing.
func flawsOf(t *testing.T, text string) []string {
	t.Helper()
	flaws, err := compiled(t, manifest).Flaws(schemas.ReadValue([]byte(text)))
	require.NoError(t, err)
	var all []string
	for _, f := range flaws {
		line := f.Requirement + " " + f.Pointer
		if f.Missing {
			line += " missing"
		}
		all = append(all, line)
	}
	return all
}

const validManifest = `{"agent_id":"a","name":"n","version":"1","capabilities":{"registry":"inline","list":["x.y"]}}`

func TestFlawsNameTheRequirement(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"valid":                {validManifest, nil},
		"an additional member": {strings.Replace(validManifest, `{`, `{"further":1,`, 1), nil},
		"missing":              {strings.Replace(validManifest, `"name":"n",`, ``, 1), []string{"ACD-MAN-04  missing"}},
		"another type":         {strings.Replace(validManifest, `"name":"n"`, `"name":7`, 1), []string{"ACD-MAN-04 /name"}},
		"nested":               {strings.Replace(validManifest, `"inline"`, `"else"`, 1), []string{"ACD-MAN-06 /capabilities/registry"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, flawsOf(t, test.text)); diff != "" {
				t.Errorf("flaws (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNonObjectLacksEveryRequiredMember(t *testing.T) {
	s := compiled(t, manifest)
	required := 0
	for _, p := range s.Parts {
		if p.Given == nil {
			required++
		}
	}
	flaws, err := s.Flaws("text")
	require.NoError(t, err)
	require.NotZero(t, required)
	require.Len(t, flaws, required)
}

// Every schema with annotated parts has an annotation for each of them.
func TestAnnotatedSchemasCompile(t *testing.T) {
	annotated := 0
	for _, name := range schemas.Names() {
		raw, err := schemas.Read(name)
		require.NoError(t, err)
		if strings.Contains(string(raw), `"x-requirement"`) {
			annotated++
			compiled(t, name)
		}
	}
	require.GreaterOrEqual(t, annotated, 2)
}

func TestSchemaWithoutAnnotationsIsRefused(t *testing.T) {
	_, err := Compile("acd/agent-manifest.closed.schema.json")
	require.Error(t, err)
	_, err = Compile("acd/nothing.schema.json")
	require.Error(t, err)
}

// A value that plain accepts is valid against the schema, for every part and many values.
func TestPlainAgreesWithSchema(t *testing.T) {
	values := []any{
		"", "x", "0", true, false, json.Number("0"), json.Number("7"), json.Number("-1"), json.Number("1.5"), json.Number("7.0"),
		json.Number("123456789012345678"), map[string]any{}, map[string]any{"correlation_id": "c"}, []any{}, []any{"x"}, []any{map[string]any{}},
	}
	plainly := 0
	for _, name := range schemas.Names() {
		s, err := Compile(name)
		if err != nil {
			continue // a schema without annotations
		}
		for _, p := range s.Parts {
			for _, value := range values {
				if p.plain.accepts(value) {
					plainly++
					require.NoError(t, p.validate(map[string]any{p.Member: value}), "%s %s %v", name, p.Name, value)
				}
			}
		}
	}
	require.Greater(t, plainly, 50)
}
