package admission

import "strings"

// form is the inflection of a word.
type form int

const (
	base       form = iota // delete, or deletes
	gerund                 // deleting
	participle             // deleted
)

// irregular are the irregular participles and past forms.
func irregular() map[string][]string {
	return map[string][]string{
		"bind": {"bound"}, "buy": {"bought"}, "cut": {"cut"}, "draw": {"drawn", "drew"}, "freeze": {"frozen", "froze"},
		"give": {"given", "gave"},
		"hide": {"hidden", "hid"}, "hold": {"held"}, "leave": {"left"}, "lend": {"lent"}, "make": {"made"},
		"overdraw": {"overdrawn"}, "override": {"overridden"},
		"overwrite": {"overwritten", "overwrote"}, "pay": {"paid"}, "put": {"put"}, "rebuild": {"rebuilt"},
		"reset": {"reset"}, "rewrite": {"rewritten", "rewrote"},
		"run": {"ran"}, "sell": {"sold"}, "send": {"sent"}, "set": {"set"}, "shrink": {"shrunk"}, "shut": {"shut"},
		"spend": {"spent"}, "steal": {"stolen"},
		"strike": {"struck"}, "sweep": {"swept"}, "undo": {"undone", "undid"}, "unfreeze": {"unfrozen"},
		"unset": {"unset"}, "wake": {"woken"},
		"withdraw": {"withdrawn", "withdrew"}, "withhold": {"withheld"}, "write": {"written", "wrote"},
	}
}

// formsOf returns the inflected forms of a verb.
func formsOf(verb string, past []string) map[string]form {
	stem, y := strings.TrimSuffix(verb, "e"), strings.TrimSuffix(verb, "y")
	last := verb[len(verb)-1:]
	all := map[string]form{
		stem + "ing": gerund, verb + "ing": gerund, verb + last + "ing": gerund,
		stem + "ed": participle, verb + last + "ed": participle,
		verb + "s": base, verb + "es": base, y + "ies": base,
	}
	if y != verb {
		all[y+"ied"] = participle
	}
	for _, word := range past {
		all[word] = participle
	}
	all[verb] = base
	return all
}

// lexicon maps inflected forms to their base form.
type lexicon map[string]entry

type entry struct {
	word string
	form form
}

func lexiconOf(words []string) lexicon {
	found, past := lexicon{}, irregular()
	for _, word := range words {
		for shape, form := range formsOf(word, past[word]) {
			if _, taken := found[shape]; !taken || shape == word {
				found[shape] = entry{word, form}
			}
		}
	}
	return found
}

// has reports whether a word is in the list, in any form.
func (l lexicon) has(word string) bool {
	_, found := l[word]
	return found
}

// within finds the first word with at least that many letters within another word. It looks up the
// parts of the word, because a list has thousands of forms and a word has few letters.
func (l lexicon) within(word string, letters, longest int) string {
	for begin := range len(word) {
		for end := begin + letters; end <= min(len(word), begin+longest); end++ {
			if l.has(word[begin:end]) {
				return word[begin:end]
			}
		}
	}
	return ""
}

// longest returns the number of letters of the longest form.
func (l lexicon) longest() int {
	most := 0
	for shape := range l {
		most = max(most, len(shape))
	}
	return most
}
