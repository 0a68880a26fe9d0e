package admission

import (
	"fmt"
	"slices"
	"strings"
)

// contradiction returns the reason why the annotation of a capability as read-only is not believed, or
// "": its id, its name or its title names what it changes, or its description begins with that.
// Anything else in a long description may be about other capabilities.
func (l *lexicons) contradiction(c Candidate) string {
	annotations, _ := c.Members["annotations"].(map[string]any)
	title, _ := annotations["title"].(string)
	const why = "it is annotated as read-only, but its %s contains %q"
	for _, segment := range strings.FieldsFunc(c.ID, isSegmentEnd) {
		for way := range l.wordBoundaries {
			if word := l.changeWordIn(l.wordsOf(segment, way)); word != "" {
				return fmt.Sprintf(why, "id", word)
			}
		}
	}
	for _, name := range []string{c.Name, title} {
		if words := l.wordsOf(name, 0); name != c.ID && len(words) > 0 && l.changesAsVerb(words[0]) {
			return fmt.Sprintf(why, "name", words[0])
		}
	}
	first := l.begins(c.Description)
	for len(first) > 1 && strings.HasSuffix(first[0], "ly") && !l.changing.has(first[0]) { // permanently deletes
		first = first[1:]
	}
	if len(first) > 0 && l.changing.has(first[0]) && l.changing[first[0]].form != participle {
		return fmt.Sprintf("it is annotated as read-only, but its description begins with %q", first[0])
	}
	return ""
}

// changeWordIn returns the first word of an id by which a capability changes something. After a verb of
// reading, such a word is a noun, as in list_updates, unless "and" connects the two. It is one before
// "preview", too.
func (l *lexicons) changeWordIn(words []string) string {
	reads := len(words) == 2 && words[1] == "preview"
	for i, word := range words {
		joined := i > 0 && slices.Contains(conjunctions(), words[i-1])
		if (!reads || joined) && l.changesAsVerb(word) {
			return word
		}
		if !reads && !l.changing.has(word) {
			if shape := l.changing.within(word, letters, l.longest); shape != "" {
				return shape
			}
		}
		reads = reads || l.verb(word)
	}
	return ""
}
