package history

import (
	"maps"
	"slices"
)

// Trial is an entry that was invoked in each of its modes with all permissions that it requires.
type Trial struct {
	ID      string
	Input   any
	Held    []string
	Answers map[string]*Invocation // by mode
}

// Ran returns the modes in which it ran, in the order of the text.
func (t *Trial) Ran() []string {
	return slices.DeleteFunc(slices.Clone(Modes), func(mode string) bool {
		i := t.Answers[mode]
		return i == nil || !i.Accepted()
	})
}

// Trials returns the entries that the stimulus Ordinary invoked.
func (h *agent) Trials() []*Trial {
	var all []*Trial
	for _, i := range h.Invocations() {
		if i.Stimulus != Ordinary {
			continue
		}
		at := slices.IndexFunc(all, func(t *Trial) bool { return t.ID == i.ID })
		if at < 0 {
			at = len(all)
			all = append(all, &Trial{ID: i.ID, Input: i.Input, Held: i.Held, Answers: map[string]*Invocation{}})
		}
		all[at].Answers[i.Mode] = i
	}
	return all
}

// TrialOf returns the trial of an entry, or nil if it was not invoked.
func (h *agent) TrialOf(id string) *Trial {
	all := h.Trials()
	if at := slices.IndexFunc(all, func(t *Trial) bool { return t.ID == id }); at >= 0 {
		return all[at]
	}
	return nil
}

// Template is the capability of which copies are made to be invoked.
type Template struct {
	*Trial
	Mode  string
	Modes []string // in which it ran, including Mode
	Mark  string   // the member of its input that accepts a text, "" if there is none
}

// Template returns the first capability that ran, preferably one with a text in its input, which can be found in
// records. It returns nil if none ran.
func (h *agent) Template() *Template {
	var plain *Template
	for _, t := range h.Trials() {
		ran := t.Ran()
		if len(ran) == 0 {
			continue
		}
		found := &Template{Trial: t, Mode: ran[0], Modes: ran, Mark: TextMember(t.Input)}
		if found.Mark != "" {
			return found
		}
		if plain == nil {
			plain = found
		}
	}
	return plain
}

// TextMember returns the name of the first member of an input that is a string, or "" if there is none.
func TextMember(input any) string {
	members, _ := input.(Object)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if _, isText := members[name].(string); isText {
			return name
		}
	}
	return ""
}
