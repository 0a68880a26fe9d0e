package acpdocument

import (
	"math/big"

	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/lint"
)

// modelMembers are the members of llm_requirements that the text lists.
var modelMembers = []struct {
	name, id, want string
	fits           func(*document.Node) bool
}{
	{"model_family", "ACP-FIELD-08", "a list of strings", isStringList},
	{"specific_model_uri", "ACP-FIELD-09", "a string", func(n *document.Node) bool { return n.Is(document.String) }},
	{"min_context_window", "ACP-FIELD-10", "an integer", isInteger},
	{"required_features", "ACP-FIELD-11", "a list of strings", isStringList},
}

func isInteger(n *document.Node) bool {
	if !n.Is(document.Number) {
		return false
	}
	r, ok := new(big.Rat).SetString(n.Text)
	return ok && r.IsInt()
}

// models judges llm_requirements.
type models struct{ *manifest }

func (m models) judge() {
	n := m.meta.Get("llm_requirements")
	if n.Absent() {
		return
	}
	m.AddKind(kindModels)
	if !n.Is(document.Object) {
		m.breach(IDModels, n, "llm_requirements is %s; want an object", lint.Described(n))
		m.leaveDependents(partModels)
		return
	}
	for _, member := range modelMembers {
		value := n.Get(member.name)
		if value.Absent() || member.fits(value) {
			continue
		}
		m.breach(member.id, firstNonString(value), "%s %s; want %s", member.name, describeWrongItem(value), member.want)
	}
}
