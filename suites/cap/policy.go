package capsuite

import "github.com/capconform/capconform/suites"

// reasonAgainst says why a capability must not be invoked, "" if it may be.
func (e *examination) reasonAgainst(c *capability) string {
	m := c.manifest()
	name, _ := m.text(memberName)
	description, _ := m.text(memberDescription)
	if wantsTask(m) {
		return "it can be called as a task alone"
	}
	return e.subject.Invoke.Against(suites.Candidate{
		ID: c.id, Named: e.named[c.ref()] || e.isInstrument(c), Members: m,
		Texts: map[string]string{"id": c.id, "name": name, "description": description},
	})
}

// wantsTask tells an MCP tool that refuses a plain call.
func wantsTask(m manifest) bool {
	execution, _ := m["execution"].(map[string]any)
	return execution["taskSupport"] == "required"
}
