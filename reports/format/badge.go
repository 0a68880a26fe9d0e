package format

import (
	"fmt"
	"io"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
)

// badge is the answer of an endpoint for shields.
type badge struct {
	SchemaVersion int    `json:"schemaVersion"`     // 1
	Label         string `json:"label"`             // the left half
	Message       string `json:"message"`           // the right half
	Color         string `json:"color"`             // a name that shields knows
	IsError       bool   `json:"isError,omitempty"` // shields shows it as an error
}

var badgeColours = map[reports.Verdict]string{
	reports.Conformant:    "brightgreen",
	reports.Nonconformant: "red",
	reports.Incomplete:    "yellow",
}

// badgeLabel names who states the result. A badge names the texts and counts. It never says that
// somebody certifies the subject, and it has no mark of a protocol.
const badgeLabel = "examined by capconform"

// writeBadge writes by which texts the subject was examined, and how many of the MUSTs it keeps. It
// returns an error for a partial run, which says nothing about the subject as a whole.
func writeBadge(w io.Writer, r *reports.Report, _ Options) error {
	if err := r.Whole("badge"); err != nil {
		return err
	}
	var parts []string
	for i := range r.Suites {
		s := &r.Suites[i]
		parts = append(parts, display.TerminalText(r.Titled(s)+": "+keptOf(s, r.Run.Strict)))
		if more := s.Beyond(); more != "" {
			parts = append(parts, strings.TrimSuffix(display.TerminalText(more), "."))
		}
	}
	if len(parts) == 0 {
		parts = append(parts, r.Sentence())
	}
	if why := r.UnfinishedBy(); why != "" && len(r.Suites) > 0 {
		parts = append(parts, "the run did not finish")
	}
	return reports.WriteDocument(w, "badge", badge{
		SchemaVersion: 1, Label: badgeLabel, Message: strings.Join(parts, "; "), Color: badgeColours[r.Verdict],
		IsError: r.Verdict == reports.Incomplete,
	})
}

// keptOf returns how many of the applicable MUSTs are kept, and what the others are.
func keptOf(s *reports.Suite, strict bool) string {
	must := s.Counts.Must
	kept, open := must.Passed+must.Provided, must.Inconclusive+must.Error
	if kept+must.Failed+open == 0 {
		return "no MUST was judged"
	}
	parts := []string{fmt.Sprintf("%d of %s kept", kept, display.Plural(kept+must.Failed+open, "MUST"))}
	if must.Provided > 0 {
		provided := fmt.Sprintf("%d of them by an adapter or a mapping", must.Provided)
		if must.MostlyProvided() {
			provided += ", which is half or more"
		}
		parts = append(parts, provided)
	}
	if must.Failed > 0 {
		parts = append(parts, fmt.Sprintf("%d broken", must.Failed))
	}
	if strict && s.Counts.Should.Failed > 0 {
		parts = append(parts, display.Plural(s.Counts.Should.Failed, "SHOULD")+" broken")
	}
	if open > 0 {
		parts = append(parts, fmt.Sprintf("%d not judged", open))
	}
	if must.NotObserved > 0 {
		parts = append(parts, fmt.Sprintf("%d not observed", must.NotObserved))
	}
	if s.Plan.Executed < s.Plan.Planned {
		parts = append(parts, display.Plural(s.Plan.Planned-s.Plan.Executed, "scenario")+" not run")
	}
	return strings.Join(parts, ", ")
}
