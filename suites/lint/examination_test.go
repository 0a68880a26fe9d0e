package lint

import (
	"testing"

	"github.com/google/go-cmp/cmp"

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
