package admission

import (
	"slices"
	"strings"
	"unicode"
)

// unreadableReason returns why lists of English words cannot cover a text: letters of other alphabets,
// which may look like Latin ones, or invisible characters.
func unreadableReason(text string) bool {
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

// clauses splits a text at punctuation. Each clause is a list of words.
func (l *lexicons) clauses(text string, way int) [][]string {
	text = strings.NewReplacer("’", "'", "`", " ", `"`, " ", "*", " ").Replace(text)
	text = " " + strings.Join(strings.Fields(l.part(text, way)), " ") + " "
	text = l.harmless.ReplaceAllString(text, " $1 ")
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

// changeWord returns the first word of a text which states that something is changed, "" for none.
// The guarded verb of the id, if there is one, was shown to compute.
func (l *lexicons) changeWord(text, guarded string) string {
	for way := range l.wordBoundaries {
		for _, clause := range l.clauses(text, way) {
			for i := range clause {
				if own := guarded != "" && l.guarded[clause[i]].word == guarded; !own && l.changesAt(clause, i) {
					return clause[i]
				}
			}
		}
	}
	return ""
}

func (l *lexicons) changesAt(clause []string, i int) bool {
	word := clause[i]
	if i > 0 && l.changing.has(clause[i-1]+word) && len(clause[i-1]) <= 5 { // check out, log in
		return true
	}
	if found, is := l.changing[word]; is {
		return found.form == participle || !isNegated(clause, i)
	}
	found, is := l.ambiguous[word]
	switch {
	case !is, isNegated(clause, i):
		return false
	case found.form == gerund:
		return true
	case found.form == participle:
		return isPassive(clause, i)
	default:
		return isVerbPosition(clause, i)
	}
}

// isVerbPosition reports whether a word that may be a noun stands where a verb does.
func isVerbPosition(clause []string, i int) bool {
	for i > 0 && strings.HasSuffix(clause[i-1], "ly") {
		i--
	}
	return i == 0 ||
		slices.Contains(strings.Fields("and or then to will also can may must it which please nor but plus you"), clause[i-1])
}

// isPassive reports whether a participle is one of a verb that is done, as in "is then posted".
func isPassive(clause []string, i int) bool {
	return i == 0 || slices.ContainsFunc(clause[max(0, i-3):i], func(word string) bool {
		return slices.Contains(strings.Fields("is are be been being was were get gets got has have had and or then"), word)
	})
}

// isNegated reports whether a verb is denied outright, as in "does not modify or delete". A
// clause with a condition may mean the contrary, as in "never deletes without asking".
func isNegated(clause []string, i int) bool {
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
