package proof

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites"
	capsuite "github.com/capconform/capconform/suites/cap"
	chpsuite "github.com/capconform/capconform/suites/chp"
)

// TestIllustrate shows a requirement of each kind broken, and what it takes to be kept.
func TestIllustrate(t *testing.T) {
	population, err := Everything()
	require.NoError(t, err)
	for _, tt := range []struct {
		definition suites.Definition
		id         string
		live       bool
	}{
		{capsuite.Definition(), "CAP-DIS-04", true},
		{chpsuite.Definition(), "CHP-7-03", true},
		{capsuite.Definition(), "CAP-REF-02", false},
	} {
		s, err := suites.New(tt.definition)
		require.NoError(t, err)
		shown, err := population.Illustrate(context.Background(), s, tt.id)
		require.NoError(t, err)
		require.NotNil(t, shown, tt.id)
		if shown.Failure == nil || shown.Failure.Message == "" || shown.Summary == "" {
			t.Errorf("%s: %+v", tt.id, shown)
		}
		if live := shown.Broken != nil && shown.Kept != nil; live != tt.live {
			t.Errorf("%s: live %v, want %v", tt.id, live, tt.live)
		}
		if tt.live && shown.Kept.Received.Text == shown.Broken.Received.Text {
			t.Errorf("%s: both received %s", tt.id, shown.Kept.Received.Text)
		}
		if !tt.live && shown.Line == "" {
			t.Errorf("%s: no line of the document", tt.id)
		}
	}
}
