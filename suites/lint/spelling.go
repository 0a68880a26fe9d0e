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

// compared is how many members are compared with a name that is missing.
const compared = 1000

// Misspelt looks among the other members for the one that was meant: spelt
// alike, or without its first word. It gives the end of a message, empty where
// there is none. Known are the names that mean something else.
func Misspelt(n *document.Node, name string, known []string) string {
	plain := plainName(name)
	best, distance := "", 2+min(2, len(plain)/6) // a letter of kind, three of capability_id
	if len(n.Members) > compared {
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

// InQuotes ends a message about a number where a string belongs, empty for anything
// else.
func InQuotes(n *document.Node) string {
	if !n.Is(document.Number) {
		return ""
	}
	return "; write it in quotes: " + inQuotes(n)
}

func inQuotes(n *document.Node) string { return strconv.Quote(n.Text) }

// plainName leaves out what spellings of one name differ in.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}
