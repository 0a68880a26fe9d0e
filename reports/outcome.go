package reports

import (
	"fmt"

	"github.com/capconform/capconform/reports/display"
)

// UnfinishedBy states in one line why a run did not finish. It returns "" if it finished.
func (r *Report) UnfinishedBy() string {
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

// Outcome contains the verdict and the counts, for formats that have no members for them.
type Outcome struct {
	Verdict Verdict        `json:"verdict"`         // of the run
	Suites  []suiteOutcome `json:"suites"`          // in the order of the report
	Notes   []string       `json:"notes,omitempty"` // what a reader must know
}

// suiteOutcome contains members of Suite, and InFull: the verdict in one sentence.
type suiteOutcome struct {
	Suite       string   `json:"suite"` // cap, chp, acp or acd
	SpecVersion string   `json:"spec_version"`
	Edition     string   `json:"edition"`            // of the text
	Actors      []string `json:"actors"`             // that were examined
	LeftOut     []string `json:"left_out,omitempty"` // actors, as Suite.LeftOut
	Declared    []string `json:"declared"`           // versions that the subject declares
	Verdict     Verdict  `json:"verdict"`
	InFull      string   `json:"verdict_in_full"` // the verdict, a colon and a sentence
	Counts      Counts   `json:"counts"`          // of requirements, by level and status
}

// Outcome returns the verdict and the counts of each suite.
func (r *Report) Outcome() Outcome {
	o := Outcome{Verdict: r.Verdict, Suites: []suiteOutcome{}}
	for i := range r.Suites {
		s := &r.Suites[i]
		o.Suites = append(o.Suites, suiteOutcome{
			Suite: s.Suite, SpecVersion: display.LinesText(s.SpecVersion), Edition: display.LinesText(s.Edition),
			Actors: linesTexts(s.Actors), LeftOut: linesTexts(s.LeftOut), Declared: linesTexts(s.Declared),
			Verdict: s.Verdict, InFull: display.LinesText(fmt.Sprintf("%s: %s", s.Verdict, r.VerdictSentence(s))),
			Counts: s.Counts,
		})
	}
	return o
}

// linesTexts returns LinesText of each text, never nil.
func linesTexts(texts []string) []string {
	all := make([]string, 0, len(texts))
	for _, text := range texts {
		all = append(all, display.LinesText(display.FoldBreaks(text)))
	}
	return all
}

// Noted returns the outcome with the notes of the run, for formats that have no member for them. A
// signed statement omits them: they judge nothing.
func (r *Report) Noted() Outcome {
	o := r.Outcome()
	for _, note := range r.Notes {
		o.Notes = append(o.Notes, display.LinesText(display.FoldBreaks(note)))
	}
	return o
}

// Totals returns the sum of the counts of all suites.
func (r *Report) Totals() Counts {
	var all Counts
	for i := range r.Suites {
		all = all.Plus(r.Suites[i].Counts)
	}
	return all
}
