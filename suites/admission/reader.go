package admission

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Reader judges candidates by the published lists. It is safe for concurrent use.
type Reader struct {
	*lexicons
	reasons reasonCache
}

// PublishedReader returns the reader of the published lists, which all runs of a process share.
func PublishedReader() *Reader { return published() }

var published = sync.OnceValue(func() *Reader { return &Reader{lexicons: newLexicons(Published())} })

// ReasonAgainst returns why safe does not admit a candidate, "" if it does.
func (r *Reader) ReasonAgainst(c Candidate) string {
	annotated, why := readOnlyHint(c.Members)
	if why != "" {
		return why
	}
	if why := r.declared(c.Members, 0); why != "" {
		return why
	}
	if why := r.reasonAgainstInput(c.Members, annotated); why != "" {
		return why
	}
	if annotated {
		return r.contradiction(c)
	}
	said := candidateText{c.ID, c.Name, c.Description}
	return r.reasons.of(said, func() string { return r.readText(said) })
}

// readOnlyHint reads the annotations of MCP. If there are any, the defaults of MCP apply to those that are
// missing: the tool is then not read-only.
func readOnlyHint(members map[string]any) (readOnly bool, why string) {
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
func (r *Reader) readText(c candidateText) string {
	for _, text := range []struct{ of, is string }{{"id", c.id}, {"name", c.name}, {"description", c.description}} {
		if !unreadableReason(text.is) || text.of == "id" && strings.ContainsAny(text.is, "\n\r\t") {
			return "its " + text.of + " contains characters that the lists of words do not cover"
		}
	}
	id := r.readID(c)
	if id.why != "" {
		return id.why
	}
	if c.name != c.id {
		if word := r.changeWord(c.name, id.guarded); word != "" {
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
	if word := r.changeWord(c.description, id.guarded); word != "" {
		return fmt.Sprintf("its description contains %q", word)
	}
	return ""
}
