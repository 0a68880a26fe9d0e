package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
)

// writeTAP writes TAP 14: a test point for each suite with its verdict, and below it one for
// each requirement. Outcomes that TAP cannot express become TODO, which does not fail a job.
// The test point of the suite fails the job if the verdict of the suite is worse than its
// requirements indicate.
func writeTAP(w io.Writer, r *reports.Report, o Options) error {
	var buf bytes.Buffer
	message, points := r.UnfinishedBy(), len(r.Suites)
	if message != "" {
		points++
	}
	fmt.Fprintf(&buf, "TAP version 14\n1..%d\n", points)
	fmt.Fprintf(&buf, "# capconform: %s\n# subject: %s\n", r.Verdict,
		tapText(display.Join(" ", r.Subject.Name, r.Subject.Version)))
	for _, note := range r.Notes {
		fmt.Fprintf(&buf, "# note: %s\n", tapText(note))
	}
	for i := range r.Suites {
		tapSuite(&buf, i+1, &r.Suites[i], o.Strict || r.Run.Strict)
	}
	if message != "" {
		fmt.Fprintf(&buf, "not ok %d - the run finishes\n  ---\n  message: %s\n  ...\n", points,
			tapScalar(display.FoldBreaks(message)))
	}
	if _, err := w.Write(buf.Bytes()); err != nil {
		return fmt.Errorf("reports: tap: %w", err)
	}
	return nil
}

func tapSuite(w *bytes.Buffer, n int, s *reports.Suite, strict bool) {
	name := tapText(s.Suite + " " + s.SpecVersion)
	fmt.Fprintf(w, "# Subtest: %s\n    1..%d\n", name, len(s.Requirements))
	broken := false
	for i := range s.Requirements {
		q := &s.Requirements[i]
		words := wordingOf(reports.MarkOf(q, strict))
		broken = broken || !words.holds && words.tap == ""
		tapRequirement(w, i+1, q, strict)
	}
	fmt.Fprintf(
		w,
		"%s %d - %s\n",
		tapPoint(!broken && (s.Verdict == reports.Conformant || s.Verdict == reports.Partial)),
		n,
		name,
	)
	fmt.Fprintf(w, "  ---\n  verdict: %s\n  reason: %s\n  ...\n", tapScalar(string(s.Verdict)),
		tapScalar(display.Join(" ", s.Sentence(strict)+".", s.Unexamined())))
}

func tapRequirement(w *bytes.Buffer, n int, q *reports.Requirement, strict bool) {
	m := reports.MarkOf(q, strict)
	words := wordingOf(m)
	fmt.Fprintf(w, "    %s %d - %s", tapPoint(words.holds), n, tapText(titleOf(q)))
	if words.tap != "" {
		fmt.Fprintf(w, " # %s %s", words.tap, tapText(messageFor(q, m)))
	}
	w.WriteString("\n")
	for line := range strings.Lines(remarkLines(q)) {
		fmt.Fprintf(w, "    # %s\n", tapText(strings.TrimSuffix(line, "\n")))
	}
	if words.holds && m.Word != "provided" {
		return
	}
	fmt.Fprintf(w, "      ---\n      status: %s\n      message: %s\n", tapScalar(string(q.Status)),
		tapScalar(messageFor(q, m)))
	if f := q.Failure(); f != nil {
		for _, e := range []struct{ label, text string }{
			{"want", f.Want}, {"got", f.Got}, {"found", f.Found()}, {"hint", f.Hint}, {"step", f.Step}, {"repeat", f.Repeat},
		} {
			if e.text != "" {
				fmt.Fprintf(w, "      %s: %s\n", e.label, tapScalar(display.CutBytes(e.text, blockLimit)))
			}
		}
	}
	w.WriteString("      ...\n")
}

func tapPoint(holds bool) string {
	if holds {
		return "ok"
	}
	return "not ok"
}

var tapEscapes = strings.NewReplacer(`\`, `\\`, "#", `\#`)

// tapText makes text safe for the line of a test point: it contains no directive, no line break
// and no control of a terminal.
func tapText(text string) string { return tapEscapes.Replace(display.TerminalText(text)) }

// tapScalar returns text as a YAML scalar, in the form of a JSON string.
func tapScalar(text string) string {
	raw, err := json.Marshal(display.LinesText(text))
	if err != nil { // a string can always be encoded
		return `""`
	}
	return string(raw)
}
