package format

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	messages "github.com/cucumber/messages/go/v21"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/reporttest"
)

// write writes a report in one format.
func write(t *testing.T, format string, r *reports.Report, o Options) string {
	t.Helper()
	f, ok := Find(format)
	require.True(t, ok)
	var buf bytes.Buffer
	require.NoError(t, f.Write(&buf, r, o))
	return buf.String()
}

// outcomes counts the marks of a report by word.
func outcomes(r *reports.Report, strict bool) map[string]int {
	n := map[string]int{}
	for i := range r.Suites {
		for j := range r.Suites[i].Requirements {
			n[reports.MarkOf(&r.Suites[i].Requirements[j], strict).Word]++
		}
	}
	return n
}

func TestEveryMarkHasWords(t *testing.T) {
	marks := []reports.Mark{reports.WarningMark, reports.AdviceMark, reports.KnownMark}
	for _, status := range reports.Statuses() {
		m := status.Mark()
		marks = append(marks, m)
	}
	for _, m := range marks {
		if w, ok := wordings[m.Word]; !ok || w.ctrf == "" || w.step == "" {
			t.Errorf("%s: %+v", m.Word, w)
		}
	}
	if len(wordings) != len(marks) {
		t.Errorf("%d words for %d marks", len(wordings), len(marks))
	}
}

func TestCTRFCounts(t *testing.T) {
	for name, r := range reporttest.All() {
		for _, strict := range []bool{false, true} {
			var doc ctrfDocument
			d := json.NewDecoder(strings.NewReader(write(t, "ctrf", r, Options{Strict: strict})))
			d.DisallowUnknownFields()
			require.NoError(t, d.Decode(&doc))
			n := outcomes(r, strict)
			want := ctrfSummary{
				Passed: n["passed"] + n["provided"], Failed: n["failed"], Skipped: n["not applicable"] + n["excluded"],
				Other: n["error"] + n["warning"] + n["advice"] + n["inconclusive"], Suites: len(r.Suites),
				Start: r.Run.StartedAt.UnixMilli(), Stop: r.Run.StartedAt.UnixMilli() + r.Run.DurationMS,
				Duration: r.Run.DurationMS,
			}
			if r.UnfinishedBy() != "" {
				want.Other++
			}
			want.Tests = want.Passed + want.Failed + want.Skipped + want.Other
			if diff := cmp.Diff(want, doc.Results.Summary); diff != "" {
				t.Errorf("%s (-want +got)\n%s", name, diff)
			}
			if len(doc.Results.Tests) != want.Tests || doc.Extra.Verdict != r.Verdict {
				t.Errorf("%s: %d tests, verdict %s", name, len(doc.Results.Tests), doc.Extra.Verdict)
			}
		}
	}
}

func TestTAP(t *testing.T) {
	cases := []struct {
		name   string
		report *reports.Report
		want   []string
	}{
		{"conformant", reporttest.Conformant(), []string{"1..1", "    ok 1 - CAP-4.1-01 MUST ", "ok 1 - cap 0.1.0-draft\n",
			"# SKIP not applicable: "}},
		{"incomplete", reporttest.Incomplete(), []string{"1..2", " # TODO inconclusive: no capability",
			"not ok 1 - cap 0.1.0-draft\n", "ok 2 - chp 0.1\n"}},
		{"failed", reporttest.Nonconformant(), []string{"    not ok 13 - CAP-4.3-02 MUST ", "not ok 1 - cap",
			"# TODO warning, a failed SHOULD: ", `want: "error NOT_FOUND"`}},
		{"interrupted", reporttest.Interrupted(), []string{"not ok 1 - cap", "1..2\n",
			"not ok 2 - the run finishes\n  ---\n  message: \"the run was interrupted\"\n"}},
		{"unreachable", reporttest.Unreachable(), []string{"1..1\n", "not ok 1 - the run finishes\n",
			`message: "the run stopped: target unreachable`}},
		{"hostile", reporttest.HostileHost(), []string{`\#\# [error]y`, `message: "the run stopped: \\x1b[31m`}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := write(t, "tap", c.report, Options{})
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("%q is missing in\n%s", want, got)
				}
			}
			for line := range strings.Lines(got) {
				bare := strings.TrimLeft(line, " ")
				if strings.HasPrefix(bare, "ok ") || strings.HasPrefix(bare, "not ok ") {
					if n := strings.Count(strings.ReplaceAll(bare, `\#`, ""), "#"); n > 1 {
						t.Errorf("%d directives in %q", n, line)
					}
				}
			}
		})
	}
}

