package requirements

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/capconform/capconform/reports/display"
	"github.com/capconform/capconform/reports/format"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
)

// maxShownText is the number of characters of a message that explain prints.
const maxShownText = 700

// illustration shows the requirement kept and broken, from runs of the reference and of a mutant, if there are any.
func (e *explanation) illustration(s *suites.Suite, r spec.Requirement) error {
	shown, err := format.Illustrated(s.Name, r.ID)
	if err != nil || shown == nil {
		return err
	}
	if shown.Kept != nil {
		e.chapter("An exchange that conforms (the reference)")
		e.exchange(s, shown.Kept)
	}
	e.chapter("What breaks it (" + shown.Breaker + ")")
	if shown.Summary != "" {
		e.paragraph(shown.Summary)
	}
	if shown.Broken != nil {
		e.exchange(s, shown.Broken)
	}
	if shown.Line > 0 {
		e.line(fmt.Sprintf("line %d: %s", shown.Line, excerpt(shown.Text)))
		e.line("found:   " + excerpt(shown.Found))
		return nil
	}
	for _, label := range []struct{ name, text string }{{"found:   ", shown.Found}, {"want:    ", shown.Want}, {"got:     ", shown.Got}} {
		if label.text != "" {
			e.labelled(label.name, excerpt(label.text))
		}
	}
	return nil
}

// exchange shows a call in the binding over HTTP of the suite, if it has one.
func (e *explanation) exchange(s *suites.Suite, x *format.IllustratedCall) {
	sent, received := x.Sent, x.Received
	for _, route := range s.Routes {
		if route.Operation == x.Operation {
			sent = strings.TrimSuffix(route.Method+" "+route.Path+" "+paramsOf(x.Sent), " {}")
			received = resultOf(x.Received)
			break
		}
	}
	e.line(x.Operation)
	e.labelled("  sent:  ", excerpt(sent))
	e.labelled("  came:  ", excerpt(received))
}

// labelled writes a text after a label, wrapped at the width of the page.
func (e *explanation) labelled(label, text string) {
	for _, line := range display.Wrap(text, pageColumns-len(label)-2) {
		e.line(label + line)
		label = strings.Repeat(" ", len(label))
	}
}

// The envelope of JSON-RPC around the params of a request and the result of a response.
var (
	envelopeOfParams = regexp.MustCompile(`^\{"jsonrpc":"2\.0","id":[0-9]+,"method":"[^"]*","params":`)
	envelopeOfResult = regexp.MustCompile(`^\{"jsonrpc":"2\.0","id":[0-9]+,"result":`)
)

// paramsOf returns the params of a request, and resultOf the result of a response. The text may be only the beginning.
func paramsOf(request string) string  { return within(envelopeOfParams, request) }
func resultOf(response string) string { return within(envelopeOfResult, response) }

func within(envelope *regexp.Regexp, text string) string {
	if !envelope.MatchString(text) {
		return text
	}
	return strings.TrimSuffix(envelope.ReplaceAllString(text, ""), "}")
}

// excerpt returns the beginning of a text, on one line.
func excerpt(text string) string {
	text = display.TerminalText(text)
	if runes := []rune(text); len(runes) > maxShownText {
		return string(runes[:maxShownText]) + " …"
	}
	return text
}
