package environment

import (
	"regexp"
	"strings"
	"unicode"
)

// SameTool reports whether a tool that a model receives is one of a package. Names may be
// rewritten on the way: a dot may become _, __ or -, or a capital letter, and a router
// may put further words before or behind the name, to tell packages apart.
func SameTool(shown, own string) bool {
	a, b := toolWords(shown), toolWords(own)
	if b == "" || len(a) < len(b) {
		return false
	}
	return a == b || strings.HasPrefix(a, b+" ") || strings.HasSuffix(a, " "+b)
}

// toolWords writes the words of a name with one space between them: a capital letter behind a
// small one begins a word.
func toolWords(name string) string {
	var words strings.Builder
	inWord, ended := false, false // behind a small letter or a digit; behind a word
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

// shown returns the name under which a tool is shown, "" if it is not. One that is
// the name itself comes before one with words around it.
func (q Request) shown(name string) string {
	found, words := "", toolWords(name)
	for _, t := range q.Tools {
		if toolWords(t.Name) == words {
			return t.Name
		}
		if found == "" && SameTool(t.Name, name) {
			found = t.Name
		}
	}
	return found
}

// verbs are those of the built-in tools, as they stand in names.
var verbs = regexp.MustCompile(`(?i)create|update|query|delete`)

// nameOf returns the name that is called: the one shown, else the tool's own, written
// as another built-in tool is shown.
func (q Request) nameOf(call *ToolCall) string {
	if name := q.shown(call.Name); name != "" {
		return name
	}
	family, verb, dotted := strings.Cut(call.Name, ".")
	for _, t := range q.Tools {
		kin := verbs.FindString(t.Name)
		if !dotted || kin == "" || !SameTool(t.Name, family+"."+strings.ToLower(kin)) {
			continue
		}
		if kin != strings.ToLower(kin) {
			verb = strings.ToUpper(verb[:1]) + verb[1:]
		}
		return strings.Replace(t.Name, kin, verb, 1)
	}
	return call.Name
}
