package cli

import (
	"context"
	"fmt"

	"github.com/capconform/capconform/cmd/capconform/internal/proof"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
)

// shownOfExchange is how much of a message explain prints, in characters.
const shownOfExchange = 700

// illustration shows the requirement kept and broken, by a run of the reference
// and of one that breaks it, held here and now.
func (e *explanation) illustration(ctx context.Context, s *suites.Suite, r spec.Requirement) error {
	if !r.Testable() {
		return nil
	}
	population, err := proof.Everything()
	if err != nil {
		return err
	}
	shown, err := population.Illustrate(ctx, s, r.ID)
	if err != nil || shown == nil {
		return err
	}
	if shown.Kept != nil {
		e.chapter("An exchange that keeps it (the reference)")
		e.exchange(shown.Kept)
	}
	e.chapter("What breaks it (" + shown.Name + ")")
	e.paragraph(shown.Summary)
	if shown.Broken != nil {
		e.exchange(shown.Broken)
	}
	if shown.Line != "" {
		finding := shown.Failure.Findings[0]
		e.line(fmt.Sprintf("line %d: %s", finding.Line, excerpt(shown.Line)))
		e.line("found:   " + excerpt(finding.Message))
		return nil
	}
	e.line("found:   " + excerpt(shown.Failure.Message))
	for _, label := range []struct{ name, text string }{{"want:    ", shown.Failure.Want}, {"got:     ", shown.Failure.Got}} {
		if label.text != "" {
			e.line(label.name + excerpt(label.text))
		}
	}
	return nil
}

func (e *explanation) exchange(x *reports.Exchange) {
	e.line(x.Operation)
	e.line("  sent:  " + excerpt(x.Sent.String()))
	e.line("  came:  " + excerpt(x.Received.String()))
}

// excerpt is the beginning of a text, on one line.
func excerpt(text string) string {
	text = reports.TerminalText(text)
	if runes := []rune(text); len(runes) > shownOfExchange {
		return string(runes[:shownOfExchange]) + " …"
	}
	return text
}
