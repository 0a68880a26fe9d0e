package capsuite

import (
	"encoding/json"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// uses tells the gate what the operations of CAP invoke, and tools/call for the adapter.
func uses() map[string]func(driver.Operation) suites.Use {
	return map[string]func(driver.Operation) suites.Use{
		opInvoke: func(op driver.Operation) suites.Use {
			var params struct {
				Ref json.RawMessage `json:"ref"`
			}
			_ = json.Unmarshal(op.Params, &params) // what is no reference names no capability
			use := suites.Use{Invokes: true}
			var text string
			if json.Unmarshal(params.Ref, &text) == nil {
				use.Loose = true
				use.ID, use.Version, _ = strings.Cut(text, "@")
				return use
			}
			var r map[string]any
			_ = json.Unmarshal(params.Ref, &r)
			use.ID, _ = r[memberID].(string)
			use.Version, _ = r[memberVersion].(string)
			return use
		},
		mcpCall: func(op driver.Operation) suites.Use {
			var params struct {
				Name string `json:"name"`
			}
			_ = json.Unmarshal(op.Params, &params) // the adapter writes them
			return suites.Use{Invokes: true, ID: params.Name}
		},
	}
}

// offer enters what a list shows, also what it shows twice: the gate refuses a pair if it
// refuses one of its manifests.
func (e *examination) offer(l *listing) {
	for _, el := range l.elements {
		if el.id == "" {
			continue
		}
		m := el.kept
		if m == nil {
			m = readManifest(el.raw)
		}
		e.offerManifest(ref{el.id, el.version}, m)
	}
}

func (e *examination) offerManifest(r ref, m manifest) {
	c := suites.Candidate{ID: r.ID, Version: r.Version, Named: e.named[r], Members: m}
	c.Name, _ = m.text(memberName)
	c.Description, _ = m.text(memberDescription)
	if wantsTask(m) {
		c.Barred = "it can be called as a task alone"
	}
	e.gate.Offer(c)
}

// reasonAgainst says why a capability must not be invoked, "" if it may be.
func (e *examination) reasonAgainst(c *capability) string {
	return e.gate.Against(c.id, c.version)
}

// wantsTask tells an MCP tool that refuses a plain call.
func wantsTask(m manifest) bool {
	execution, _ := m["execution"].(map[string]any)
	return execution["taskSupport"] == "required"
}
