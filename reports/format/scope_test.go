package format

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/console"
	"github.com/capconform/capconform/reports/reporttest"
)

// newerHost returns a conformant report of a host that prefers a newer version.
func newerHost() *reports.Report {
	r := reporttest.Conformant()
	s := &r.Suites[0]
	s.Suite, s.SpecVersion, s.Edition = "chp", "0.1", "2026-06-draft"
	s.Actors, s.Declared = []string{"host"}, []string{"0.2", "0.1"}
	return reporttest.Settled(r)
}

// TestEveryVerdictNamesItsLimits checks that the edition, the actors, the driver, the provided MUSTs and the versions
// that were not examined are shown with the verdict.
func TestEveryVerdictNamesItsLimits(t *testing.T) {
	limits := []string{"edition 2026-06-draft, host", "5 judged MUSTs kept, 1 of them by an adapter or a mapping",
		"The host prefers 0.2, which was not examined"}
	var printed strings.Builder
	require.NoError(t, console.Write(&printed, newerHost(), console.Options{Width: 400}))
	outputs := map[string]string{"console": printed.String()}
	for _, name := range []string{"html", "markdown", "junit", "intoto", "github", "ctrf"} {
		outputs[name] = write(t, name, newerHost(), Options{})
	}
	var matrix, page strings.Builder
	m := NewMatrix([]*reports.Report{newerHost(), reporttest.Conformant()})
	require.NoError(t, m.WriteMarkdown(&matrix))
	require.NoError(t, m.WriteHTML(&page))
	outputs["matrix"], outputs["matrix page"] = matrix.String(), page.String()
	for name, text := range outputs {
		for _, limit := range limits {
			if !strings.Contains(text, limit) {
				t.Errorf("%s does not contain %q:\n%s", name, limit, text)
			}
		}
		if !strings.Contains(text, "over http") && !strings.Contains(text, ", http") {
			t.Errorf("%s does not name the driver", name)
		}
	}
	badge := write(t, "badge", newerHost(), Options{})
	for _, limit := range []string{"edition 2026-06-draft, host", "5 of 5 MUSTs kept, 1 of them by an adapter",
		"prefers 0.2, which was not examined"} {
		if !strings.Contains(badge, limit) {
			t.Errorf("badge does not contain %q: %s", limit, badge)
		}
	}
}
