package proof

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/trial"
	"github.com/capconform/capconform/suites/driver"
)

// A trial in which an answer was late is run once more, and its second result counts. Another fault stands.
func TestLateTrialsAreRepeated(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		faults []error // of each run
		runs   int
		ok     bool
	}{
		"sound":     {[]error{nil}, 1, true},
		"late":      {[]error{driver.ErrTimeout, nil}, 2, true},
		"late ever": {[]error{driver.ErrTimeout, driver.ErrTimeout}, 2, false},
		"wrong":     {[]error{driver.ErrClosed}, 1, false},
	} {
		runs := 0
		got := (&pool{workers: 1}).run(t.Context(), []task{{run: func(_ context.Context, result *trial.Result) {
			if err := c.faults[runs]; err != nil {
				result.Fault("is error (%v)", err)
			}
			runs++
		}}})
		assert.Equal(t, c.runs, runs, name)
		assert.Equal(t, c.ok, got[0].OK(), name)
		assert.Equal(t, c.runs > 1, got[0].Repeated, name)
	}
}
