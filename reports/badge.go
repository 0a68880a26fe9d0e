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

// writeBadge writes what the subject is examined by, and the verdict. It refuses
// a partial run, which says nothing of the subject as a whole.
func writeBadge(w io.Writer, r *Report, _ Options) error {
	if err := r.whole("badge"); err != nil {
		return err
	}
	b := badge{SchemaVersion: 1, Label: "capconform", Message: string(r.Verdict), Color: badgeColours[r.Verdict], IsError: r.Verdict == Incomplete}
	var names []string
	for i := range r.Suites {
		names = append(names, TerminalText(r.titled(&r.Suites[i])))
	}
	if len(names) > 0 {
		b.Label = strings.Join(names, "; ")
	}
	must := r.totals().Must
	switch {
	case r.Verdict == Nonconformant && must.Failed > 0:
		b.Message += fmt.Sprintf(", %d of %s broken", must.Failed, plural(must.Passed+must.Provided+must.Failed, "MUST"))
	case r.Verdict == Conformant:
		b.Message += fmt.Sprintf(", %s kept", plural(must.Passed+must.Provided, "MUST"))
		if must.Provided > 0 {
			b.Message += fmt.Sprintf(", %d of them by an adapter or a mapping", must.Provided)
		}
		if must.NotObserved > 0 {
			b.Message += fmt.Sprintf(", %d not observed", must.NotObserved)
		}
	}
	for i := range r.Suites {
		if more := r.Suites[i].beyond(); more != "" {
			b.Message += "; " + strings.TrimSuffix(TerminalText(more), ".")
		}
	}
	return writeMachine(w, "badge", b)
}
