package requirements

import (
	"maps"
	"slices"
	"strings"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/suites/admission"
)

// listWords prints the lists of words by which the policy safe admits or excludes a capability
// without annotations.
func listWords([]string) (process.Table, error) {
	t := process.Table{Heading: []string{"WORD", "LIST", "NOTE"}}
	w := admission.Published()
	for _, list := range []struct {
		name, note string
		words      []string
	}{
		{"reading", "the id must contain a verb of these lists", w.Reading},
		{"computing", "the id must contain a verb of these lists", w.Computing},
		{"changing", "excludes in any inflected form in id, name and description", w.Changing},
		{"ambiguous", "excludes if used as a verb", w.Ambiguous},
		{"outward", "excludes next to a reading verb", w.Outward},
		{"harmless", "does not exclude within this phrase", w.Harmless},
		{"program", "excludes as a member of the input", w.Programs},
		{"program-word", "excludes as a word of a member of the input", w.ProgramWords},
		{"language", "excludes as a word of the description of a member of the input", w.Languages},
		{"choosing", "a member of the input with this name must not offer a changing or ambiguous word", w.Choosing},
		{"choosing-word", "the same for a member of the input whose name contains this word", w.ChoosingWords},
		{"switching", "excludes as a word of a flag of the input, or as a value that the input offers", w.Switching},
		{"filtering", "a flag of the input that begins with this word excludes nothing", w.Filtering},
		{"calling", "excludes as a word of a member of the input", w.Calling},
	} {
		for _, word := range list.words {
			t.Add(word, list.name, list.note)
		}
	}
	for _, verb := range slices.Sorted(maps.Keys(w.Guarded)) {
		t.Add(verb, "guarded", "computes with "+strings.Join(w.Guarded[verb], ", "))
	}
	return t, nil
}
