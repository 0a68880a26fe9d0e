package reports

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// newerHost is a conformant report of a host that prefers a newer version.
func newerHost() *Report {
	r := conformantReport()
	s := &r.Suites[0]
	s.Suite, s.SpecVersion, s.Edition = "chp", "0.1", "2026-06-draft"
	s.Actors, s.Declared = []string{"host"}, []string{"0.2", "0.1"}
	return settled(r)
}

// TestEveryVerdictNamesItsLimits looks for the edition, the actors, the driver, the
// provided MUSTs and the versions that were not examined beside the verdict.
func TestEveryVerdictNamesItsLimits(t *testing.T) {
	limits := []string{"edition 2026-06-draft, host", "5 judged MUSTs kept, 1 of them by an adapter or a mapping",
		"The host prefers 0.2, which was not examined"}
	var printed strings.Builder
	require.NoError(t, Console(&printed, newerHost(), ConsoleOptions{Width: 400}))
	said := map[string]string{"console": printed.String()}
	for _, name := range []string{"html", "markdown", "junit", "intoto", "github", "ctrf"} {
		said[name] = write(t, name, newerHost(), Options{})
	}
	var matrix, page strings.Builder
	m := NewMatrix([]*Report{newerHost(), conformantReport()})
	require.NoError(t, m.WriteMarkdown(&matrix))
	require.NoError(t, m.WriteHTML(&page))
	said["matrix"], said["matrix page"] = matrix.String(), page.String()
	for name, text := range said {
		for _, limit := range limits {
			if !strings.Contains(text, limit) {
				t.Errorf("%s does not say %q:\n%s", name, limit, text)
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
			t.Errorf("badge does not say %q: %s", limit, badge)
		}
	}
}

func TestBeyond(t *testing.T) {
	for want, s := range map[string]Suite{
		"": {SpecVersion: "0.1", Actors: []string{"host"}, Declared: []string{"0.1"}},
		"The host prefers 0.2, which was not examined.": {SpecVersion: "0.1", Actors: []string{"host"},
			Declared: []string{"0.2", "0.1"}},
		"The host declares 0.2, which was not examined.": {SpecVersion: "0.1", Actors: []string{"host"},
			Declared: []string{"0.2"}},
		"The host also declares 0.2 and 0.3, which were not examined.": {SpecVersion: "0.1", Actors: []string{"host"},
			Declared: []string{"0.1", "0.2", "0.3"}},
		"The target file leaves out what the subject also plays: router, runtime.": {
			SpecVersion: "1", Actors: []string{"index"}, LeftOut: []string{"router", "runtime"},
		},
	} {
		if got := s.beyond(); got != want {
			t.Errorf("want %q, got %q", want, got)
		}
	}
}
