package reports

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func asJSON(t *testing.T, r *Report) string {
	t.Helper()
	var buf bytes.Buffer
	require.NoError(t, writeJSON(&buf, r, Options{}))
	return buf.String()
}

// TestReadGivesWhatWasWritten also validates every report by the schema.
func TestReadGivesWhatWasWritten(t *testing.T) {
	for name, r := range goldenReports() {
		text := asJSON(t, r)
		back, err := Read(strings.NewReader(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(text, asJSON(t, back)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
		if before, after := ExitStatus(r, Policy{}), ExitStatus(back, Policy{}); before != after {
			t.Errorf("%s: exit %d before, %d after", name, before, after)
		}
		if !strings.HasSuffix(text, "}\n") || strings.Contains(text, "null") ||
			!strings.HasPrefix(text, "{\n  \"schema_version\": \"1.0\",\n") {
			t.Errorf("%s: not in the form of the document", name)
		}
	}
}

// TestSchemaRefuses changes one thing in a sound document.
func TestSchemaRefuses(t *testing.T) {
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
	sound := asJSON(t, nonconformantReport())
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(sound, c.from, c.to, 1)
			if c.name == "failed without a failure" {
				at := strings.Index(sound, "CAP-6.2-01\",\n          \"level\"")
				require.Positive(t, at)
				text = sound[:at] + strings.Replace(sound[at:], c.from, c.to, 1)
			}
			require.NotEqual(t, sound, text)
			_, err := Read(strings.NewReader(text))
			if err == nil {
				t.Fatal("it was accepted")
			}
			if !strings.Contains(err.Error(), c.place) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q does not name %q in one line", err, c.place)
			}
		})
	}
}

func TestReadRefusesWhatIsNoDocument(t *testing.T) {
	for _, text := range []string{"", "{", "[]", `{"a":1,"a":2}`, "<testsuites/>", "\xff", `"a" "b"`,
		asJSON(t, partialReport()) + "{}"} {
		_, err := Read(strings.NewReader(text))
		if err == nil {
			t.Errorf("%q was accepted", text)
			continue
		}
		if !strings.HasPrefix(err.Error(), "reports: no report document: ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestMarkdownIsCut: a summary beyond the bound is cut between two causes.
func TestMarkdownIsCut(t *testing.T) {
	var reqs []Requirement
	for i := range 400 {
		q := failing("CAP-5-01", "MUST", "5", "The list is an array", Failure{
			Message: "cause " + strings.Repeat("x", i) + ".", Want: strings.Repeat("w", 5000), Got: strings.Repeat("`", 5000),
		})
		reqs = append(reqs, q)
	}
	var buf bytes.Buffer
	require.NoError(t, writeMarkdown(&buf, settled(baseReport(capSuite(reqs...))), Options{}))
	if buf.Len() > 1024<<10 || buf.Len() < 800<<10 {
		t.Errorf("%d bytes", buf.Len())
	}
	if n := strings.Count(buf.String(), "_Cut here: "); n != 1 ||
		!strings.HasSuffix(buf.String(), "holds everything._\n") {
		t.Errorf("cut %d times, ends with %q", n, buf.String()[buf.Len()-80:])
	}
}

func TestFormats(t *testing.T) {
	for _, f := range Formats() {
		got, ok := Find(f.Name)
		if !ok || got.Extension != f.Extension || f.Describe == "" || !strings.HasPrefix(f.Extension, ".") {
			t.Errorf("%s: found %v, %+v", f.Name, ok, got)
		}
	}
	if _, ok := Find("pdf"); ok {
		t.Error("pdf was found")
	}
}

// TestSettleIsStable: settling twice changes nothing.
func TestSettleIsStable(t *testing.T) {
	for name, r := range goldenReports() {
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
