package capsuite

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
)

// uses returns what the operations of CAP, and tools/call of the adapter, invoke.
func uses() map[string]func(driver.Operation) live.Use {
	return map[string]func(driver.Operation) live.Use{
		history.OpInvoke: func(op driver.Operation) live.Use {
			var params struct {
				Ref json.RawMessage `json:"ref"`
			}
			_ = json.Unmarshal(op.Params, &params) // params without a reference name no capability
			use := live.Use{Invokes: true}
			var text string
			if json.Unmarshal(params.Ref, &text) == nil {
				use.UndefinedForm = true
				use.ID, use.Version, _ = strings.Cut(text, "@")
				return use
			}
			var r map[string]any
			_ = json.Unmarshal(params.Ref, &r)
			use.ID, _ = r[history.MemberID].(string)
			use.Version, _ = r[history.MemberVersion].(string)
			return use
		},
		mcpCall: func(op driver.Operation) live.Use {
			var params struct {
				Name string `json:"name"`
			}
			_ = json.Unmarshal(op.Params, &params) // the adapter writes them
			return live.Use{Invokes: true, ID: params.Name}
		},
	}
}

// offer offers a manifest of the list to the gate.
func (e *examination) offer(r history.Ref, m history.Manifest) { e.gate.Offer(e.candidate(r, m)) }

// candidate returns a manifest as the gate reads it.
func (e *examination) candidate(r history.Ref, m history.Manifest) live.Candidate {
	c := live.Candidate{ID: r.ID, Version: r.Version, Named: e.named[r], Members: m}
	c.Name, _ = m.Text(history.MemberName)
	c.Description, _ = m.Text(history.MemberDescription)
	if e.tools != nil {
		c.Members = maps.Clone(map[string]any(m))
		maps.Copy(c.Members, e.tools.latest.declarations(r.ID))
	}
	if wantsTask(m) {
		c.Forbidden = "it can only be called as a task"
	}
	return c
}

// reasonAgainst returns the reason why a capability must not be invoked, "" if it may be.
func (e *examination) reasonAgainst(s *history.RawManifest) string {
	return e.gate.ReasonAgainst(s.ID, s.Version)
}

// wantsTask reports whether an MCP tool refuses a plain call.
func wantsTask(m history.Manifest) bool {
	execution, _ := m["execution"].(map[string]any)
	return execution["taskSupport"] == "required"
}
