package console

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/reporttest"
)

// Texts of a target are escaped in the comparison with a gateway, too.
func TestGatewayTextIsEscaped(t *testing.T) {
	g := reporttest.Through("MUST", reports.Passed, reports.Failed)
	q := &g.Difference.New.Suites[0].Requirements[0]
	q.Scenarios[0].Failure.Got = "\x1b[31mred\n::error::forged"
	g.Difference.New.Subject.Target = "http://127.0.0.1/\x1b[0m"
	var text bytes.Buffer
	require.NoError(t, WriteGateway(&text, g, Options{}))
	assert.NotContains(t, text.String(), "\x1b")
	for line := range strings.Lines(text.String()) {
		assert.False(t, strings.HasPrefix(strings.TrimSpace(line), "::"), line)
	}
	assert.Contains(t, text.String(), "broken by the gateway")
	assert.Contains(t, text.String(), "✗  edge breaks 1 requirement that the direct run keeps")
}
