package admission

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Candidate is a capability as it describes itself.
type Candidate struct {
	ID          string
	Name        string
	Description string
	Members     map[string]any // its whole manifest or descriptor
}

// Reader judges candidates by the published lists. It is safe for concurrent use.
type Reader struct {
	words     Words
	reading   lexicon
	computing lexicon
	guarded   lexicon
	changing  lexicon
	ambiguous lexicon
	outward   lexicon
	harmless  *regexp.Regexp
	humps     []*regexp.Regexp
	verbs     lexicon // changing and ambiguous
	longest   int     // the letters of the longest form of changing
	known     sayings
}

// PublishedReader returns the reader of the published lists, which all runs of a process share.
func PublishedReader() *Reader { return published() }

var published = sync.OnceValue(newReader)

func newReader() *Reader {
	w := Published()
	var guarded, quoted []string
	for verb := range w.Guarded {
		guarded = append(guarded, verb)
	}
	for _, phrase := range w.Harmless {
		quoted = append(quoted, regexp.QuoteMeta(phrase))
	}
	slices.SortFunc(quoted, func(a, b string) int { return len(b) - len(a) })
	changes := lexiconOf(w.Changing)
	return &Reader{
		words: w, reading: lexiconOf(w.Reading), computing: lexiconOf(w.Computing), guarded: lexiconOf(guarded),
		verbs: lexiconOf(slices.Concat(w.Changing, w.Ambiguous)), changing: changes, longest: changes.longest(),
		ambiguous: lexiconOf(w.Ambiguous), outward: lexiconOf(w.Outward),
		harmless: regexp.MustCompile(`\b(?:` + strings.Join(quoted, "|") + `)\b()`), humps: humps(),
	}
}

// Against returns why safe does not admit a candidate, "" if it does.
func (r *Reader) Against(c Candidate) string {
	annotated, why := hints(c.Members)
	if why != "" {
		return why
	}
	if why := r.declared(c.Members, 0); why != "" {
		return why
	}
	if why := r.againstInput(c.Members, annotated); why != "" {
		return why
	}
	if annotated {
		return r.contradicts(c)
	}
	said := texts{c.ID, c.Name, c.Description}
	return r.known.of(said, func() string { return r.readText(said) })
}

// hints reads the annotations of MCP. If there are any, the defaults of MCP apply to those that are
// missing: the tool is then not read-only.
func hints(members map[string]any) (readOnly bool, why string) {
	given, annotated := members["annotations"]
	annotated = annotated && given != nil
	all, _ := given.(map[string]any)
	switch {
	case all["destructiveHint"] == true:
		return false, "it is annotated as destructive"
	case annotated && all["readOnlyHint"] != true:
		return false, "it is annotated, and not as read-only"
	case annotated:
		return true, ""
	}
	for _, name := range []string{"readOnlyHint", "read_only", "readOnly"} {
		if members[name] == true {
			return true, ""
		}
	}
	return false, ""
}

// readText reads id, name and description of a candidate without annotations.
func (r *Reader) readText(c texts) string {
	for _, text := range []struct{ of, is string }{{"id", c.id}, {"name", c.name}, {"description", c.description}} {
		if !readable(text.is) || text.of == "id" && strings.ContainsAny(text.is, "\n\r\t") {
			return "its " + text.of + " contains characters that the lists of words do not cover"
		}
	}
	id := r.readID(c)
	if id.why != "" {
		return id.why
	}
	if c.name != c.id {
		if word := r.changes(c.name, id.guarded); word != "" {
			return fmt.Sprintf("its name contains %q", word)
		}
	}
	for _, text := range []struct{ of, is string }{{"id", strings.Join(id.words, " ")}, {"name", c.name},
		{"description", c.description}} {
		if id.computes {
			continue
		}
		for _, clause := range r.clauses(text.is, 0) {
			if i := slices.IndexFunc(clause, r.outward.has); i >= 0 {
				return fmt.Sprintf("its %s mentions something outside the host (%q)", text.of, clause[i])
			}
		}
	}
	if word := r.changes(c.description, id.guarded); word != "" {
		return fmt.Sprintf("its description contains %q", word)
	}
	return ""
}
