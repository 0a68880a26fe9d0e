package admission

import (
	"fmt"
	"slices"
	"strings"
)

// reading is the result of reading an id.
type reading struct {
	words    []string
	computes bool   // by the input alone
	guarded  string // the guarded verb by which it does so, "" for another
	why      string
}

// letters is the least length of a word of Changing that counts within a longer word: deleteall.
const letters = 6

// readID searches for a verb of the lists in a place where it is a verb, and for state-changing
// words in any place.
func (l *lexicons) readID(c candidateText) reading {
	segments := strings.FieldsFunc(c.id, isSegmentEnd)
	var words []string // of all segments
	last := 0          // where the words of the last segment begin
	for _, segment := range segments {
		if parted := l.wordsOf(segment, 0); len(parted) > 0 {
			last = len(words)
			words = append(words, parted...)
		}
	}
	found := reading{words: words}
	at := slices.IndexFunc(words[last:], l.verb)
	if at >= 0 {
		at += last
	} else {
		at = slices.IndexFunc(words, l.verb)
	}
	for way := range l.wordBoundaries {
		if word := l.changeWordOfID(l.wordsOf(c.id, way)); word != "" {
			found.why = fmt.Sprintf("its id contains %q", word)
			return found
		}
	}
	switch {
	case at < 0:
		found.why = "its id contains no verb of the lists of reading and computing verbs"
	case at != last && !l.beginsWithVerb(c.description):
		found.why = fmt.Sprintf("the last part of its id does not begin with the verb %q, "+
			"and its description begins with no verb of the lists", words[at])
	case l.guarded.has(words[at]):
		if !l.guards(words, at, c.description) {
			found.why = fmt.Sprintf("%q changes something unless a word for what it computes with follows", words[at])
		}
		found.guarded, found.computes = l.guarded[words[at]].word, true
	default:
		found.computes = l.computing.has(words[at])
	}
	return found
}

// nouns are verbs of the lists that are often nouns: the following word acts on them.
const nouns = "search status count health info version help echo list"

// changeWordOfID returns the first word of an id that changes something. A word that may be a noun is
// one after a verb of the lists; "and" or "or" connects a verb with another verb.
func (l *lexicons) changeWordOfID(words []string) string {
	seen := false
	for i, word := range words {
		joined := i > 0 && slices.Contains(conjunctions(), words[i-1])
		pair := ""
		if i > 0 {
			pair = words[i-1] + word
		}
		switch {
		case l.guarded.has(word) && !seen:
			// readID looks at what follows
		case l.changing.has(word), joined && !l.verb(word), l.ambiguous.has(word) && (!seen || joined):
			return word
		case seen && i == len(words)-1 && l.ambiguous[word].word == word &&
			slices.Contains(strings.Fields(nouns), words[i-1]):
			return word // search_start
		case l.changing.has(pair), l.ambiguous.has(pair) && !l.verb(word):
			return pair
		}
		if shape := l.changing.within(word, letters, l.longest); shape != "" {
			return shape
		}
		if slices.Contains(strings.Fields("up down off out"), word) && i > 0 && l.verb(words[i-1]) {
			return words[i-1] + " " + word
		}
		seen = seen || l.verb(word)
	}
	return ""
}

// beginsWithVerb reports whether a description begins with what is done, as in "Lists the channels"
// and "A tool to list the channels".
func (l *lexicons) beginsWithVerb(description string) bool {
	first := l.begins(description)
	return len(first) > 0 && l.verb(first[0])
}

// begins returns the first clause of a description from the word that states what is done.
func (l *lexicons) begins(description string) []string {
	clauses := l.clauses(description, 0)
	if len(clauses) == 0 {
		return nil
	}
	first := clauses[0]
	for len(first) > 1 &&
		slices.Contains(strings.Fields("a an the this tool function capability to that which can will simple"), first[0]) {
		first = first[1:]
	}
	return first
}

// guards reports whether a guarded verb computes.
func (l *lexicons) guards(words []string, at int, description string) bool {
	found := l.guarded[words[at]]
	objects := l.words.Guarded[found.word]
	switch {
	case at+1 < len(words):
		return slices.Contains(objects, words[at+1])
	case at > 0 && slices.Contains(objects, words[at-1]): // word.reverse
		return true
	}
	for _, clause := range l.clauses(description, 0) {
		if slices.ContainsFunc(clause, func(word string) bool { return slices.Contains(objects, word) }) {
			return true
		}
	}
	return false
}

// isSegmentEnd reports whether a character separates the segments of an id.
func isSegmentEnd(c rune) bool { return strings.ContainsRune("./:@#", c) }
