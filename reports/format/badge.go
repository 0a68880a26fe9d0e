package format

import (
	"fmt"
	"io"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
)

// badge is the response of an endpoint for shields.io.
type badge struct {
	SchemaVersion int    `json:"schemaVersion"`     // 1
	Label         string `json:"label"`             // the left half
	Message       string `json:"message"`           // the right half
	Color         string `json:"color"`             // a colour name of shields.io
	IsError       bool   `json:"isError,omitempty"` // shields.io shows it as an error
}

var badgeColours = map[reports.Verdict]string{
	reports.Conformant:    "brightgreen",
	reports.Nonconformant: "red",
	reports.Incomplete:    "yellow",
}

// BadgeLabel names the program that states the result. A badge names the texts and the counts. It
// never states that anybody certifies the subject, and it contains no logo of a protocol.
const BadgeLabel = "examined by capconform"

// writeBadge writes by which texts the subject was examined, and how many of the MUSTs it meets. It
// returns an error for a partial run, which proves nothing about the subject as a whole.
func writeBadge(w io.Writer, r *reports.Report, _ Options) error {
	if err := r.Whole("badge"); err != nil {
		return err
	}
	var parts []string
	for i := range r.Suites {
		parts = append(parts, BadgeText(r, &r.Suites[i]))
	}
	if len(parts) == 0 {
		parts = append(parts, r.Sentence())
	}
	if why := r.UnfinishedBy(); why != "" && len(r.Suites) > 0 {
		parts = append(parts, "the run did not finish")
	}
	return reports.WriteDocument(w, "badge", badge{
		SchemaVersion: 1, Label: BadgeLabel, Message: strings.Join(parts, "; "), Color: badgeColours[r.Verdict],
		IsError: r.Verdict == reports.Incomplete,
	})
}

// BadgeText returns the result of a suite in the words of a badge. It states only what was observed.
func BadgeText(r *reports.Report, s *reports.Suite) string {
	return display.TerminalText(display.Join("; ", r.Titled(s)+": "+keptOf(s, r.Run.Strict),
		strings.TrimSuffix(s.Unexamined(), ".")))
}

// keptOf returns how many of the applicable MUSTs are met, and the states of the others.
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
