package admission

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// readable returns why lists of English words cannot cover a text: letters of other alphabets,
// which may look like Latin ones, or invisible characters.
func readable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		switch {
		case r == '\n', r == '\t', r == '\r':
			return false
		case r < ' ', r == unicode.ReplacementChar:
			return true
		case r <= unicode.MaxASCII:
			return r == '\x7f'
		default:
			return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) || unicode.Is(unicode.C, r) ||
				unicode.Is(unicode.So, r)
		}
	})
}

// humps are the two ways to split a word such as getHTTPStatus or DELETEall.
func humps() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`([a-z])([A-Z])|([A-Z])([A-Z][a-z])`),
		regexp.MustCompile(`([a-z])([A-Z])|([A-Z]{2})([a-z])`),
	}
}

// part returns the words of a text in lower case, separated by blanks, split in one of the ways.
func (r *Reader) part(text string, way int) string {
	for range 2 { // the two halves of AbC overlap
		text = r.humps[way].ReplaceAllString(text, "$1$3 $2$4")
	}
	return strings.ToLower(text)
}

func notLetter(r rune) bool { return r < 'a' || r > 'z' }

// clauses parts a text where a thought ends. Each is a list of words.
func (r *Reader) clauses(text string, way int) [][]string {
	text = strings.NewReplacer("’", "'", "`", " ", `"`, " ", "*", " ").Replace(text)
	text = " " + strings.Join(strings.Fields(r.part(text, way)), " ") + " "
	text = r.harmless.ReplaceAllString(text, " $1 ")
	var all [][]string
	for _, clause := range strings.FieldsFunc(text,
		func(c rune) bool { return c > unicode.MaxASCII || strings.ContainsRune(".,;:!?()[]{}<>|/\n", c) }) {
		words := strings.FieldsFunc(clause, func(c rune) bool { return notLetter(c) && c != '\'' })
		if len(words) > 0 {
			all = append(all, words)
		}
	}
	return all
}

// changes returns the first word of a text that says that something is changed, "" for none.
// The guarded verb of the id, if there is one, was shown to compute.
func (r *Reader) changes(text, guarded string) string {
	for way := range r.humps {
		for _, clause := range r.clauses(text, way) {
			for i := range clause {
				if own := guarded != "" && r.guarded[clause[i]].word == guarded; !own && r.changesAt(clause, i) {
					return clause[i]
				}
			}
		}
	}
	return ""
}

func (r *Reader) changesAt(clause []string, i int) bool {
	word := clause[i]
	if i > 0 && r.changing.has(clause[i-1]+word) && len(clause[i-1]) <= 5 { // check out, log in
		return true
	}
	if found, is := r.changing[word]; is {
		return found.form == participle || !negated(clause, i)
	}
	found, is := r.ambiguous[word]
	switch {
	case !is, negated(clause, i):
		return false
	case found.form == gerund:
		return true
	case found.form == participle:
		return passive(clause, i)
	default:
		return acting(clause, i)
	}
}

// acting reports whether a word that may be a noun stands where a verb does.
func acting(clause []string, i int) bool {
	for i > 0 && strings.HasSuffix(clause[i-1], "ly") {
		i--
	}
	return i == 0 ||
		slices.Contains(strings.Fields("and or then to will also can may must it which please nor but plus you"), clause[i-1])
}

// passive reports whether a participle is one of a verb that is done, as in "is then posted".
func passive(clause []string, i int) bool {
	return i == 0 || slices.ContainsFunc(clause[max(0, i-3):i], func(word string) bool {
		return slices.Contains(strings.Fields("is are be been being was were get gets got has have had and or then"), word)
	})
}

// negated reports whether a verb is denied outright, as in "does not modify or delete". A
// clause with a condition may mean the contrary, as in "never deletes without asking".
func negated(clause []string, i int) bool {
	conditions := strings.Fields("unless until without except only but if just merely before after forget hesitate fail " +
		"when once")
	if slices.ContainsFunc(clause, func(word string) bool { return slices.Contains(conditions, word) }) {
		return false
	}
	for j := i - 1; j >= max(0, i-4); j-- {
		switch {
		case strings.HasSuffix(clause[j], "n't"), clause[j] == "not" && j > 0, clause[j] == "never", clause[j] == "cannot":
			return i-j == 1 || clause[i-1] == "or" || clause[i-1] == "nor"
		}
	}
	return false
}
