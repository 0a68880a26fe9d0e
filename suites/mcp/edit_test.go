package mcp_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/mcp"
	"github.com/capconform/capconform/suites/prove"
	"github.com/capconform/capconform/suites/record"
)

// An edit is judged by the requirements that read the answer. The others keep their status: it is what all of them give.
func TestEditsAreJudgedByWhatReadsThem(t *testing.T) {
	for _, edition := range mcp.Editions() {
		t.Run(edition, func(t *testing.T) {
			t.Parallel()
			own, err := mcp.Load(edition)
			require.NoError(t, err)
			s, _, stored := examined(t, own, edition, reference(edition))
			n, step := 0, 97
			if testing.Short() {
				step = 997
			}
			some, err := prove.Edits(context.Background(), s, own, stored, func(prove.Edit) bool {
				n++
				return n%step == 0
			})
			require.NoError(t, err)
			require.Greater(t, len(some), 5)
			for _, e := range some {
				whole, err := suites.Judge(context.Background(), []*suites.Suite{s},
					stored.With([]record.Entry{e.Entry}), suites.Options{Explicit: true, Concurrency: 1})
				require.NoError(t, err)
				for _, q := range whole.Suites[0].Requirements {
					assert.Equal(t, q.Status, e.After[q.ID], "%s: %s", e, q.ID)
				}
			}
		})
	}
}
