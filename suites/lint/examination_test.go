package lint

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites"
)

func TestProfileOfDocuments(t *testing.T) {
	advice := map[string]string{"A-1-09": "advice, looked at with --strict alone"}
	for _, c := range []struct {
		name    string
		subject suites.Subject
		want    suites.Profile
	}{
		{"authors", suites.Subject{}, suites.Profile{Actors: []string{"host", "caller"}, Beyond: advice}},
		{"named actors", suites.Subject{Actors: []string{"caller"}}, suites.Profile{Actors: []string{"caller"}, Beyond: advice}},
		{"strict", suites.Subject{Options: map[string]string{"strict": "true"}}, suites.Profile{Actors: []string{"host", "caller"}, Beyond: map[string]string{}}},
	} {
		got := Profile(&c.subject, []string{"host", "caller", "host"}, []string{"A-1-09"})
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// A rule file with another key makes nothing that could pass.
func TestBrokenRuleFileIsReported(t *testing.T) {
	rules, err := LoadRules([]byte("- requirement: A-1-01\n  sentence: each a has its b\n  wants: a b\n"))
	require.ErrorContains(t, err, "field wants not found")
	read := func(context.Context) (*Findings, error) { return NewFindings(), nil }
	e := Examine(NewVocabulary(nil, rules, err), suites.Profile{}, read)
	require.ErrorIs(t, e.hold(t.Context(), "files"), err)
	_, err = Examine(NewVocabulary(nil, nil, nil), suites.Profile{}, read).findings(t.Context())
	require.NoError(t, err)
}
