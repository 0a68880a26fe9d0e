package format

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
)

// The elements of a JUnit file as readers expect them. No standards body owns the format; the
// Jenkins XSD is the nearest to a standard.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"` // "capconform"
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Time     string       `xml:"time,attr"` // seconds, with three decimals
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"` // suite and version of the text
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Time       string          `xml:"time,attr,omitempty"` // of all scenarios; a case has none, because cases share their calls
	Timestamp  string          `xml:"timestamp,attr"`      // the start in UTC, without a zone
	Properties []junitProperty `xml:"properties>property"` // of subject and suite
	Cases      []junitCase     `xml:"testcase"`            // one for each requirement
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name      string       `xml:"name,attr"`      // id, level and summary
	Classname string       `xml:"classname,attr"` // capconform.SUITE.SECTION
	Skipped   *junitResult `xml:"skipped"`        // at most one of these three is set
	Error     *junitResult `xml:"error"`
	Failure   *junitResult `xml:"failure"`
	// Output contains the remarks, one per line.
	Output string `xml:"system-out,omitempty"`
}

type junitResult struct {
	Message string `xml:"message,attr"`        // one line
	Type    string `xml:"type,attr,omitempty"` // the status in words
	Text    string `xml:",chardata"`           // several lines
}

// writeJUnit writes one case per requirement, so that its numbers are those of the other formats.
// JUnit has fewer statuses: inconclusive, not applicable and excluded are skipped, with the reason.
// A failed SHOULD is a warning, which JUnit does not have. It is skipped too: a pass would hide it,
// and a failure would fail a job whose exit status is 0. With Strict it is a failure. The
// properties of each suite contain the verdict. A run that did not finish has a separate error,
// so that it never appears clean.
func writeJUnit(w io.Writer, r *reports.Report, o Options) error {
	doc := junitSuites{Name: "capconform", Time: seconds(r.Run.DurationMS)}
	for i := range r.Suites {
		doc.add(junitOf(r, &r.Suites[i], o.Strict || r.Run.Strict))
	}
	if unfinished := junitRun(r); unfinished != nil {
		doc.add(*unfinished)
	}
	var buf bytes.Buffer
	buf.WriteString(xml.Header)
	e := xml.NewEncoder(&buf)
	e.Indent("", "  ")
	if err := e.Encode(doc); err != nil {
		return fmt.Errorf("reports: junit: %w", err)
	}
	buf.WriteByte('\n')
	if _, err := w.Write(buf.Bytes()); err != nil {
		return fmt.Errorf("reports: junit: %w", err)
	}
	return nil
}

