package requirements

import (
	"fmt"

	"github.com/capconform/capconform/reports/display"
	"github.com/capconform/capconform/reports/format"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
)

// maxShownText is the number of characters of a message that explain prints.
const maxShownText = 700

// illustration shows the requirement kept and broken, from runs of the reference and of a mutant.
func (e *explanation) illustration(s *suites.Suite, r spec.Requirement) error {
	shown, err := format.Illustrated(s.Name, r.ID)
	if err != nil || shown == nil {
		return err
	}
	if shown.Kept != nil {
		e.chapter("An exchange that conforms (the reference)")
		e.exchange(shown.Kept)
	}
	e.chapter("What breaks it (" + shown.Breaker + ")")
	e.paragraph(shown.Summary)
	if shown.Broken != nil {
		e.exchange(shown.Broken)
	}
	if shown.Line > 0 {
		e.line(fmt.Sprintf("line %d: %s", shown.Line, excerpt(shown.Text)))
		e.line("found:   " + excerpt(shown.Found))
		return nil
	}
	e.line("found:   " + excerpt(shown.Found))
	for _, label := range []struct{ name, text string }{{"want:    ", shown.Want}, {"got:     ", shown.Got}} {
		if label.text != "" {
			e.line(label.name + excerpt(label.text))
		}
	}
	return nil
}

func (e *explanation) exchange(x *format.IllustratedCall) {
	e.line(x.Operation)
	e.line("  sent:  " + excerpt(x.Sent))
	e.line("  came:  " + excerpt(x.Received))
}

// excerpt returns the beginning of a text, on one line.
func excerpt(text string) string {
	text = display.TerminalText(text)
	if runes := []rune(text); len(runes) > maxShownText {
		return string(runes[:maxShownText]) + " …"
	}
	return text
}
