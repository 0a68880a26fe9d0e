package format

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/reporttest"
	"github.com/capconform/capconform/reports/verification"
	"github.com/capconform/capconform/spec"
)

// TestPageExplainsUnmetRequirements checks that the page shows the sentences of the feature and the illustration of a
// requirement that needs an explanation, and only then.
func TestPageExplainsUnmetRequirements(t *testing.T) {
	const name = "Invoke answers NOT_FOUND for a pair that is not listed"
	failed := reports.Scenario{Name: name, Status: reports.Failed, Failure: &reports.Failure{Message: "found",
		Step: "each invocation of an unlisted pair is answered with NOT_FOUND", Exchanges: []reports.Exchange{}}}
	for _, tt := range []struct {
		name     string
		suite    string
		scenario reports.Scenario
		want     []string
		none     []string
	}{
		{
			"failed", "cap", failed,
			[]string{"<li>some invocation succeeded</li>",
				`<li class="here">each invocation of an unlisted pair is answered with NOT_FOUND`, "Kept by the reference", "Broken by cap-"},
			[]string{"At the sentence"},
		},
		{
			"inconclusive", "cap", reports.Scenario{Name: name, Status: reports.Inconclusive, Reason: "nothing to invoke"},
			[]string{"<li>each invocation of an unlisted pair is answered with NOT_FOUND</li>"},
			[]string{`class="here"`, "Kept by the reference"},
		},
		{"passed", "cap", reports.Scenario{Name: name, Status: reports.Passed}, nil, []string{`class="steps"`, "Kept by the reference"}},
		{"of another build", "cap", renamed(failed, "A scenario that was"),
			[]string{"At the sentence: each invocation of an unlisted pair", "Kept by the reference"}, []string{`class="steps"`}},
		{"of an unknown suite", "zap", failed, []string{"At the sentence: each invocation of an unlisted pair"},
			[]string{`class="steps"`, "Kept by the reference"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := reporttest.CAP(reports.Requirement{ID: "CAP-ERR-01", Level: "MUST", Section: "Errors", Summary: "s",
				Status: tt.scenario.Status, Scenarios: []reports.Scenario{tt.scenario}})
			s.Suite = tt.suite
			var page strings.Builder
			require.NoError(t, writeHTML(&page, reporttest.Settled(reporttest.Base(s)), Options{}))
			_, list, _ := strings.Cut(page.String(), `<details class="requirement"`)
			for _, want := range tt.want {
				if !strings.Contains(list, want) {
					t.Errorf("want %s in %s", want, list)
				}
			}
			for _, none := range tt.none {
				if strings.Contains(list, none) {
					t.Errorf("do not want %s in %s", none, list)
				}
			}
		})
	}
}

// TestPageLinksToTheText: a requirement of a text that is data links to its sentence, and says how to dispute a reading
// only if it is not met.
func TestPageLinksToTheText(t *testing.T) {
	r := reporttest.Settled(reporttest.Base(reporttest.CAP(
		reports.Requirement{ID: "CAP-ERR-01", Level: "MUST", Section: "Errors", Status: reports.Inconclusive},
		reports.Requirement{ID: "CAP-ERR-02", Level: "MUST", Section: "Errors", Status: reports.Passed})))
	r.Suites[0].Suite, r.Suites[0].TextDigest = "zap", "d"
	text := verification.Text{Digest: "d", Catalogue: &spec.Catalogue{Requirements: []spec.Requirement{
		{ID: "CAP-ERR-01", Section: "<Errors>", Source: "https://text.example/?a=1&b=2#errors", Resolution: "Any code."},
		{ID: "CAP-ERR-02", Section: "Errors", Resolution: "Any message."}}}}
	for digest, want := range map[string][4]int{"d": {1, 1, 1, 1}, "of another text": {}} {
		text.Digest = digest
		var page strings.Builder
		require.NoError(t, writeHTML(&page, r, OptionsOf(r, []verification.Text{text})))
		for i, part := range []string{`<a href="https://text.example/?a=1&amp;b=2#errors" rel="noreferrer">&lt;Errors&gt;</a>`,
			"<dt>Read otherwise?</dt><dd>Tell those who keep the catalogue. Name CAP-ERR-01 and",
			"<dt>Read as</dt><dd>Any code.</dd>", "<dt>Read as</dt><dd>Any message.</dd>"} {
			require.Equal(t, want[i], strings.Count(page.String(), part), part)
		}
	}
}

func renamed(sc reports.Scenario, name string) reports.Scenario {
	sc.Name = name
	return sc
}

// TestIllustrationsAreRead decodes every line that the binary contains.
func TestIllustrationsAreRead(t *testing.T) {
	for _, suite := range []string{"cap", "chp", "acp", "acd"} {
		lines, err := illustrated(suite)
		require.NoError(t, err)
		require.NotEmpty(t, lines)
		for id := range lines {
			shown, err := Illustrated(suite, id)
			require.NoError(t, err)
			if shown.Requirement != id || shown.Found == "" || shown.Breaker == "" {
				t.Errorf("%s: %+v", id, shown)
			}
		}
	}
	if shown, err := Illustrated("cap", "CAP-NONE-01"); shown != nil || err != nil {
		t.Errorf("want nil and no error, got %+v, %v", shown, err)
	}
	if shown, err := Illustrated("zap", "ZAP-1-01"); shown != nil || err != nil {
		t.Errorf("want nil and no error for a suite without illustrations, got %+v, %v", shown, err)
	}
}
