package format

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/console"
	"github.com/capconform/capconform/reports/reporttest"
)

// Every format that explains a failure reports in how many places it was found.
func TestFormatsReportNumberOfPlaces(t *testing.T) {
	r := reporttest.Nonconformant()
	for i := range r.Suites {
		for j := range r.Suites[i].Requirements {
			if f := r.Suites[i].Requirements[j].Failure(); f != nil {
				f.Kinds = []reports.FailureKind{{Message: "something is odd", Count: 7, Want: "w", Got: "g"}}
			}
		}
	}
	for _, format := range []string{"html", "markdown", "junit", "tap"} {
		if !strings.Contains(write(t, format, r, Options{}), "something is odd (7)") {
			t.Errorf("%s does not report what was found", format)
		}
	}
	var printed strings.Builder
	require.NoError(t, console.Write(&printed, r, console.Options{Width: 120}))
	require.Contains(t, printed.String(), "something is odd (7)")
}
