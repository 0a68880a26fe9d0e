package admission

import (
	"fmt"
	"slices"
	"strings"
)

// contradicts returns the reason why the annotation of a capability as read-only is not believed, or
// "": its id, its name or its title names what it changes, or its description begins with that.
// Anything else in a long description may be about other capabilities.
func (r *Reader) contradicts(c Candidate) string {
	annotations, _ := c.Members["annotations"].(map[string]any)
	title, _ := annotations["title"].(string)
	const why = "it is annotated as read-only, but its %s contains %q"
	for _, segment := range strings.FieldsFunc(c.ID, isSegmentEnd) {
		for way := range r.humps {
			if word := r.acts(r.wordsOf(segment, way)); word != "" {
				return fmt.Sprintf(why, "id", word)
			}
		}
	}
	for _, name := range []string{c.Name, title} {
		if words := r.wordsOf(name, 0); name != c.ID && len(words) > 0 && r.changesAsVerb(words[0]) {
			return fmt.Sprintf(why, "name", words[0])
		}
	}
	first := r.begins(c.Description)
	for len(first) > 1 && strings.HasSuffix(first[0], "ly") && !r.changing.has(first[0]) { // permanently deletes
		first = first[1:]
	}
	if len(first) > 0 && r.changing.has(first[0]) && r.changing[first[0]].form != participle {
		return fmt.Sprintf("it is annotated as read-only, but its description begins with %q", first[0])
	}
	return ""
}

// acts returns the first word of an id by which a capability changes something. After a verb of
// reading, such a word is a noun, as in list_updates, unless "and" connects the two. It is one before
// "preview", too.
func (r *Reader) acts(words []string) string {
	reads := len(words) == 2 && words[1] == "preview"
	for i, word := range words {
		joined := i > 0 && slices.Contains(conjunctions(), words[i-1])
		if (!reads || joined) && r.changesAsVerb(word) {
			return word
		}
		if !reads && !r.changing.has(word) {
			if shape := r.changing.within(word, letters, r.longest); shape != "" {
				return shape
			}
		}
		reads = reads || r.verb(word)
	}
	return ""
}

// changesAsVerb reports whether a word is the base form or the gerund of a verb of Changing. The form
// with an s is often a noun.
func (r *Reader) changesAsVerb(word string) bool {
	found, is := r.changing[word]
	return is && (found.word == word || found.form == gerund)
}

func conjunctions() []string { return strings.Fields("and or then n nor plus") }

// isSegmentEnd reports whether a character separates the segments of an id.
func isSegmentEnd(c rune) bool { return strings.ContainsRune("./:@#", c) }
