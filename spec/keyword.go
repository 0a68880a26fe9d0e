package spec

import (
	"regexp"
	"strings"
)

// keywordForm matches the words of RFC 2119, MANDATORY, and must and should with any case of the
// first letter. It ignores word borders, because extraction joins words. standsAlone rejects words
// that only contain a keyword.
var keywordForm = regexp.MustCompile(
	`(?:MUST|SHALL|SHOULD)(?:\s*NOT\b)?|(?:NOT\s+)?RECOMMENDED|REQUIRED|OPTIONAL|MANDATORY|MAY|` +
		`[Mm]ust(?:\s+not)?|[Ss]hould(?:\s+not)?`)

// longerWord matches words that only begin like a keyword.
var longerWord = regexp.MustCompile(`^(?:MAYBE|MAYOR|SHALLOW|[Mm]ust(?:ard|er|ache|ang)|[Ss]houlder)`)

// A keyword that is a part of a name, as in must_use or CALL_MUST, follows identifierBefore or precedes
// identifierAfter. DISMAY is the only word that ends in a keyword.
var (
	identifierBefore = regexp.MustCompile(`(?:[A-Za-z0-9]_|DIS)$`)
	identifierAfter  = regexp.MustCompile(`^_[A-Za-z0-9]`)
)

// strength orders keywords from the strongest to the weakest.
var strength = []string{
	"MUST NOT", "SHALL NOT", "MUST", "SHALL", "REQUIRED", "MANDATORY", "must not", "must",
	"SHOULD NOT", "NOT RECOMMENDED", "SHOULD", "RECOMMENDED", "should not", "should", "MAY", "OPTIONAL",
}

// keywordOf returns the strongest keyword of a text in its normal form, or "".
func keywordOf(text string) string {
	best := len(strength)
	for _, m := range keywordForm.FindAllStringIndex(text, -1) {
		if !standsAlone(text, m) {
			continue
		}
		found := normalKeyword(text[m[0]:m[1]])
		for rank, keyword := range strength[:best] {
			if found == keyword {
				best = rank
				break
			}
		}
	}
	if best == len(strength) {
		return ""
	}
	return strength[best]
}

func standsAlone(text string, m []int) bool {
	before, after := text[:m[0]], text[m[1]:]
	return !longerWord.MatchString(text[m[0]:]) && !identifierBefore.MatchString(before) &&
		!identifierAfter.MatchString(after)
}

// normalKeyword puts one space between MUST and NOT, and lowers a capital that only begins a
// sentence.
func normalKeyword(found string) string {
	fields := strings.Fields(found)
	if first := fields[0]; len(first) > 3 && strings.HasSuffix(first, "NOT") {
		fields = []string{strings.TrimSuffix(first, "NOT"), "NOT"}
	}
	normal := strings.Join(fields, " ")
	if strings.ToUpper(normal) != normal {
		normal = strings.ToLower(normal)
	}
	return normal
}
