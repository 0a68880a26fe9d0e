package reports

import (
	"fmt"
	"io"
	"strings"
)

// badge is the answer of a shields endpoint.
type badge struct {
	SchemaVersion int    `json:"schemaVersion"`
	Label         string `json:"label"`
	Message       string `json:"message"`
	Color         string `json:"color"`
	IsError       bool   `json:"isError,omitempty"`
}

var badgeColours = map[Verdict]string{Conformant: "brightgreen", Nonconformant: "red", Incomplete: "yellow"}

// badgeLabel says who speaks. A badge names the texts and counts; it never says that
// somebody certifies the subject, and it bears no mark of a protocol.
const badgeLabel = "examined by capconform"

// writeBadge writes by which texts the subject was examined, and how many of the MUSTs it
// keeps. It refuses a partial run, which says nothing of the subject as a whole.
func writeBadge(w io.Writer, r *Report, _ Options) error {
	if err := r.whole("badge"); err != nil {
		return err
	}
	var parts []string
	for i := range r.Suites {
		s := &r.Suites[i]
		parts = append(parts, TerminalText(r.titled(s)+": "+s.kept(r.Run.Strict)))
		if more := s.beyond(); more != "" {
			parts = append(parts, strings.TrimSuffix(TerminalText(more), "."))
		}
	}
	if len(parts) == 0 {
		parts = append(parts, r.sentence())
	}
	if why := r.unfinishedBy(); why != "" && len(r.Suites) > 0 {
		parts = append(parts, "the run did not come to its end")
	}
	return writeMachine(w, "badge", badge{
		SchemaVersion: 1, Label: badgeLabel, Message: strings.Join(parts, "; "), Color: badgeColours[r.Verdict],
		IsError: r.Verdict == Incomplete,
	})
}

// kept says how many of the MUSTs that apply are kept, and what the others are.
func (s *Suite) kept(strict bool) string {
	must := s.Counts.Must
	kept, open := must.Passed+must.Provided, must.Inconclusive+must.Error
	if kept+must.Failed+open == 0 {
		return "no MUST was judged"
	}
	parts := []string{fmt.Sprintf("%d of %s kept", kept, plural(kept+must.Failed+open, "MUST"))}
	if must.Provided > 0 {
		provided := fmt.Sprintf("%d of them by an adapter or a mapping", must.Provided)
		if must.mostlyProvided() {
			provided += ", which is half or more"
		}
		parts = append(parts, provided)
	}
	if must.Failed > 0 {
		parts = append(parts, fmt.Sprintf("%d broken", must.Failed))
	}
	if strict && s.Counts.Should.Failed > 0 {
		parts = append(parts, plural(s.Counts.Should.Failed, "SHOULD")+" broken")
	}
	if open > 0 {
		parts = append(parts, fmt.Sprintf("%d not judged", open))
	}
	if must.NotObserved > 0 {
		parts = append(parts, fmt.Sprintf("%d not observed", must.NotObserved))
	}
	if s.Plan.Executed < s.Plan.Planned {
		parts = append(parts, plural(s.Plan.Planned-s.Plan.Executed, "scenario")+" not run")
	}
	return strings.Join(parts, ", ")
}
