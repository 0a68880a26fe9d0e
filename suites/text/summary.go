package text

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
)

// ToDo is the word by which the author of a folder marks what is still to be written.
const ToDo = "TODO"

// Todo returns what is still to do: texts marked with TODO, and scenarios marked with @todo.
func (t *Text) Todo() []string {
	var all []string
	for _, r := range t.catalogue.Requirements {
		for name, value := range map[string]string{"summary": r.Summary, "satisfy": r.Satisfy} {
			if strings.HasPrefix(value, ToDo) {
				all = append(all, r.ID+" has no "+name)
			}
		}
	}
	def := t.Definition()
	if s, err := suites.New(def); err == nil {
		for _, c := range s.Scenarios() {
			if c.Todo {
				all = append(all, c.Requirement+" has a scenario that is marked "+Todo)
			}
		}
	}
	slices.Sort(all)
	return all
}

// Summary returns the contents of the folder in one line.
func (t *Text) Summary() string {
	return fmt.Sprintf("%s: %d requirements, %d operations, %d kinds, %d stimuli, %d rules, %d schemas", t.Name,
		len(t.catalogue.Requirements), len(t.Operations), len(t.Kinds), len(t.stimuli), t.ownRules, len(t.shapes))
}
