package lint

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/document"
)

func TestMisspeltSuggestsName(t *testing.T) {
	tests := []struct{ text, name, want string }{
		{`{"capabilityId": 1}`, "capability_id", `; is it the member "capabilityId"?`},
		{`{"id": 1}`, "capability_id", `; is it the member "id"?`},
		{`{"weather": 1}`, "capability_id", ""},
		{`{"mcp_action": null}`, "mcp_action", ""}, // the member exists and is null
		{`{"kind": 1}`, "king", ""},                // the member has another meaning
	}
	for _, c := range tests {
		file, err := document.Parse("a.json", []byte(c.text), document.Limits{})
		require.NoError(t, err)
		if diff := cmp.Diff(c.want, Misspelt(file.Roots[0], c.name, []string{"kind"})); diff != "" {
			t.Errorf("%s for %s (-want +got)\n%s", c.text, c.name, diff)
		}
	}
}
