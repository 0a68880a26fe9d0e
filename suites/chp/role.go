package chpsuite

import (
	"github.com/capconform/capconform/suites/chp/act"
	"github.com/capconform/capconform/suites/live"
)

// roles returns the behaviours for which scenarios need a capability.
func roles() []live.Role {
	return []live.Role{
		{Name: act.Echo, Capability: "conformance.echo", Purpose: "returns the value of its payload in data"},
		{Name: act.Fails, Capability: "conformance.fail", Purpose: "fails during execution"},
		{Name: act.Guarded, Capability: "conformance.guarded", Purpose: "is denied for the payload {}"},
		{Name: act.Disabled, Capability: "conformance.disabled",
			Purpose: "is registered and disabled, so that it is skipped"},
		{Name: act.Observe, Capability: "conformance.observe", Purpose: "emits an additional event"},
		{Name: act.Typed, Capability: "conformance.typed", Purpose: "has an input_schema", Listed: true},
		{Name: act.Restricted, Capability: "conformance.restricted",
			Purpose: "needs an entitlement that the caller does not have"},
	}
}
