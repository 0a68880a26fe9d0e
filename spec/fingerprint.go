package spec

import (
	"crypto/sha256"
	"encoding/hex"
	"html"
	"regexp"
	"strings"
	"unicode"
)

// linkTarget matches the target of a Markdown link. An extraction to plain text keeps only the text
// of the link.
var linkTarget = regexp.MustCompile(`\[([^\]]*)\]\([^()\s]+(?:\s+"[^"]*")?\)`)

// Fingerprint returns the hexadecimal SHA-256 of the letters and digits of a block, in their case
// and order. Markup, punctuation and white space are ignored, so that a Markdown original and a
// damaged extraction of it have the same fingerprint.
func Fingerprint(text string) string {
	sum := sha256.Sum256([]byte(fingerprintText(text)))
	return hex.EncodeToString(sum[:])
}

// fingerprintText returns the part of a block that determines its fingerprint.
func fingerprintText(text string) string {
	text = linkTarget.ReplaceAllString(html.UnescapeString(text), "$1")
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}
