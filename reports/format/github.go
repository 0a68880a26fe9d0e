package format

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
)

// annotations maps the words of marks to the commands that annotate a job of GitHub Actions.
var annotations = map[string]string{
	"failed": "error", "error": "error", "warning": "warning", "inconclusive": "notice",
}

// writeGitHub writes the verdict, an annotation for each requirement that needs attention, and one
// for a run that did not finish. It is for the stdout of a job, which reads lines that begin with
// two colons as commands. Text of the target can never begin one.
func writeGitHub(w io.Writer, r *reports.Report, o Options) error {
	var buf bytes.Buffer
	annotate(&buf, annotation{command: "notice", title: "capconform", lines: r.Conclusion()})
	if message := r.UnfinishedBy(); message != "" {
		annotate(&buf, annotation{command: "error", title: "capconform", lines: []string{message}})
	}
	for _, note := range r.Notes {
		annotate(&buf, annotation{command: "notice", title: "capconform", lines: []string{"note: " + note}})
	}
	strict := o.Strict || r.Run.Strict
	for _, q := range byCause(r, strict) {
		for _, a := range annotationsOf(q, strict) {
			annotate(&buf, a)
		}
	}
	if _, err := w.Write(buf.Bytes()); err != nil {
		return fmt.Errorf("reports: github: %w", err)
	}
	return nil
}

// byCause returns all requirements, those of the first causes first: GitHub shows ten annotations of a kind.
func byCause(r *reports.Report, strict bool) []*reports.Requirement {
	var all []*reports.Requirement
	listed := map[*reports.Requirement]bool{}
	for _, g := range r.Groups(strict) {
		for _, q := range g.Requirements {
			all, listed[q] = append(all, q), true
		}
	}
	for _, p := range reports.RequirementsOf(r) {
		if !listed[p.Requirement] {
			all = append(all, p.Requirement)
		}
	}
	return all
}

var (
	annotationText  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	annotationTitle = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// annotation is a message of a job, with a line of a file if it has one.
type annotation struct {
	command, title string
	lines          []string
	at             reports.Finding
}

// annotationColumns bounds a line of an annotation; the report contains the complete text.
const annotationColumns = 400

// explained returns, as lines, the cause of a requirement that is not broken at a place, and its
// explanation.
func explained(q *reports.Requirement) []string {
	lines := []string{display.FoldBreaks(q.Cause())}
	f := q.Failure()
	if f == nil {
		return lines
	}
	for _, e := range []struct{ label, text string }{{"want", f.Want}, {"got", f.Got}, {"hint", f.Hint}, {"repeat", f.Repeat}} {
		if e.text != "" {
			lines = append(lines, e.label+": "+display.FoldBreaks(e.text))
		}
	}
	return lines
}

// annotationsOf returns the annotations of one requirement: one for each place that breaks it, or
// one for the requirement if there is no place, and one for each remark.
func annotationsOf(q *reports.Requirement, strict bool) []annotation {
	var all []annotation
	m := reports.MarkOf(q, strict)
	title := q.ID + " " + q.Level + " "
	if command := annotations[m.Word]; command != "" && len(q.Scenarios) > 0 { // a sum has none: see its parts
		places := placesOf(q)
		for _, f := range places {
			all = append(all, annotation{command, title + m.Word, []string{q.Summary, f.Message}, f})
		}
		if len(places) == 0 {
			all = append(all, annotation{command: command, title: title + m.Word, lines: append([]string{q.Summary}, explained(q)...)})
		}
	}
	for _, remark := range remarksOf(q) {
		command := "notice"
		if remark.Weight == reports.Warning {
			command = "warning"
		}
		all = append(all, annotation{command, title + string(remark.Weight), []string{"remark: " + remark.Message},
			remark.Finding})
	}
	return all
}

func annotate(w io.Writer, a annotation) {
	escaped := func(text string) string {
		return annotationTitle.Replace(display.FoldBreaks(display.TerminalText(text)))
	}
	place := ""
	if a.at.File != "" {
		place = "file=" + escaped(a.at.File) + ","
	}
	if a.at.Line > 0 {
		place += fmt.Sprintf("line=%d,col=%d,", a.at.Line, max(a.at.Column, 1))
	}
	var lines []string
	for _, line := range a.lines {
		if line = display.Truncate(display.TerminalText(line), annotationColumns); line != "" {
			lines = append(lines, display.LogLine(line))
		}
	}
	fmt.Fprintf(w, "::%s %stitle=%s::%s\n", a.command, place, escaped(a.title),
		annotationText.Replace(strings.Join(lines, "\n")))
}
