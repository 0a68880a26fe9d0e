package reference_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
)

// The paths of the text are served in addition to JSON-RPC and the binding of CHP.
func TestListsOfACDOverHTTP(t *testing.T) {
	server := httptest.NewServer(newHost(t, reference.Options{}).HTTPHandler())
	defer server.Close()
	for path, want := range map[string][]string{
		"/listSubAgents":                      {"cap.researcher", "cap.translator"},
		"/listCapabilities?execution=agent":   {"cap.researcher", "cap.translator"},
		"/listCapabilities?execution=bogus":   {},
		"/listCapabilities?enabled=false":     {"cap.archive", "cap.attic"},
		"/listCapabilities?kind=template&x=1": {"cap.form"},
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, http.NoBody)
		require.NoError(t, err)
		response, err := server.Client().Do(request)
		require.NoError(t, err)
		var got struct {
			Capabilities []struct {
				ID string `json:"capability_id"`
			} `json:"capabilities"`
		}
		require.NoError(t, json.NewDecoder(response.Body).Decode(&got), path)
		require.NoError(t, response.Body.Close())
		ids := []string{}
		for _, c := range got.Capabilities {
			ids = append(ids, c.ID)
		}
		if diff := cmp.Diff(want, ids); diff != "" {
			t.Errorf("%s (-want +got)\n%s", path, diff)
		}
	}
}
