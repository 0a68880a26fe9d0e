package cli

import (
	"maps"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/admission"
)

// listWords prints the lists by which the policy safe reads a capability without
// annotations.
func listWords([]string) (table, error) {
	t := table{heading: []string{"WORD", "LIST", "NOTE"}}
	w := admission.Published()
	for _, list := range []struct {
		name, note string
		words      []string
	}{
		{"reading", "a verb of these lists must stand in the id", w.Reading},
		{"computing", "a verb of these lists must stand in the id", w.Computing},
		{"changing", "excludes, in any form, in id, name and description", w.Changing},
		{"ambiguous", "excludes where it is a verb", w.Ambiguous},
		{"outward", "excludes beside a reading verb", w.Outward},
		{"harmless", "changes nothing in this phrase", w.Harmless},
		{"program", "excludes as a member of the input", w.Programs},
		{"choosing", "a member of the input by this name must offer no changing or ambiguous word", w.Choosing},
		{"switching", "excludes as the first word of a boolean of the input", w.Switching},
	} {
		for _, word := range list.words {
			t.add(word, list.name, list.note)
		}
	}
	for _, verb := range slices.Sorted(maps.Keys(w.Guarded)) {
		t.add(verb, "guarded", "computes with "+strings.Join(w.Guarded[verb], ", "))
	}
	return t, nil
}
