package proof

import (
	"testing"

	"github.com/stretchr/testify/require"

	acpsuite "github.com/capconform/capconform/suites/acp"
)

// TestClosedConnectionsOfPackages: an ACP subject that always closes the connection of one operation fails the
// requirement of that operation, and no other that it can still fulfil.
func TestClosedConnectionsOfPackages(t *testing.T) {
	t.Parallel()
	for method, fails := range map[string][]string{
		"acp.uninstall":      {"ACP-ABS-02"},
		"acp.message":        {"ACP-EXEC-01"},
		"resolve_capability": {"ACP-INDEX-01", "ACP-INDEX-04", "ACP-INDEX-05", "ACP-INDEX-09"},
	} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			url := closingAt(t, "acp", func(r closable) bool { return r.method == method })
			require.Equal(t, fails, failedBy(t, acpsuite.Definition(), url))
		})
	}
}
