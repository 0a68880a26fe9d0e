package judge

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/verdict"
)

var markSentences = []verdict.Sentence[events]{
	verdict.Say(`no event that the host writes contains the marker of a payload`, events.MarksAbsent),
}

// markerLength is the length of the beginning of a marker that identifies it: hosts record previews.
const markerLength = len(history.Mark) + 8

// writtenByHost reports whether the host itself wrote an event: one of a core type, one of an invocation that
// no handler executed, or one of a type that later texts reserve for the host and that the capability does not
// list. Events that a capability emits are explicit.
func (j events) writtenByHost(ev event) bool {
	switch {
	case core(ev.Event):
		return true
	case ev.of == nil:
		return false
	case ev.of.DeniedOrSkipped() && !j.Evidence(ev.of).Has(history.EventStarted):
		return true
	}
	return reservedFamily(ev.Kind) && !slices.Contains(history.Texts(j.descriptor(ev.of)["emits"]), ev.Kind)
}

// MarksAbsent is CHP-5-09.
func (j events) MarksAbsent() verdict.Verdict {
	r := &verdict.Verdict{}
	var marks []string
	for _, a := range j.Attempts() {
		marks = append(marks, a.Marks()...)
	}
	beginning := tracesOf(history.Mark)
	for _, ev := range j.events(anyEvent) {
		if !j.writtenByHost(ev) {
			continue
		}
		r.Judged++
		lower := strings.ToLower(ev.Raw)
		if !beginning.in(ev.Raw, lower) {
			continue
		}
		for _, m := range marks {
			if tracesOf(m[:min(len(m), markerLength)]).in(ev.Raw, lower) {
				kind := "an invocation"
				if ev.of != nil {
					kind = ev.of.Kind
				}
				r.AddBreach(j.entries(ev), "a raw payload is found in the evidence of "+kind,
					"no payload in an event that the host writes", m+" in "+jsonvalue.Clip(ev.Raw))
				break
			}
		}
	}
	if len(marks) == 0 {
		r.Judged = 0
		return r.OpenUnlessJudged(j.noSuccess())
	}
	return r.OpenUnlessJudged(noEvidence())
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
