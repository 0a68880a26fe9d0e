package chpsuite

import (
	"encoding/json"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// uses tells the gate what the operations of CHP invoke.
func uses() map[string]func(driver.Operation) suites.Use {
	return map[string]func(driver.Operation) suites.Use{
		opInvoke: func(op driver.Operation) suites.Use {
			raw := op.Params
			if op.Body != nil {
				raw = op.Body
			}
			var params map[string]any
			_ = json.Unmarshal(raw, &params) // what is no envelope names no capability
			use := suites.Use{Invokes: true}
			use.ID, _ = params["capability_id"].(string)
			use.Version, _ = params["version"].(string)
			return use
		},
	}
}

// offer enters a descriptor, and says why its capability must not be invoked, "" if it
// may be.
func (e *examination) offer(c *capability) string {
	named := false
	for _, p := range e.players {
		named = named || (p.Named && p.Capability == c)
	}
	name, _ := c.members["name"].(string)
	description, _ := c.members["description"].(string)
	return e.gate.Offer(suites.Candidate{ID: c.id, Version: c.version, Named: named, Name: name, Description: description, Members: c.members})
}

// reasonAgainst says why a capability must not be invoked, "" if it may be.
func (e *examination) reasonAgainst(c *capability) string { return e.gate.Against(c.id, c.version) }
