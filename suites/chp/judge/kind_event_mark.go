package judge

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/chp/history"
)

// markerLength is the length of the beginning of a marker that identifies it: hosts record previews.
const markerLength = len(history.Mark) + 8

// isWrittenByHost reports whether the host itself wrote an event: one of a core type, one of an invocation that
// no handler executed, or one of a type that later texts reserve for the host and that the capability does not
// list. Events that a capability emits are explicit.
func (e event) isWrittenByHost() bool {
	switch {
	case core(e.Event):
		return true
	case e.of == nil:
		return false
	case e.of.DeniedOrSkipped() && !e.j.Evidence(e.of).Has(history.EventStarted):
		return true
	}
	return reservedFamily(e.Kind) && !slices.Contains(history.Texts(e.j.descriptor(e.of)["emits"]), e.Kind)
}

// sendsMarkers reports whether a payload contained a marker.
func (j *evidence) sendsMarkers() bool {
	return slices.ContainsFunc(j.Attempts(), func(a *history.Attempt) bool { return len(a.Marks()) > 0 })
}

// marker returns a marker of a payload that the event contains, "" if there is none.
func (e event) marker() string {
	lower := strings.ToLower(e.Raw)
	if !tracesOf(history.Mark).in(e.Raw, lower) {
		return ""
	}
	for _, a := range e.j.Attempts() {
		for _, m := range a.Marks() {
			if tracesOf(m[:min(len(m), markerLength)]).in(e.Raw, lower) {
				return m
			}
		}
	}
	return ""
}

// traces are the forms in which a copy of a text may appear: those that ignore case, and those that
// do not.
type traces struct{ folded, exact []string }

// tracesOf returns the forms of a text: the text and its hexadecimal form, and base64 in its two
// alphabets, wherever the text begins in what was encoded.
func tracesOf(text string) traces {
	t := traces{folded: []string{strings.ToLower(text), hex.EncodeToString([]byte(text))}}
	for before := range 3 {
		whole := append(make([]byte, before), text...)
		first, end := (before*8+5)/6, len(whole)*8/6
		for _, alphabet := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			t.exact = append(t.exact, alphabet.EncodeToString(whole)[first:end])
		}
	}
	return t
}

// in reports whether a text contains one of the forms. The argument lower is the text in lower case.
func (t traces) in(text, lower string) bool {
	return slices.ContainsFunc(t.folded, func(form string) bool { return strings.Contains(lower, form) }) ||
		slices.ContainsFunc(t.exact, func(form string) bool { return strings.Contains(text, form) })
}
