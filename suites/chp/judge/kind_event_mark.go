package judge

import (
	"encoding/base64"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
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

// marker returns a marker of a payload that the event contains, with its form and its place, "" if there is none.
func (e event) marker() string {
	if tracesOf(history.Mark).formIn(e.Raw) == "" {
		return ""
	}
	for _, a := range e.j.Attempts() {
		for _, m := range a.Marks() {
			t := tracesOf(m[:min(len(m), markerLength)])
			if form := t.formIn(e.Raw); form != "" {
				return "at " + t.placeIn(e.Members()) + ", as " + form + ": " + m
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

// formIn returns the form in which a text contains one of the traces, "" if it contains none.
func (t traces) formIn(text string) string {
	lower := strings.ToLower(text)
	switch {
	case strings.Contains(lower, t.folded[0]):
		return "text"
	case strings.Contains(lower, t.folded[1]):
		return "hexadecimal"
	case slices.ContainsFunc(t.exact, func(form string) bool { return strings.Contains(text, form) }):
		return "base64"
	}
	return ""
}

// placeIn returns a JSON pointer to the innermost value that contains one of the traces, or has it as the name of a
// member.
func (t traces) placeIn(of any) string {
	names := map[string]any{}
	switch of := of.(type) {
	case history.Object:
		names = of
	case []any:
		for i, element := range of {
			names[strconv.Itoa(i)] = element
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if t.formIn(string(jsonvalue.Encode(names[name]))) != "" {
			return "/" + name + t.placeIn(names[name])
		}
	}
	return ""
}
