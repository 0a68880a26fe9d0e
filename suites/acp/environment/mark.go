package environment

import (
	"crypto/rand"
	"encoding/hex"
	"regexp"
)

// NewMark returns a new unique word by which a scenario recognises its own requests: "mk" and 16
// hexadecimal digits.
func NewMark() string {
	var fresh [8]byte
	_, _ = rand.Read(fresh[:]) // never fails
	return "mk" + hex.EncodeToString(fresh[:])
}

var markPattern = regexp.MustCompile(`mk[0-9a-f]{16}`)

// lastMark returns the last mark in a text, "" if there is none.
func lastMark(text string) string {
	all := markPattern.FindAllString(text, -1)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}
