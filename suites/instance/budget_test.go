package instance

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/schemas"
)

// dependents returns a schema that is deliberately slow: 900 members that each require the next one, and 300
// subschemas that depend on members.
func dependents(t *testing.T) *schemas.Schema {
	t.Helper()
	var required, subschemas []string
	for i := range 900 {
		required = append(required, fmt.Sprintf(`"m%d":["m%d"]`, i, i+1))
	}
	for i := range 300 {
		subschemas = append(subschemas, fmt.Sprintf(`"m%d":{"required":["n%d"]}`, i, i))
	}
	text := `{"type":"object","required":["m0"],"dependentRequired":{` + strings.Join(required,
		",") + `},"dependentSchemas":{` + strings.Join(subschemas, ",") + `}}`
	schema, err := schemas.Compile([]byte(text), schemas.Options{})
	require.NoError(t, err)
	return schema
}

// Generation ends when its steps are used up; at most one of its parts may exceed them.
func TestGenerationIsBoundedInSteps(t *testing.T) {
	const steps = 1_000_000
	allowance := schemas.NewAllowance(t.Context(), steps)
	schema := dependents(t).Within(allowance)
	inputs, err := ValidObject(schema, 1)
	for _, i := range inputs {
		Invalid(schema, i.Value, Options{})
		Edges(schema, i.Value, 0)
	}
	if allowance.Left() > 0 || err == nil && len(inputs) == 0 {
		t.Errorf(
			"%d steps are left, %d inputs, %v: the schema is not slow any more",
			allowance.Left(),
			len(inputs),
			err,
		)
	}
	if err := schema.Spend(0); err == nil {
		t.Error("an exhausted allowance permits a step")
	}
	if err := schema.Validate(map[string]any{}); err == nil {
		t.Error("a validation succeeds with an exhausted allowance")
	}
}

// The cost of an ordinary schema is far below the bound.
func TestOrdinarySchemaIsFarBelowBound(t *testing.T) {
	compiled, err := schemas.Compile([]byte(worked), schemas.Options{})
	require.NoError(t, err)
	allowance := schemas.NewAllowance(t.Context(), makingSteps/100)
	schema := compiled.Within(allowance)
	inputs, err := ValidObject(schema, 1)
	require.NoError(t, err)
	faults := Invalid(schema, inputs[0].Value, Options{})
	if len(faults) == 0 || len(faults) != len(Invalid(compiled, inputs[0].Value, Options{})) || allowance.Left() == 0 {
		t.Errorf("%d faults with a hundredth of the steps", len(faults))
	}
}

// Nothing is generated after the end of the run, and what was cut short is generated again.
func TestGenerationEndsWithRun(t *testing.T) {
	template, err := (&Cache{}).Template(value(t, worked))
	require.NoError(t, err)
	ended, end := context.WithCancel(t.Context())
	end()
	if made, err := template.Valid(ended, 1); err == nil || len(made) > 0 {
		t.Errorf("%d inputs were generated after the end", len(made))
	}
	made, err := template.Valid(t.Context(), 1)
	require.NoError(t, err)
	if len(template.Invalid(ended, made[0].Text, Options{})) > 0 || len(template.Edges(ended, made[0].Text, 0)) > 0 {
		t.Error("inputs were generated after the end")
	}
	if len(template.Invalid(t.Context(), made[0].Text, Options{})) == 0 ||
		len(template.Edges(t.Context(), made[0].Text, 0)) == 0 {
		t.Error("results that were cut short are cached")
	}
}
