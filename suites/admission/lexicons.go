package admission

import (
	"regexp"
	"slices"
	"strings"
)

// lexicons are the published lists, with the inflected forms of their words.
type lexicons struct {
	words          Words
	reading        lexicon
	computing      lexicon
	guarded        lexicon
	changing       lexicon
	ambiguous      lexicon
	outward        lexicon
	harmless       *regexp.Regexp
	wordBoundaries []*regexp.Regexp
	verbs          lexicon // changing and ambiguous
	longest        int     // the letters of the longest form of changing
}

func newLexicons(w Words) *lexicons {
	var guarded, quoted []string
	for verb := range w.Guarded {
		guarded = append(guarded, verb)
	}
	for _, phrase := range w.Harmless {
		quoted = append(quoted, regexp.QuoteMeta(phrase))
	}
	slices.SortFunc(quoted, func(a, b string) int { return len(b) - len(a) })
	changes := lexiconOf(w.Changing)
	return &lexicons{
		words: w, reading: lexiconOf(w.Reading), computing: lexiconOf(w.Computing), guarded: lexiconOf(guarded),
		verbs: lexiconOf(slices.Concat(w.Changing, w.Ambiguous)), changing: changes, longest: changes.longest(),
		ambiguous: lexiconOf(w.Ambiguous), outward: lexiconOf(w.Outward),
		harmless: regexp.MustCompile(`\b(?:` + strings.Join(quoted, "|") + `)\b()`), wordBoundaries: wordBoundaries(),
	}
}

// wordBoundaries are the two ways to split a word such as getHTTPStatus or DELETEall.
func wordBoundaries() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`([a-z])([A-Z])|([A-Z])([A-Z][a-z])`),
		regexp.MustCompile(`([a-z])([A-Z])|([A-Z]{2})([a-z])`),
	}
}

// part returns the words of a text in lower case, separated by blanks, split in one of the ways.
func (l *lexicons) part(text string, way int) string {
	for range 2 { // the two halves of AbC overlap
		text = l.wordBoundaries[way].ReplaceAllString(text, "$1$3 $2$4")
	}
	return strings.ToLower(text)
}

func notLetter(r rune) bool { return r < 'a' || r > 'z' }

// wordsOf returns the words of a name, split in one of the ways.
func (l *lexicons) wordsOf(text string, way int) []string {
	return strings.FieldsFunc(l.part(text, way), notLetter)
}

// firstWord returns the first word of a name, in lower case.
func (l *lexicons) firstWord(name string) string {
	words := l.wordsOf(name, 0)
	if len(words) == 0 {
		return ""
	}
	return words[0]
}

// inputWords returns the words of the name of a member, split at capital letters and punctuation.
func (l *lexicons) inputWords(name string) []string {
	var all []string
	for way := range l.wordBoundaries {
		all = append(all, l.wordsOf(name, way)...)
	}
	return all
}

// verb reports whether a word is a verb of the lists of reading and computing verbs.
func (l *lexicons) verb(word string) bool {
	return l.reading.has(word) || l.computing.has(word) || l.guarded.has(word)
}

// changesAsVerb reports whether a word is the base form or the gerund of a verb of Changing. The form
// with an s is often a noun.
func (l *lexicons) changesAsVerb(word string) bool {
	found, is := l.changing[word]
	return is && (found.word == word || found.form == gerund)
}

// conjunctions are the words that connect two verbs.
func conjunctions() []string { return strings.Fields("and or then n nor plus") }
