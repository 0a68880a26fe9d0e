package display

import (
	"fmt"
	"strings"
)

// Plural returns a number and a noun, with an s unless the number is one.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Join joins the words that are not blank.
func Join(separator string, words ...string) string {
	var kept []string
	for _, w := range words {
		if w = strings.TrimSpace(w); w != "" {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, separator)
}
