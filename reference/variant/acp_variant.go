package variant

import (
	"context"
	"slices"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/rpc"
)

// acpStyle changes a host of ACP.
type acpStyle func(h *acphost.Host)

func acpVariant(name, summary string, apply acpStyle, allows ...string) Variant {
	return Variant{Name: "acp-" + name, Suite: "acp", Summary: summary, Allows: allows, Apply: reference.OfACP(apply)}
}

// capabilityRouters are the styles of a host of ACP.
func capabilityRouters() []Variant {
	return slices.Concat(
		acpProfiles(), acpAbsences(), as([]string{"router", "runtime"}, acpInstallations(), acpRoutings(), acpStacks(), acpRequests(), acpFrames(), acpCrowds()),
		as([]string{"runtime"}, acpTellings(), acpPages(), acpStates(), acpNeighbourly(), acpSandboxes()), as([]string{"registry"}, acpRegistries(), acpMarkets()),
		as([]string{"publisher"}, acpPublishings()), as([]string{"index"}, acpIndexes(), acpNames(), acpReplicas()),
	)
}

// as says who alone has a part in a style: a router needs its runtime, and the
// others need nobody.
func as(actors []string, styles ...[]Variant) []Variant {
	all := slices.Concat(styles...)
	for i := range all {
		all[i].Actors = actors
	}
	return all
}

// given changes what an operation gives.
func given(operation string, turn func(result any) any) acpStyle {
	return func(h *acphost.Host) {
		sound := h.Provided[operation]
		h.Provided[operation] = func(ctx context.Context, params object) (any, error) {
			result, err := sound(ctx, params)
			if err != nil {
				return nil, err
			}
			return turn(result), nil
		}
	}
}

// refusing changes how every operation refuses.
func refusing(refusal *rpc.Error) acpStyle {
	return func(h *acphost.Host) {
		for name, sound := range h.Provided {
			h.Provided[name] = func(ctx context.Context, params object) (any, error) {
				result, err := sound(ctx, params)
				if err != nil {
					return nil, refusal
				}
				return result, nil
			}
		}
	}
}

// acpBoth applies several styles.
func acpBoth(styles ...acpStyle) acpStyle {
	return func(h *acphost.Host) {
		for _, apply := range styles {
			apply(h)
		}
	}
}

// unserved takes operations away.
func unserved(operations ...string) acpStyle {
	return func(h *acphost.Host) {
		for _, name := range operations {
			delete(h.Provided, name)
		}
	}
}

// supporting says what the host can do beyond the least.
func supporting(words ...any) acpStyle {
	return given(acphost.OpConfigure, func(any) any {
		if words == nil {
			return object{}
		}
		return object{"supports": words}
	})
}

// unauthored asks nobody for an author.
func unauthored(h *acphost.Host) {
	h.Gates = slices.DeleteFunc(slices.Clone(h.Gates), func(g acphost.Gate) bool { return g.Name == "author" || g.Name == "name" })
}

// acpAbsences leave out what need not be there.
func acpAbsences() []Variant {
	return []Variant{
		acpVariant("no-state", "Lets nobody look at its stack.", unserved(acphost.OpState), "ACP-DONE-01"),
		acpVariant("no-timeouts", "Does not say that it obeys timeouts.", supporting("authors"), "ACP-DONE-02"),
		acpVariant("no-authors", "Acts for no other author than itself.", acpBoth(supporting("timeouts"), unauthored), "ACP-TERM-03"),
		acpVariant("supports-nothing", "Tells nothing of what it supports, and takes what nobody in particular publishes.", acpBoth(supporting(), unauthored), "ACP-TERM-03"),
		acpVariant("refuses-by-number", "Refuses by the numbers of JSON-RPC and without a code.", refusing(&rpc.Error{Number: rpc.InvalidParams, Message: "no"}), "ACP-SEC-01"),
		acpVariant("refuses-in-words", "Refuses by a code of its own.", refusing(rpc.Refuse("E_ACP_17", "das geht nicht")), "ACP-SEC-01"),
	}
}
