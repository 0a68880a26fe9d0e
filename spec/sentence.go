package spec

import (
	"regexp"
	"strings"
)

var (
	// sentenceEnd matches punctuation after a word, closing marks, and a gap.
	sentenceEnd = regexp.MustCompile(`[^\s.][.!?](?:["'”’)\]]|\*\*)*\s+`)
	// abbreviation matches a word whose full stop does not end a sentence.
	abbreviation = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl)\.$`)
	// damagedKeyword matches a keyword that is joined to the preceding word, which proves that white space
	// was lost.
	damagedKeyword = regexp.MustCompile(`[a-z0-9_)](?:MUST|SHOULD|SHALL|MAY|REQUIRED|RECOMMENDED|OPTIONAL)`)
	// joinedEnd matches a full stop that is followed, without a gap, by an identifier that contains
	// an underscore or ends in a keyword.
	joinedEnd = regexp.MustCompile(`[a-z)]\.([a-z.]*_|[a-z.]+(?:MUST|SHOULD|SHALL|MAY))`)
	codeSpan  = regexp.MustCompile("`[^`]*`")
)

// maxWordLength is longer in bytes than any abbreviation with the character before it.
const maxWordLength = 16

// span is a piece of a text from byte start to byte end.
type span struct{ start, end int }

// sentences cuts a text into its sentences. Code spans are never cut.
func sentences(text string) []span {
	masked := codeSpan.ReplaceAllStringFunc(text, func(code string) string {
		return strings.Repeat("`", len(code))
	})
	var out []span
	start := 0
	cut := func(end int) {
		if end > start && strings.TrimSpace(text[start:end]) != "" {
			out = append(out, span{start, end})
		}
		start = end
	}
	damaged := damagedKeyword.MatchString(masked)
	for start < len(text) {
		end := nextEnd(masked, start)
		for damaged && start < end {
			cut(joinedStop(masked, start, end))
		}
		cut(end)
	}
	return out
}

// nextEnd returns the offset after the sentence that begins at start.
func nextEnd(text string, start int) int {
	for from := start; ; {
		m := sentenceEnd.FindStringIndex(text[from:])
		if m == nil {
			return len(text)
		}
		stop := from + m[0] + 1 + strings.IndexAny(text[from+m[0]+1:], ".!?") + 1
		from += m[1]
		if !abbreviation.MatchString(text[max(start, stop-maxWordLength):stop]) {
			return from
		}
	}
}

// joinedStop searches for an earlier end in the sentence from start to end: a full stop whose gap
// was lost. The remainder must contain a joined keyword, so that the name of an operation, as in
// capability.list, is not split.
func joinedStop(text string, start, end int) int {
	for from := start; ; {
		m := joinedEnd.FindStringSubmatchIndex(text[from:end])
		if m == nil {
			return end
		}
		from += m[2]
		if damagedKeyword.MatchString(text[start:from]) {
			return from
		}
	}
}

func lastSentence(text string) string {
	spans := sentences(text)
	if len(spans) == 0 {
		return ""
	}
	last := spans[len(spans)-1]
	return text[last.start:last.end]
}

// isLeadIn reports whether a text introduces a list or a table.
func isLeadIn(text string) bool {
	return strings.HasSuffix(strings.TrimRight(text, "*_`\" "), ":")
}
