package capsuite

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRulesCompile(t *testing.T) {
	all, err := rules()
	require.NoError(t, err)
	require.NotEmpty(t, all.Rules)
	require.NoError(t, all.Check())
}
