package proof

import (
	"regexp"
	"unicode/utf8"

	"github.com/capconform/capconform/reports/format"
)

// The length of the excerpt of a message in an illustration, and how much of it precedes the first difference between
// the conforming and the broken message. In bytes.
const (
	excerptLimit = 1400
	excerptLead  = 350
)

// excerpted shortens an illustration for readers: of a long answer it retains the part in which the reference and the
// host that breaks the requirement differ.
func excerpted(shown format.Illustration) format.Illustration {
	shown.Want, shown.Got, shown.Text = excerpt(shown.Want, 0), excerpt(shown.Got, 0), excerpt(shown.Text, 0)
	if shown.Broken == nil {
		return shown
	}
	if shown.Kept == nil {
		shown.Broken = excerptCall(*shown.Broken, 0, 0)
		return shown
	}
	sent := max(0, firstDifference(shown.Kept.Sent, shown.Broken.Sent)-excerptLead)
	received := max(0, firstDifference(shown.Kept.Received, shown.Broken.Received)-excerptLead)
	shown.Kept, shown.Broken = excerptCall(*shown.Kept, sent, received), excerptCall(*shown.Broken, sent, received)
	return shown
}

func excerptCall(call format.IllustratedCall, sent, received int) *format.IllustratedCall {
	call.Sent, call.Received = excerpt(call.Sent, sent), excerpt(call.Received, received)
	return &call
}

// excerpt returns the text from a place on, or the whole text if it is short.
func excerpt(text string, from int) string {
	if len(text) <= excerptLimit {
		return text
	}
	from = max(0, min(from, len(text)-excerptLimit))
	to := from + excerptLimit
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to--
	}
	part := text[from:to]
	if from > 0 {
		part = "… " + part
	}
	if to < len(text) {
		part += " …"
	}
	return part
}

// generated matches what differs between runs: identifiers, hashes, keys, numbers.
var generated = regexp.MustCompile(
	`[0-9A-Za-z]{20,}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{8,}|[0-9]+`,
)

// firstDifference returns the index of the first byte in which two texts differ, except for generated values; 0 if
// they do not differ.
func firstDifference(a, b string) int {
	atA, atB := 0, 0
	for atA < len(a) && atB < len(b) {
		restA, restB := a[atA:], b[atB:]
		placeA, placeB := generated.FindStringIndex(restA), generated.FindStringIndex(restB)
		if placeA != nil && placeB != nil && placeA[0] == 0 && placeB[0] == 0 {
			atA, atB = atA+placeA[1], atB+placeB[1]
			continue
		}
		plain := min(before(placeA, restA), before(placeB, restB))
		for i := range plain {
			if restA[i] != restB[i] {
				return atA + i
			}
		}
		if plain == 0 {
			return atA
		}
		atA, atB = atA+plain, atB+plain
	}
	if atA == len(a) && atB == len(b) {
		return 0
	}
	return atA
}

// before returns the length of the text before a match in it.
func before(place []int, text string) int {
	if place == nil {
		return len(text)
	}
	return place[0]
}