func TestBadge(t *testing.T) {
	const label, cap = "examined by capconform", "CAP, edition 0.1.0-draft, source, over http"
	strict := reporttest.Conformant()
	strict.Run.Strict = true
	strict.Suites[0].Requirements[advised(t, strict)].Status = reports.Failed
	strict.Settle()
	cases := map[string]struct {
		report *reports.Report
		want   badge
	}{
		"conformant": {reporttest.Conformant(), badge{1, label,
			cap + ": 5 of 5 MUSTs kept, 1 of them by an adapter or a mapping", "brightgreen", false}},
		"nonconformant": {
			reporttest.Nonconformant(),
			badge{1, label, cap + ": 12 of 19 MUSTs kept, 5 broken, 2 not judged", "red",
				false},
		},
		"strict": {strict, badge{1, label,
			cap + ": 5 of 5 MUSTs kept, 1 of them by an adapter or a mapping, 1 SHOULD broken", "red", false}},
		"incomplete": {reporttest.Incomplete(), badge{1, label,
			cap + ": 5 of 8 MUSTs kept, 3 not judged; CHP 0.1, over http: 1 of 1 MUST kept", "yellow", true}},
		"unreachable": {reporttest.Unreachable(), badge{1, label, "nothing was examined", "yellow", true}},
	}
	for name, c := range cases {
		var got badge
		require.NoError(t, json.Unmarshal([]byte(write(t, "badge", c.report, Options{})), &got))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

// advised returns the index of a SHOULD in the first suite of a report.
func advised(t *testing.T, r *reports.Report) int {
	t.Helper()
	i := slices.IndexFunc(r.Suites[0].Requirements, func(q reports.Requirement) bool { return q.Level == "SHOULD" })
	require.GreaterOrEqual(t, i, 0)
	return i
}

func TestWholeFormatsRefusePartialRuns(t *testing.T) {
	for _, f := range Formats() {
		var buf bytes.Buffer
		err := f.Write(&buf, reporttest.Partial(), Options{})
		if errors.Is(err, reports.ErrFeatures) {
			continue
		}
		if f.Whole != errors.Is(err, reports.ErrPartial) || f.Whole != (buf.Len() == 0) {
			t.Errorf("%s: %d bytes, error %v", f.Name, buf.Len(), err)
		}
	}
}

func TestSARIFPlaces(t *testing.T) {
	var doc sarifLog
	d := json.NewDecoder(strings.NewReader(write(t, "sarif", reporttest.Documents(), Options{})))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&doc))
	var got []string
	for _, result := range doc.Runs[0].Results {
		text := result.RuleID + " " + result.Kind + " " + result.Level
		for _, l := range result.Locations {
			text += " " + l.Physical.Artifact.URI
			if l.Physical.Region != nil {
				text += fmt.Sprintf(":%d:%d", l.Physical.Region.StartLine, l.Physical.Region.StartColumn)
				if l.Physical.Region.EndLine > 0 {
					text += fmt.Sprintf("-%d:%d", l.Physical.Region.EndLine, l.Physical.Region.EndColumn)
				}
			}
		}
		if doc.Runs[0].Tool.Driver.Rules[result.RuleIndex].ID != result.RuleID {
			t.Errorf("%s has rule %d", result.RuleID, result.RuleIndex)
		}
		got = append(got, text)
	}
	want := []string{
		"CAP-4-01 fail error b.yaml:12:3-12:10", "CAP-4-01 fail error a.yaml:7:5", "CAP-4-02 fail warning a.yaml:3:1",
		"CAP-4-03 fail note a.yaml", "CAP-4-04 fail error", "CAP-4-05 open none",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestSARIFHelp checks the link of a rule, which texts in the report must not influence.
func TestSARIFHelp(t *testing.T) {
	const home = "https://github.com/capconform/capconform/blob/"
	for version, want := range map[string]string{"v1.2.3": "v1.2.3", "0.1.0": strings.Repeat("a", 40),
		"v1/../../x": strings.Repeat("a", 40)} {
		h := reports.Harness{Version: version, Commit: strings.Repeat("a", 40)}
		require.Equal(t, home+want+"/spec/cap.yaml", catalogueURI(h, "cap"))
	}
	require.Equal(
		t,
		home+"main/spec/chp.yaml",
		catalogueURI(reports.Harness{Version: "devel", Commit: "unknown"}, "chp"),
	)
	r := reporttest.Settled(
		reporttest.Base(reporttest.CAP(reports.Requirement{ID: "CAP-INV-02", Level: "MUST", Status: reports.Passed},
			reports.Requirement{ID: "CAP-NO-01", Level: "MUST", Status: reports.Passed})),
	)
	var doc sarifLog
	require.NoError(t, json.Unmarshal([]byte(write(t, "sarif", r, Options{})), &doc))
	rules := doc.Runs[0].Tool.Driver.Rules
	require.Equal(t, home+"main/spec/cap.yaml", rules[0].HelpURI)
	require.Contains(t, rules[0].Help.Text, "capconform explain CAP-INV-02")
	require.Empty(t, rules[1].HelpURI, "the catalogue does not contain it")
	require.Nil(t, rules[1].Help)
}

func TestSARIFURI(t *testing.T) {
	for in, want := range map[string]string{
		"a.yaml": "a.yaml", "dir/a b.yaml": "dir/a%20b.yaml", "/abs/a.yaml": "file:///abs/a.yaml", "c:x": "./c:x",
		"50%.yaml": "50%25.yaml",
	} {
		if got := sarifURI(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// scripted returns a report of scenarios that the features of this build contain.
func scripted(status reports.Status, step string) *reports.Report {
	f := reports.Failure{Message: reporttest.Hostile, Want: reporttest.Hostile, Got: reporttest.Hostile, Step: step,
		Exchanges: []reports.Exchange{
			{
				Operation: reporttest.Hostile,
				Sent:      reports.NewPayload([]byte(reporttest.Hostile)),
				Received:  reports.NewPayload([]byte(reporttest.Hostile)),
			},
		}}
	sc := reports.Scenario{
		Name:       "Invoke answers NOT_FOUND for a pair that is not listed",
		Status:     status,
		DurationMS: 5,
		Reason:     "why",
	}
	if status.Explains() {
		sc.Failure = &f
	}
	q := reports.Requirement{ID: "CAP-ERR-01", Level: "MUST", Section: "4", Summary: "x", Status: status, Reason: "why",
		Scenarios: []reports.Scenario{sc}}
	return reporttest.Settled(reporttest.Base(reporttest.CAP(q)))
}

func TestCucumber(t *testing.T) {
	second := "each invocation of an unlisted pair is answered with NOT_FOUND"
	cases := []struct {
		name    string
		report  *reports.Report
		steps   []string
		success bool
	}{
		{"passed", scripted(reports.Passed, ""), []string{"PASSED", "PASSED"}, true},
		{"failed at the second step", scripted(reports.Failed, second), []string{"PASSED", "FAILED"}, false},
		{"failed somewhere", scripted(reports.Failed, ""), []string{"FAILED", "SKIPPED"}, false},
		{"error", scripted(reports.Error, second), []string{"PASSED", "UNKNOWN"}, false},
		{"inconclusive", scripted(reports.Inconclusive, ""), []string{"PENDING", "SKIPPED"}, false},
		{"not applicable", scripted(reports.NotApplicable, ""), []string{"SKIPPED", "SKIPPED"}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text := write(t, "cucumber", c.report, Options{})
			if strings.ContainsAny(strings.ReplaceAll(text, "\n", ""), "\x1b\x00<") {
				t.Error("the output contains control characters or markup")
			}
			var steps []string
			var last messages.Envelope
			lines := bufio.NewScanner(strings.NewReader(text))
			lines.Buffer(nil, 1<<20)
			for lines.Scan() {
				last = messages.Envelope{}
				require.NoError(t, json.Unmarshal(lines.Bytes(), &last))
				if last.TestStepFinished != nil {
					steps = append(steps, string(last.TestStepFinished.TestStepResult.Status))
				}
			}
			if diff := cmp.Diff(c.steps, steps); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			require.NotNil(t, last.TestRunFinished)
			if end := last.TestRunFinished; end.Success != c.success ||
				!strings.Contains(end.Message, string(c.report.Verdict)) {
				t.Errorf("success %v: %s", end.Success, end.Message)
			}
		})
	}
}

func TestCucumberRefusesOtherFeatures(t *testing.T) {
	unknown := scripted(reports.Passed, "")
	unknown.Suites[0].Suite = "xyz"
	for name, r := range map[string]*reports.Report{"scenario": reporttest.Conformant(), "suite": unknown} {
		if err := writeCucumber(&bytes.Buffer{}, r, Options{}); !errors.Is(err, reports.ErrFeatures) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
