package acpdocument

import (
	"strings"

	"github.com/capconform/capconform/spec/spelling"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/lint"
)

// memberOr returns the value of a member, or the object if the member is missing.
func memberOr(n *document.Node, name string) *document.Node {
	if value := n.Get(name); value != nil {
		return value
	}
	return n
}

// describeAbsence describes how a member is absent.
func describeAbsence(n *document.Node) string {
	if n == nil {
		return "missing"
	}
	return "null, which counts as missing"
}

// suggestion returns the end of a message with a probable correction, "" if text is empty.
func suggestion(text string) string {
	if text == "" {
		return ""
	}
	return "; did you mean " + jsonvalue.Print(text) + "?"
}

// suggestNearest returns the end of a message with the known word that was probably meant, "" if there
// is none.
func suggestNearest(word string, known []string) string {
	const maxDistance = 3
	best, distance := "", min(maxDistance, 1+len(word)/3)
	for _, k := range known {
		if d := spelling.Distance(strings.ToLower(k), strings.ToLower(word), distance+1); d <= distance && k != word {
			best, distance = k, d-1
		}
	}
	return suggestion(best)
}

func isStringList(n *document.Node) bool {
	if !n.Is(document.Array) {
		return false
	}
	for _, item := range n.Items {
		if !item.Is(document.String) {
			return false
		}
	}
	return true
}

// describeWrongItem describes a value that is not a list of strings, with the first item that is not a
// string.
func describeWrongItem(n *document.Node) string {
	if item := firstNonString(n); item != n {
		return "is a list with " + lint.Described(item)
	}
	return "is " + lint.Described(n)
}

// firstNonString returns the first item of a list that is not a string, or the value itself if there is
// none.
func firstNonString(n *document.Node) *document.Node {
	for _, item := range n.Items {
		if !item.Is(document.String) {
			return item
		}
	}
	return n
}

func memberNames(n *document.Node) []string {
	if n == nil {
		return nil
	}
	var all []string
	for _, m := range n.Members {
		all = append(all, m.Name)
	}
	return all
}

// typesOf returns the words in the member type, none if it is absent.
func typesOf(n *document.Node) []string {
	kind := n.Get("type")
	if kind.Is(document.String) {
		return []string{kind.Text}
	}
	var all []string
	if kind.Is(document.Array) {
		for _, item := range kind.Items {
			all = append(all, item.Str())
		}
	}
	return all
}
