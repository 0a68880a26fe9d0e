package lint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/capconform/capconform/spec/spelling"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// maxCompared bounds the members that are compared with a missing name.
const maxCompared = 1000

// Misspelt searches the other members for the one that was probably intended: with a similar name,
// or without its first word. It returns the end of a message, empty if there is none. known are
// names with another meaning.
func Misspelt(n *document.Node, name string, known []string) string {
	plain := plainName(name)
	best, distance := "", 2+min(2, len(plain)/6) // the distance permits one letter for kind, three for capability_id
	if len(n.Members) > maxCompared {
		return ""
	}
	for _, m := range n.Members {
		if m.Name == name || slices.Contains(known, m.Name) { // null is the same as missing
			continue
		}
		if d := spelling.Distance(plainName(m.Name), plain, distance); d < distance {
			best, distance = m.Name, d
		} else if best == "" && strings.HasSuffix(name, "_"+m.Name) {
			best = m.Name
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; is it the member %s?", jsonvalue.Print(best))
}

// InQuotes returns the end of a message about a number in place of a string, empty for anything
// else.
func InQuotes(n *document.Node) string {
	if !n.Is(document.Number) {
		return ""
	}
	return "; write it in quotes: " + quotedForm(n)
}

func quotedForm(n *document.Node) string { return strconv.Quote(n.Text) }

// plainName removes what distinguishes spellings of one name.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}
