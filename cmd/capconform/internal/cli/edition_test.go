package cli

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
)

// TestSchemaOfTargetNamesEditions checks that an editor offers the editions that run knows.
func TestSchemaOfTargetNamesEditions(t *testing.T) {
	data, err := os.ReadFile("../../../../schemas/target/target.schema.json")
	require.NoError(t, err)
	var schema struct {
		Properties struct {
			Edition struct {
				Enum []string `json:"enum"`
			} `json:"edition"`
		} `json:"properties"`
	}
	require.NoError(t, json.Unmarshal(data, &schema))
	assert.ElementsMatch(t, append(slices.Clone(scope.Editions()), scope.EveryEdition), schema.Properties.Edition.Enum)
}
