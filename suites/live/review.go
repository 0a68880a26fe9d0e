package live

import (
	"hash/maphash"
	"slices"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/admission"
	"github.com/capconform/capconform/suites/driver"
)

// maxReviewed bounds an answer that is reviewed, in bytes: a decoded list takes many times its size.
const maxReviewed = 4 << 20

// review excludes each listed capability that an answer shows in a way that the policy does not admit.
// A target may declare an effect only when it describes a capability, or lists it again.
func (g *Gate) review(answer driver.Answer) {
	if answer.Outcome != driver.Returned || len(answer.Result) > maxReviewed || !g.isNewAnswer(answer.Result) {
		return
	}
	value, err := schemas.Decode(answer.Result, schemas.Limits{Size: maxReviewed})
	if err != nil {
		return // the suite judges it
	}
	for _, members := range descriptorsIn(value) {
		c := admission.Candidate{ID: firstText(members, "capability_id", "id"), Name: firstText(members, "name"),
			Description: firstText(members, "description"), Members: members}
		version := firstText(members, "version")
		if !g.admits(c.ID, version) {
			continue
		}
		if why := g.reader.ReasonAgainst(c); why != "" {
			g.mu.Lock()
			g.listed[c.ID] = append(g.listed[c.ID], admitted{version: version, why: why})
			g.folded[fold(c.ID)] = c.ID
			g.mu.Unlock()
		}
	}
}

// isNewAnswer reports whether an answer was not reviewed before. Before the first list is offered, there is
// nothing to exclude.
func (g *Gate) isNewAnswer(result []byte) bool {
	sum := maphash.Bytes(g.hashed, result)
	g.mu.Lock()
	defer g.mu.Unlock()
	seen := g.reviewed[sum] || len(g.listed) == 0
	g.reviewed[sum] = true
	return !seen
}

// admits reports whether a listed capability may be invoked, and not because the user named it.
func (g *Gate) admits(id, version string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	of := slices.DeleteFunc(slices.Clone(g.listed[id]), func(v admitted) bool { return v.version != version })
	return len(of) > 0 && !slices.ContainsFunc(of, func(v admitted) bool { return v.why != "" || v.chosen })
}

// descriptorsIn returns the descriptors that an answer contains: itself, or those of its list.
func descriptorsIn(value any) []map[string]any {
	members, isObject := value.(map[string]any)
	list, _ := value.([]any)
	if isObject {
		var isList bool
		if list, isList = members["capabilities"].([]any); !isList {
			return []map[string]any{members}
		}
	}
	var all []map[string]any
	for _, one := range list {
		if descriptor, is := one.(map[string]any); is {
			all = append(all, descriptor)
		}
	}
	return all
}

func firstText(members map[string]any, names ...string) string {
	for _, name := range names {
		if text, is := members[name].(string); is {
			return text
		}
	}
	return ""
}
