package chpsuite

import (
	"encoding/json"

	"github.com/capconform/capconform/suites/chp/act"
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
)

// uses tells the gate which capabilities the operations of CHP invoke.
func uses() map[string]func(driver.Operation) live.Use {
	return map[string]func(driver.Operation) live.Use{
		history.OpInvoke: func(op driver.Operation) live.Use {
			raw := op.Params
			if op.Body != nil {
				raw = op.Body
			}
			var params map[string]any
			_ = json.Unmarshal(raw, &params) // a message that is not an envelope names no capability
			use := live.Use{Invokes: true}
			use.ID, _ = params["capability_id"].(string)
			use.Version, _ = params["version"].(string)
			return use
		},
	}
}

// offer registers a descriptor, and returns the reason why its capability must not be invoked,
// or "".
func (e *examination) offer(c *act.Capability) string {
	named := false
	for _, p := range e.Caller.Players {
		named = named || (p.Named && p.Capability == c)
	}
	name, _ := c.Members["name"].(string)
	description, _ := c.Members["description"].(string)
	return e.gate.Offer(live.Candidate{ID: c.ID, Version: c.Version, Named: named, Name: name, Description: description,
		Members: c.Members})
}

// reasonAgainst returns the reason why a capability must not be invoked, or "".
func (e *examination) reasonAgainst(c *act.Capability) string { return e.gate.Against(c.ID, c.Version) }
