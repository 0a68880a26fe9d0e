package environment

import (
	"regexp"
	"strings"
	"unicode"
)

// SameTool reports whether a tool that a model receives is a tool of a package. A router may rename
// tools: it may replace a dot by _, __ or -, or by a capital letter, and may put further words before or
// after the name to distinguish packages.
func SameTool(received, declared string) bool {
	a, b := toolWords(received), toolWords(declared)
	return containsName(a, b) || containsName(joinDigits(a), joinDigits(b))
}

// containsName reports whether the words of a received name are those of a declared one, with or without
// further words before or after them.
func containsName(received, declared string) bool {
	return declared != "" &&
		(received == declared || strings.HasPrefix(received, declared+" ") || strings.HasSuffix(received, " "+declared))
}

// joinDigits returns words without the spaces before digits, as in a name without separators: no capital
// letter shows that a digit begins a word.
func joinDigits(words string) string { return spaceBeforeDigit.ReplaceAllString(words, "$1") }

var spaceBeforeDigit = regexp.MustCompile(` ([0-9])`)

// toolWords returns the words of a name in lower case, separated by single spaces. A capital letter
// after a small letter or a digit begins a word.
func toolWords(name string) string {
	var words strings.Builder
	inWord, ended := false, false // after a small letter or a digit; after the end of a word
	for _, r := range name {
		if strings.ContainsRune("./_-", r) || unicode.IsSpace(r) {
			inWord, ended = false, words.Len() > 0
			continue
		}
		if ended || inWord && r >= 'A' && r <= 'Z' {
			words.WriteByte(' ')
		}
		inWord, ended = r >= 'a' && r <= 'z' || r >= '0' && r <= '9', false
		words.WriteRune(unicode.ToLower(r))
	}
	return words.String()
}

// receivedName returns the name under which the model received a tool, "" if it did not. A name without
// further words takes precedence.
func (q Request) receivedName(name string) string {
	found, words := "", toolWords(name)
	for _, t := range q.Tools {
		if other := toolWords(t.Name); other == words || joinDigits(other) == joinDigits(words) {
			return t.Name
		}
		if found == "" && SameTool(t.Name, name) {
			found = t.Name
		}
	}
	return found
}

// verbPattern matches the verbs of the built-in tools within names.
var verbPattern = regexp.MustCompile(`(?i)create|update|query|delete`)

// nameToCall returns the name to call: the name that the model received. If it did not receive the tool,
// the name is written in the style of a built-in tool that it received, or as the package names it.
func (q Request) nameToCall(call *ToolCall) string {
	if name := q.receivedName(call.Name); name != "" {
		return name
	}
	family, verb, dotted := strings.Cut(call.Name, ".")
	for _, t := range q.Tools {
		found := verbPattern.FindString(t.Name)
		if !dotted || found == "" || !SameTool(t.Name, family+"."+strings.ToLower(found)) {
			continue
		}
		if found != strings.ToLower(found) {
			verb = strings.ToUpper(verb[:1]) + verb[1:]
		}
		return strings.Replace(t.Name, found, verb, 1)
	}
	return call.Name
}