// add adds a suite whose cases are complete, and counts them.
func (d *junitSuites) add(s junitSuite) {
	for _, c := range s.Cases {
		s.Tests++
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
	d.Tests += s.Tests
	d.Failures += s.Failures
	d.Errors += s.Errors
	d.Suites = append(d.Suites, s)
}

func junitOf(r *reports.Report, s *reports.Suite, strict bool) junitSuite {
	out := junitSuite{
		Name:      display.LinesText(strings.TrimSpace(s.Suite + " " + s.SpecVersion)),
		Timestamp: junitTimestamp(r),
		Properties: append(junitProperties(r),
			junitProperty{"verdict", string(s.Verdict)},
			junitProperty{"verdict_in_full", display.LinesText(fmt.Sprintf("%s: %s", s.Verdict, r.VerdictSentence(s)))},
			junitProperty{"edition", display.LinesText(s.Edition)},
			junitProperty{"actors", display.LinesText(strings.Join(s.Actors, " "))},
			junitProperty{"declared", display.LinesText(strings.Join(s.Declared, " "))},
			junitProperty{"provided", fmt.Sprint(s.Counts.Must.Provided)},
			junitProperty{"binding", display.LinesText(s.Binding)},
			junitProperty{"planned", fmt.Sprint(s.Plan.Planned)},
			junitProperty{"executed", fmt.Sprint(s.Plan.Executed)}),
	}
	total := int64(0)
	for i := range s.Requirements {
		total += durationOf(&s.Requirements[i])
		out.Cases = append(out.Cases, junitRequirement(s.Suite, &s.Requirements[i], strict))
	}
	out.Time = seconds(total)
	return out
}

func junitTimestamp(r *reports.Report) string {
	return r.Run.StartedAt.UTC().Format("2006-01-02T15:04:05")
}

func junitProperties(r *reports.Report) []junitProperty {
	properties := []junitProperty{
		{"subject", display.LinesText(strings.TrimSpace(r.Subject.Name + " " + r.Subject.Version))},
		{"target", display.LinesText(r.Subject.Target)},
		{"driver", display.LinesText(r.Subject.Driver)},
		{"run_verdict", string(r.Verdict)},
	}
	for _, note := range r.Notes {
		properties = append(properties, junitProperty{"note", display.LinesText(display.FoldBreaks(note))})
	}
	return properties
}

func junitRequirement(suite string, q *reports.Requirement, strict bool) junitCase {
	c := junitCase{
		Name:      display.LinesText(titleOf(q)),
		Classname: display.LinesText(strings.TrimSuffix("capconform."+suite+"."+display.FoldBreaks(q.Section), ".")),
		Output:    display.LinesText(remarkLines(q)),
	}
	m := reports.MarkOf(q, strict)
	switch q.Status {
	case reports.Passed, reports.Provided:
		return c
	case reports.Failed:
		result := junitExplain(q, m)
		if m == reports.FailedMark {
			c.Failure = result
			return c
		}
		result.Message, result.Type = display.LinesText(messageFor(q, m)), ""
		c.Skipped = result
	case reports.Inconclusive, reports.NotApplicable, reports.Excluded:
		c.Skipped = &junitResult{Message: display.LinesText(messageFor(q, m))}
	default:
		c.Error = junitExplain(q, m)
		if m == reports.KnownMark {
			c.Error, c.Skipped = nil, &junitResult{Message: display.LinesText(messageFor(q, m)), Text: c.Error.Text}
		}
	}
	return c
}

// junitExplain returns message and text of a requirement that failed or could not be judged: of
// every scenario with that status.
func junitExplain(q *reports.Requirement, m reports.Mark) *junitResult {
	return &junitResult{
		Message: display.LinesText(display.FoldBreaks(q.Cause())),
		Type:    m.Word,
		Text:    display.LinesText(explain(q)),
	}
}

func explainFailure(w io.Writer, f *reports.Failure) {
	for _, e := range []struct{ label, text string }{
		{"message", f.Message}, {"want", f.Want}, {"got", f.Got}, {"found", f.Found()}, {"hint", f.Hint}, {"step", f.Step},
		{"repeat", f.Repeat},
	} {
		if e.text != "" {
			fmt.Fprintf(w, "%s: %s\n", e.label, e.text)
		}
	}
	for _, e := range f.Findings {
		fmt.Fprintf(w, "at %s:%d:%d: %s\n", e.File, e.Line, e.Column, e.Message)
	}
	for _, e := range f.Exchanges {
		at := ""
		if e.AtMS > 0 {
			at = fmt.Sprintf(" after %d ms", e.AtMS)
		}
		fmt.Fprintf(w, "%s%s\n  sent: %s\n  received: %s\n", e.Operation, at, e.Sent, e.Received)
	}
}

// junitRun returns the suite that stands for a run that did not finish, or nil.
func junitRun(r *reports.Report) *junitSuite {
	message := r.UnfinishedBy()
	if message == "" {
		return nil
	}
	return &junitSuite{
		Name: "run", Timestamp: junitTimestamp(r),
		Properties: append(junitProperties(r), junitProperty{"verdict", string(r.Verdict)}),
		Cases: []junitCase{{
			Name: "the run finishes", Classname: "capconform.run",
			Error: &junitResult{Message: display.LinesText(display.FoldBreaks(message)), Type: "error"},
		}},
	}
}

// seconds returns milliseconds as seconds with three decimals.
func seconds(ms int64) string { return fmt.Sprintf("%d.%03d", ms/1000, ms%1000) }
