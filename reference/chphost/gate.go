package chphost

import (
	"errors"
	"slices"
	"strings"

	"github.com/capconform/capconform/reference/caphost"
)

// gates returns the checks at the boundary. Their messages contain no part of a payload, only names that the
// capability declares itself.
func gates() []Gate {
	return []Gate{
		{Name: NotFound, Check: func(inv *Invocation) *Outcome {
			if inv.Capability == nil {
				return Deny(NotFound, "no such capability is registered", "", map[string]any{"capability_id": inv.CapabilityID})
			}
			return nil
		}},
		{Name: CapabilityDisabled, Check: func(inv *Invocation) *Outcome {
			if inv.Capability.Disabled {
				return &Outcome{Kind: Skipped}
			}
			return nil
		}},
		{Name: UnsupportedMode, Check: func(inv *Invocation) *Outcome {
			if !inv.Capability.Supports(inv.Mode) {
				return Deny(UnsupportedMode, "the capability does not support this mode", "",
					map[string]any{"supported": strings.Join(inv.Capability.Modes, " ")})
			}
			return nil
		}},
		{Name: NotEntitled, Check: func(inv *Invocation) *Outcome {
			if inv.Capability.Entitlement == "" {
				return nil
			}
			return Deny(NotEntitled, "the caller lacks an entitlement", "",
				map[string]any{"entitlement": inv.Capability.Entitlement})
		}},
		{Name: InvariantFailed, Check: func(inv *Invocation) *Outcome {
			missing := slices.DeleteFunc(slices.Clone(inv.Capability.Requires),
				func(name string) bool { return inv.Payload[name] != nil })
			if len(missing) > 0 {
				return Deny(InvariantFailed, "the payload lacks a required field", inv.Capability.Invariant,
					map[string]any{"fields": strings.Join(missing, " ")})
			}
			return nil
		}},
		{Name: InputSchemaFailed, Check: func(inv *Invocation) *Outcome {
			if inv.Capability.Input == nil {
				return nil
			}
			var breach *caphost.SchemaError
			err := inv.Capability.Input.Check(inv.Payload)
			switch {
			case err == nil:
				return nil
			case errors.As(err, &breach):
				return Deny(InputSchemaFailed, "the payload breaks the input schema", "",
					map[string]any{"keywords": strings.Join(breach.Keywords, " ")})
			}
			return Deny(InputSchemaFailed, "the payload can't be checked", "", map[string]any{})
		}},
	}
}
