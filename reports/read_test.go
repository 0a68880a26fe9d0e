package reports_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/reporttest"
)

func asJSON(t *testing.T, r *reports.Report) string {
	t.Helper()
	var buf bytes.Buffer
	require.NoError(t, reports.WriteJSON(&buf, r))
	return buf.String()
}

// TestReadRoundTrips also validates every report against the schema.
func TestReadRoundTrips(t *testing.T) {
	for name, r := range reporttest.All() {
		text := asJSON(t, r)
		back, err := reports.Read(strings.NewReader(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(text, asJSON(t, back)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
		if before, after := reports.ExitStatus(r, reports.Policy{}), reports.ExitStatus(back, reports.Policy{}); before != after {
			t.Errorf("%s: exit %d before, %d after", name, before, after)
		}
		if !strings.HasSuffix(text, "}\n") || strings.Contains(text, "null") ||
			!strings.HasPrefix(text, "{\n  \"schema_version\": \"1.0\",\n") {
			t.Errorf("%s: not in the form of the document", name)
		}
	}
}

// TestSchemaRefusesInvalidDocuments changes one thing in a valid document.
func TestSchemaRefusesInvalidDocuments(t *testing.T) {
	cases := []struct{ name, place, from, to string }{
		{"an unknown member", "the value", `"kind":`, `"colour": 1, "kind":`},
		{"another kind", "/kind", `"ConformanceReport"`, `"Report"`},
		{"another version", "/schema_version", `"1.0"`, `"9.0"`},
		{"an unknown verdict", "/verdict", `"verdict": "nonconformant"`, `"verdict": "perfect"`},
		{"an unknown status", "/suites/0/requirements/0/status", `"status": "passed"`, `"status": "fine"`},
		{"an unknown level", "/suites/0/requirements/0/level", `"level": "MUST"`, `"level": "OUGHT"`},
		{"an unknown member within", "/suites/0/requirements/0", `"reason": ""`, `"why": "", "reason": ""`},
		{"a count below zero", "/suites/0/counts/must/passed", `"passed": 12`, `"passed": -1`},
		{"a list that is null", "/not_spoken", `"not_spoken": [`, `"not_spoken": null, "colours": [`},
		{"an unknown driver", "/subject/driver", `"driver": "http"`, `"driver": "telepathy"`},
		{"no time", "/run", `"started_at": "2026-08-01T07:30:00.123Z",`, ``},
		{"inconclusive without a reason", "/reason",
			`"reason": "no capability plays the role slow; name one in the target file under roles: cap: slow: {capability: ID}",`, `"reason": "",`},
		{"a fault beside a failure", "/status", `"status": "failed",
              "duration_ms"`, `"status": "failed", "fault": "harness",
              "duration_ms"`},
		{"failed without a failure", "/suites/0/requirements/13/scenarios/0", `"name": "A sound input is accepted",
              "status": "passed"`, `"name": "A sound input is accepted",
              "status": "failed"`},
	}
	valid := asJSON(t, reporttest.Nonconformant())
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(valid, c.from, c.to, 1)
			if c.name == "failed without a failure" {
				at := strings.Index(valid, "CAP-6.2-01\",\n          \"level\"")
				require.Positive(t, at)
				text = valid[:at] + strings.Replace(valid[at:], c.from, c.to, 1)
			}
			require.NotEqual(t, valid, text)
			_, err := reports.Read(strings.NewReader(text))
			if err == nil {
				t.Fatal("the document was accepted")
			}
			if !strings.Contains(err.Error(), c.place) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q does not name %q in one line", err, c.place)
			}
		})
	}
}

func TestReadRefusesOtherInput(t *testing.T) {
	for _, text := range []string{"", "{", "[]", `{"a":1,"a":2}`, "<testsuites/>", "\xff", `"a" "b"`,
		asJSON(t, reporttest.Partial()) + "{}"} {
		_, err := reports.Read(strings.NewReader(text))
		if err == nil {
			t.Errorf("%q was accepted", text)
			continue
		}
		if !strings.HasPrefix(err.Error(), "reports: not a report document: ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestReadNamesPlaceOfSyntaxError(t *testing.T) {
	whole := asJSON(t, reporttest.Partial())
	for _, c := range []struct{ text, want string }{
		{" \n", "reports: not a report document: the file is empty"},
		{whole[:100], "reports: not a report document: it is cut off after 100 bytes"},
		{whole[:len(whole)-3], fmt.Sprintf("reports: not a report document: it is cut off after %d bytes", len(whole)-3)},
		{"{\n  \"kind\": <\n}", "reports: not a report document: line 2: the text is not JSON"},
		{whole + "{}", fmt.Sprintf("reports: not a report document: line %d: there is text after the JSON value",
			strings.Count(whole, "\n"))},
	} {
		_, err := reports.Read(strings.NewReader(c.text))
		require.EqualError(t, err, c.want)
	}
}

// TestSettleIsStable: settling twice changes nothing.
func TestSettleIsStable(t *testing.T) {
	for name, r := range reporttest.All() {
		before, err := json.Marshal(r)
		require.NoError(t, err)
		r.Settle()
		after, err := json.Marshal(r)
		require.NoError(t, err)
		if diff := cmp.Diff(string(before), string(after)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}
