package proof

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	acpsuite "github.com/capconform/capconform/suites/acp"
)

// TestClosedConnectionsOfPackages: an ACP subject that always closes the connection of one operation fails the
// requirement of that operation, and no other that it can still fulfil.
func TestClosedConnectionsOfPackages(t *testing.T) {
	t.Parallel()
	methods := map[string][]string{
		"acp.uninstall":      {"ACP-ABS-02"},
		"acp.message":        {"ACP-EXEC-01"},
		"resolve_capability": {"ACP-INDEX-01", "ACP-INDEX-04", "ACP-INDEX-05", "ACP-INDEX-09"},
	}
	for i, method := range slices.Sorted(maps.Keys(methods)) {
		t.Run(method, func(t *testing.T) {
			sampled(t, i, len(methods))
			t.Parallel()
			url := closingAt(t, "acp", func(r closable) bool { return r.method == method })
			require.Equal(t, methods[method], failedBy(t, acpsuite.Definition(), url))
		})
	}
}
