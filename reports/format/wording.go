package format

import (
	"fmt"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
)

// wording contains the terms of other formats for one outcome. They have fewer terms than a report,
// so this table is the one place that states which outcomes are merged. Every format also contains
// the reason, and the verdict of the run, so that an incomplete run never appears clean.
type wording struct {
	ctrf  string // passed, failed, skipped, pending, other
	tap   string // directive after a test point: "", "SKIP" or "TODO"
	holds bool   // a test point of TAP that is ok
	step  string // status of the step that decided, in Cucumber Messages
	kind  string // SARIF: kind of the result, empty if there is none
	level string // SARIF: its level
}

// wordings contains the terms by the word of the mark.
var wordings = map[string]wording{
	"passed":         {ctrf: "passed", holds: true, step: "PASSED"},
	"provided":       {ctrf: "passed", holds: true, step: "PASSED"},
	"failed":         {ctrf: "failed", step: "FAILED", kind: "fail", level: "error"},
	"error":          {ctrf: "other", step: "UNKNOWN", kind: "open", level: "none"},
	"warning":        {ctrf: "other", tap: "TODO", step: "SKIPPED", kind: "fail", level: "warning"},
	"advice":         {ctrf: "other", tap: "TODO", step: "SKIPPED", kind: "fail", level: "note"},
	"known failure":  {ctrf: "other", tap: "TODO", step: "SKIPPED", kind: "fail", level: "note"},
	"inconclusive":   {ctrf: "other", tap: "TODO", step: "PENDING", kind: "open", level: "none"},
	"not applicable": {ctrf: "skipped", tap: "SKIP", holds: true, step: "SKIPPED"},
	"excluded":       {ctrf: "skipped", tap: "SKIP", holds: true, step: "SKIPPED"},
}

// wordingOf returns the words for a mark.
func wordingOf(m reports.Mark) wording { return wordings[m.Word] }

// durationOf returns the time that the scenarios of a requirement took, in milliseconds.
func durationOf(q *reports.Requirement) int64 {
	ms := int64(0)
	for _, sc := range q.Scenarios {
		ms += sc.DurationMS
	}
	return ms
}

// titleOf returns the requirement in one line.
func titleOf(q *reports.Requirement) string {
	return display.Join(" ", q.ID, q.Level, display.FoldBreaks(q.Summary))
}

// messageFor returns why a requirement has its mark, in one line. It returns "" if the requirement
// is simply met.
func messageFor(q *reports.Requirement, m reports.Mark) string {
	switch m.Word {
	case "passed":
		return ""
	case "failed", "error":
		return display.FoldBreaks(q.Cause())
	case "warning", "advice", "known failure":
		return m.Word + ", a failed " + q.Level + ": " + display.FoldBreaks(q.Cause())
	default:
		return m.Word + ": " + display.FoldBreaks(q.Cause())
	}
}

// explanationAndRemarks returns the explanation of every scenario that has the requirement's status, and every
// remark, as lines of text. It returns "" if there is neither.
func explanationAndRemarks(q *reports.Requirement) string {
	text := ""
	if q.Status.Explains() {
		text = explain(q)
	}
	return text + remarkLines(q)
}

// remarkLines returns every remark, as lines of text.
func remarkLines(q *reports.Requirement) string {
	text := ""
	for _, remark := range remarksOf(q) {
		text += fmt.Sprintf("%s at %s: %s\n", remark.Weight, placeOf(remark.Finding), display.FoldBreaks(remark.Message))
	}
	return text
}

// remarksOf returns the remarks of every scenario, whatever its status.
func remarksOf(q *reports.Requirement) []reports.Remark {
	var all []reports.Remark
	for i := range q.Scenarios {
		all = append(all, q.Scenarios[i].Remarks...)
	}
	return all
}

// placeOf returns the place of a finding, as far as it is known.
func placeOf(f reports.Finding) string {
	if f.Line <= 0 {
		return f.File
	}
	return fmt.Sprintf("%s:%d:%d", f.File, f.Line, max(f.Column, 1))
}

// explain returns, as lines of text, how each scenario with the status of the requirement ended.
func explain(q *reports.Requirement) string {
	var text strings.Builder
	for i := range q.Scenarios {
		sc := &q.Scenarios[i]
		if sc.Status != q.Status {
			continue
		}
		fmt.Fprintf(&text, "\nscenario: %s\n", display.FoldBreaks(sc.Name))
		if sc.Failure == nil {
			fmt.Fprintf(&text, "reason: %s\n", display.FoldBreaks(sc.Reason))
			continue
		}
		explainFailure(&text, sc.Failure)
	}
	return text.String()
}
