package chpsuite

import (
	"encoding/json"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
)

// uses returns, for each operation of CHP, the function that reads which capabilities it
// invokes.
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
