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
func (r *Reader) readID(c texts) reading {
	segments := strings.FieldsFunc(c.id, isSegmentEnd)
	var words []string // of all segments
	last := 0          // where those of the last one begin
	for _, segment := range segments {
		if parted := r.wordsOf(segment, 0); len(parted) > 0 {
			last = len(words)
			words = append(words, parted...)
		}
	}
	found := reading{words: words}
	at := slices.IndexFunc(words[last:], r.verb)
	if at >= 0 {
		at += last
	} else {
		at = slices.IndexFunc(words, r.verb)
	}
	for way := range r.humps {
		if word := r.changesID(r.wordsOf(c.id, way)); word != "" {
			found.why = fmt.Sprintf("its id contains %q", word)
			return found
		}
	}
	switch {
	case at < 0:
		found.why = "its id contains no verb of the lists of reading and computing verbs"
	case at != last && !r.beginsWithVerb(c.description):
		found.why = fmt.Sprintf("the last part of its id does not begin with the verb %q, "+
			"and its description begins with no verb of the lists", words[at])
	case r.guarded.has(words[at]):
		if !r.guards(words, at, c.description) {
			found.why = fmt.Sprintf("%q changes something unless a word for what it computes with follows", words[at])
		}
		found.guarded, found.computes = r.guarded[words[at]].word, true
	default:
		found.computes = r.computing.has(words[at])
	}
	return found
}

// nouns are verbs of the lists that are often nouns: the following word acts on them.
const nouns = "search status count health info version help echo list"

func (r *Reader) wordsOf(text string, way int) []string {
	return strings.FieldsFunc(r.part(text, way), notLetter)
}

func (r *Reader) verb(word string) bool {
	return r.reading.has(word) || r.computing.has(word) || r.guarded.has(word)
}

// changesID returns the first word of an id that changes something. A word that may be a noun is
// one after a verb of the lists; "and" or "or" connects a verb with another verb.
func (r *Reader) changesID(words []string) string {
	seen := false
	for i, word := range words {
		joined := i > 0 && slices.Contains(conjunctions(), words[i-1])
		pair := ""
		if i > 0 {
			pair = words[i-1] + word
		}
		switch {
		case r.guarded.has(word) && !seen:
			// readID looks at what follows
		case r.changing.has(word), joined && !r.verb(word), r.ambiguous.has(word) && (!seen || joined):
			return word
		case seen && i == len(words)-1 && r.ambiguous[word].word == word &&
			slices.Contains(strings.Fields(nouns), words[i-1]):
			return word // search_start
		case r.changing.has(pair), r.ambiguous.has(pair) && !r.verb(word):
			return pair
		}
		if shape := r.changing.within(word, letters, r.longest); shape != "" {
			return shape
		}
		if slices.Contains(strings.Fields("up down off out"), word) && i > 0 && r.verb(words[i-1]) {
			return words[i-1] + " " + word
		}
		seen = seen || r.verb(word)
	}
	return ""
}

// beginsWithVerb reports whether a description begins with what is done, as in "Lists the channels"
// and "A tool to list the channels".
func (r *Reader) beginsWithVerb(description string) bool {
	first := r.begins(description)
	return len(first) > 0 && r.verb(first[0])
}

// begins returns the first clause of a description from the word that states what is done.
func (r *Reader) begins(description string) []string {
	clauses := r.clauses(description, 0)
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
func (r *Reader) guards(words []string, at int, description string) bool {
	found := r.guarded[words[at]]
	objects := r.words.Guarded[found.word]
	switch {
	case at+1 < len(words):
		return slices.Contains(objects, words[at+1])
	case at > 0 && slices.Contains(objects, words[at-1]): // word.reverse
		return true
	}
	for _, clause := range r.clauses(description, 0) {
		if slices.ContainsFunc(clause, func(word string) bool { return slices.Contains(objects, word) }) {
			return true
		}
	}
	return false
}
