package instance

import (
	"encoding/json"
	"os"
	"testing"

	google "github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/schemas"
)

// The library that confirms the inputs may be wrong; a library that shares nothing with it must agree. It supports
// only draft-07, 2020-12 and Go's regular expressions.
func TestSecondOpinion(t *testing.T) {
	raw, err := os.ReadFile("testdata/corpus.json")
	require.NoError(t, err)
	var corpus map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(raw, &corpus))
	unknown := map[string]bool{"exclusive bounds, draft-04": true, "tuple, no dialect": true, "recursive, 2019-09": true,
		"look-ahead with example": true}
	judged := 0
	for name, schema := range corpus {
		if unknown[name] {
			continue
		}
		other := second(t, name, schema)
		s, err := schemas.Compile(schema, schemas.Options{})
		require.NoError(t, err)
		for seed := range int64(3) {
			inputs, err := ValidObject(s, seed)
			require.NoError(t, err)
			for _, input := range inputs {
				judged++
				if err := other.Validate(plainValue(t, input.Value)); err != nil {
					t.Errorf("%s: %s is refused: %v", name, textOf(input.Value), err)
				}
				for _, fault := range Invalid(s, input.Value, Options{Seed: seed}) {
					judged++
					if other.Validate(plainValue(t, fault.Input)) == nil {
						t.Errorf(
							"%s: %s is accepted, although it breaks %s at %q",
							name,
							textOf(fault.Input),
							fault.Keyword,
							fault.Pointer,
						)
					}
				}
			}
		}
	}
	if judged < 1000 {
		t.Errorf("only %d inputs were judged", judged)
	}
}

func second(t *testing.T, name string, schema json.RawMessage) *google.Resolved {
	t.Helper()
	var parsed google.Schema
	require.NoError(t, json.Unmarshal(schema, &parsed), name)
	resolved, err := parsed.Resolve(nil)
	require.NoError(t, err, name)
	return resolved
}

// plainValue returns a value as encoding/json decodes it by default.
func plainValue(t *testing.T, v any) any {
	t.Helper()
	var plain any
	require.NoError(t, json.Unmarshal([]byte(textOf(v)), &plain))
	return plain
}
