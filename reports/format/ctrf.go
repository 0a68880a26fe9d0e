package format

import (
	"io"

	"github.com/google/uuid"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
)

// The members of a Common Test Report Format document that this package writes. Its schema permits
// unknown members only in extra.
type ctrfDocument struct {
	ReportFormat string          `json:"reportFormat"` // "CTRF"
	SpecVersion  string          `json:"specVersion"`  // of CTRF
	ReportID     string          `json:"reportId"`     // a UUID
	RunID        string          `json:"runId"`        // Run.ID
	Timestamp    string          `json:"timestamp"`    // the start, RFC 3339 in UTC, with milliseconds
	GeneratedBy  string          `json:"generatedBy"`  // "capconform"
	Results      ctrfResults     `json:"results"`
	Extra        reports.Outcome `json:"extra"` // verdict and counts
}

type ctrfResults struct {
	Tool        ctrfTool        `json:"tool"` // the harness
	Summary     ctrfSummary     `json:"summary"`
	Tests       []ctrfTest      `json:"tests"`       // one for each requirement
	Environment ctrfEnvironment `json:"environment"` // the subject
}

type ctrfTool struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"` // Harness.Version
}

// ctrfSummary counts tests; times are milliseconds since 1970.
type ctrfSummary struct {
	Tests    int   `json:"tests"` // the sum of the next five
	Passed   int   `json:"passed"`
	Failed   int   `json:"failed"`
	Skipped  int   `json:"skipped"`
	Pending  int   `json:"pending"`  // always 0
	Other    int   `json:"other"`    // warnings, inconclusive and errors
	Suites   int   `json:"suites"`   // how many protocols
	Start    int64 `json:"start"`    // ms since 1970
	Stop     int64 `json:"stop"`     // ms since 1970
	Duration int64 `json:"duration"` // ms
}

type ctrfTest struct {
	TestID    string   `json:"testId"`            // the id of the requirement
	Name      string   `json:"name"`              // id, level and summary, one line
	Status    string   `json:"status"`            // passed, failed, skipped or other
	RawStatus string   `json:"rawStatus"`         // the status of this project
	Duration  int64    `json:"duration"`          // ms
	Suite     []string `json:"suite,omitempty"`   // its name, and the section of the text
	Tags      []string `json:"tags,omitempty"`    // the level
	Message   string   `json:"message,omitempty"` // the cause
	Trace     string   `json:"trace,omitempty"`   // failures with exchanges, several lines
}

type ctrfEnvironment struct {
	AppName    string `json:"appName"`              // Subject.Name
	AppVersion string `json:"appVersion,omitempty"` // Subject.Version
}

// writeCTRF writes a test for each requirement. The status of inconclusive and error is other: the
// requirement was neither skipped nor failed by the subject.
func writeCTRF(w io.Writer, r *reports.Report, o Options) error {
	start := r.Run.StartedAt.UnixMilli()
	doc := ctrfDocument{
		ReportFormat: "CTRF", SpecVersion: "0.0.0", ReportID: uuidOf(r), RunID: display.LinesText(r.Run.ID),
		Timestamp: r.Run.StartedAt.UTC().Format("2006-01-02T15:04:05.000Z"), GeneratedBy: "capconform",
		Results: ctrfResults{
			Tool: ctrfTool{"capconform", display.LinesText(r.Harness.Version)},
			Summary: ctrfSummary{Suites: len(r.Suites), Start: start, Stop: start + r.Run.DurationMS,
				Duration: r.Run.DurationMS},
			Tests: []ctrfTest{},
			Environment: ctrfEnvironment{
				display.LinesText(display.FoldBreaks(r.Subject.Name)),
				display.LinesText(display.FoldBreaks(r.Subject.Version)),
			},
		},
		Extra: r.Noted(),
	}
	for i := range r.Suites {
		s := &r.Suites[i]
		for j := range s.Requirements {
			doc.Results.add(ctrfRequirement(s, &s.Requirements[j], o.Strict || r.Run.Strict))
		}
	}
	if message := r.UnfinishedBy(); message != "" {
		doc.Results.add(ctrfTest{
			TestID: "run", Name: "the run finishes", Status: wordingOf(reports.ErrorMark).ctrf,
			RawStatus: string(reports.Error), Message: display.LinesText(display.FoldBreaks(message)),
		})
	}
	return reports.WriteDocument(w, "ctrf", doc)
}

// uuidOf returns the id of the run, or a UUID derived from it if it is not a UUID.
func uuidOf(r *reports.Report) string {
	if id, err := uuid.Parse(r.Run.ID); err == nil {
		return id.String()
	}
	return uuid.NewSHA1(uuid.NameSpaceOID, []byte(r.Run.ID)).String()
}

func ctrfRequirement(s *reports.Suite, q *reports.Requirement, strict bool) ctrfTest {
	m := reports.MarkOf(q, strict)
	return ctrfTest{
		TestID: q.ID, Name: display.LinesText(titleOf(q)), Status: wordingOf(m).ctrf, RawStatus: string(q.Status),
		Duration: durationOf(q),
		Suite:    []string{s.Suite, display.LinesText(display.FoldBreaks(q.Section))}, Tags: []string{q.Level},
		Message: display.LinesText(messageFor(q, m)), Trace: display.LinesText(explanationAndRemarks(q)),
	}
}

// add counts a test.
func (d *ctrfResults) add(t ctrfTest) {
	d.Tests = append(d.Tests, t)
	d.Summary.Tests++
	switch t.Status {
	case "passed":
		d.Summary.Passed++
	case "failed":
		d.Summary.Failed++
	case "skipped":
		d.Summary.Skipped++
	default:
		d.Summary.Other++
	}
}
