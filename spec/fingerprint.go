package spec

import (
	"crypto/sha256"
	"encoding/hex"
	"html"
	"regexp"
	"strings"
	"unicode"
)

// linkTarget is what a Markdown link hides behind its text; an extraction to
// plain text keeps only the text.
var linkTarget = regexp.MustCompile(`\[([^\]]*)\]\([^()\s]+(?:\s+"[^"]*")?\)`)

// Fingerprint is the hexadecimal SHA-256 of the letters and digits of a block,
// in their case and order. Markup, punctuation and white space do not count, so
// that a Markdown original and a damaged extraction of it give the same.
func Fingerprint(text string) string {
	sum := sha256.Sum256([]byte(essence(text)))
	return hex.EncodeToString(sum[:])
}

// essence is what of a block counts for its fingerprint.
func essence(text string) string {
	text = linkTarget.ReplaceAllString(html.UnescapeString(text), "$1")
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}
