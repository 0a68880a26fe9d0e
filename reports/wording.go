package reports

import (
	"fmt"
	"strings"
)

// wording is what other formats call one outcome of ours. They have fewer words
// than we have, so this table is the one place that says which of ours become
// one of theirs. Whatever the word, the reason stands beside it, and the verdict
// of the run stands in every format, so that an incomplete run never looks clean.
type wording struct {
	ctrf  string // passed, failed, skipped, pending, other
	tap   string // directive behind a test point: "", "SKIP" or "TODO"
	holds bool   // a test point of TAP that is ok
	step  string // status of the step that decided, in Cucumber Messages
	kind  string // SARIF: kind of the result, empty where there is none
	level string // SARIF: its level
}

// wordings are by the word of the mark.
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

// wording gives the words for a mark.
func (m mark) wording() wording { return wordings[m.word] }

// unfinished says in one line why a run has no outcome, or nothing
// where it came to its end.
func (r *Report) unfinishedBy() string {
	switch {
	case r.Run.Stopped != nil:
		return "the run stopped: " + r.Run.Stopped.Reason
	case r.Run.Interrupted:
		return "the run was interrupted"
	case len(r.Suites) == 0:
		return "nothing was examined"
	default:
		return ""
	}
}

// runOutcome is verdict and counts, as formats hold them that have no place of
// their own for either.
type runOutcome struct {
	Verdict Verdict        `json:"verdict"`
	Suites  []suiteOutcome `json:"suites"`
	Notes   []string       `json:"notes,omitempty"` // what a reader must know
}

type suiteOutcome struct {
	Suite       string   `json:"suite"`
	SpecVersion string   `json:"spec_version"`
	Edition     string   `json:"edition"`
	Actors      []string `json:"actors"`
	LeftOut     []string `json:"left_out,omitempty"`
	Declared    []string `json:"declared"`
	Verdict     Verdict  `json:"verdict"`
	InFull      string   `json:"verdict_in_full"`
	Counts      Counts   `json:"counts"`
}

func (r *Report) outcome() runOutcome {
	o := runOutcome{Verdict: r.Verdict, Suites: []suiteOutcome{}}
	for i := range r.Suites {
		s := &r.Suites[i]
		o.Suites = append(o.Suites, suiteOutcome{
			Suite: s.Suite, SpecVersion: LinesText(s.SpecVersion), Edition: LinesText(s.Edition),
			Actors: linesTexts(s.Actors), LeftOut: linesTexts(s.LeftOut), Declared: linesTexts(s.Declared),
			Verdict: s.Verdict, InFull: LinesText(fmt.Sprintf("%s: %s", s.Verdict, r.stated(s))), Counts: s.Counts,
		})
	}
	return o
}

// linesTexts is LinesText of each text, never nil.
func linesTexts(texts []string) []string {
	all := make([]string, 0, len(texts))
	for _, text := range texts {
		all = append(all, LinesText(foldBreaks(text)))
	}
	return all
}

// noted is the outcome with the notes of the run, for formats that have no place
// for them. A signed statement does not hold them: they judge nothing.
func (r *Report) noted() runOutcome {
	o := r.outcome()
	for _, note := range r.Notes {
		o.Notes = append(o.Notes, LinesText(foldBreaks(note)))
	}
	return o
}

// totals adds the counts of every suite.
func (r *Report) totals() Counts {
	var all Counts
	for i := range r.Suites {
		all = all.Plus(r.Suites[i].Counts)
	}
	return all
}

// duration is the time that the scenarios of a requirement took, in milliseconds.
func (q *Requirement) duration() int64 {
	ms := int64(0)
	for _, sc := range q.Scenarios {
		ms += sc.DurationMS
	}
	return ms
}

// title is the requirement in one line.
func (q *Requirement) title() string { return joinWords(" ", q.ID, q.Level, foldBreaks(q.Summary)) }

// message is why a requirement has its mark, in one line; empty where it is
// simply kept.
func (q *Requirement) message(m mark) string {
	switch m.word {
	case "passed":
		return ""
	case "failed", "error":
		return foldBreaks(q.Cause())
	case "warning", "advice", "known failure":
		return m.word + ", a failed " + q.Level + ": " + foldBreaks(q.Cause())
	default:
		return m.word + ": " + foldBreaks(q.Cause())
	}
}

// account is the explanation of every scenario that has the requirement's status,
// and every remark, as lines of text; empty where there is neither.
func (q *Requirement) account() string {
	text := ""
	if q.Status.explains() {
		text = explain(q)
	}
	return text + q.remarked()
}

// remarked is every remark, as lines of text.
func (q *Requirement) remarked() string {
	text := ""
	for _, remark := range q.remarks() {
		text += fmt.Sprintf("%s at %s: %s\n", remark.Weight, remark.place(), foldBreaks(remark.Message))
	}
	return text
}

// remarks are those of every scenario, whatever its status.
func (q *Requirement) remarks() []Remark {
	var all []Remark
	for i := range q.Scenarios {
		all = append(all, q.Scenarios[i].Remarks...)
	}
	return all
}

// place is where a finding stands, as far as it is known.
func (f Finding) place() string {
	if f.Line <= 0 {
		return f.File
	}
	return fmt.Sprintf("%s:%d:%d", f.File, f.Line, max(f.Column, 1))
}

// explain tells, as lines of text, how each scenario ended that has the
// requirement's status.
func explain(q *Requirement) string {
	var text strings.Builder
	for i := range q.Scenarios {
		sc := &q.Scenarios[i]
		if sc.Status != q.Status {
			continue
		}
		fmt.Fprintf(&text, "\nscenario: %s\n", foldBreaks(sc.Name))
		if sc.Failure == nil {
			fmt.Fprintf(&text, "reason: %s\n", foldBreaks(sc.Reason))
			continue
		}
		explainFailure(&text, sc.Failure)
	}
	return text.String()
}
