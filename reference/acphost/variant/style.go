// Package acpvariant lists routers, runtimes, registries, publishers and indexes of ACP in other styles that the text
// permits.
package acpvariant

import (
	"context"
	"slices"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/rpc"
	"github.com/capconform/capconform/reference/variant"
)

type object = map[string]any

// style changes a host of ACP.
type style func(h *acphost.Host)

func newVariant(name, summary string, apply style, allows ...string) variant.Variant {
	return variant.Variant{Name: "acp-" + name, Suite: "acp", Summary: summary, Allows: allows,
		Apply: reference.OfACP(apply)}
}

// as says who alone has a part in a style: a router needs its runtime, and the
// others need nobody.
func as(actors []string, styles ...[]variant.Variant) []variant.Variant {
	all := slices.Concat(styles...)
	for i := range all {
		all[i].Actors = actors
	}
	return all
}

// given changes what an operation gives.
func given(operation string, turn func(result any) any) style {
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
func refusing(refusal *rpc.Error) style {
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

// both applies several styles.
func both(styles ...style) style {
	return func(h *acphost.Host) {
		for _, apply := range styles {
			apply(h)
		}
	}
}

// unserved takes operations away.
func unserved(operations ...string) style {
	return func(h *acphost.Host) {
		for _, name := range operations {
			delete(h.Provided, name)
		}
	}
}

// supporting says what the host can do beyond the least.
func supporting(words ...any) style {
	return given(acphost.OpConfigure, func(any) any {
		if words == nil {
			return object{}
		}
		return object{"supports": words}
	})
}

// unauthored asks nobody for an author.
func unauthored(h *acphost.Host) {
	h.Gates = slices.DeleteFunc(slices.Clone(h.Gates), func(g acphost.Gate) bool {
		return g.Name == "author" ||
			g.Name == "name"
	})
}

// absences leave out what need not be there.
func absences() []variant.Variant {
	return []variant.Variant{
		newVariant("no-state", "Lets nobody look at its stack.", unserved(acphost.OpState), "ACP-DONE-01"),
		newVariant("no-timeouts", "Does not say that it obeys timeouts.", supporting("authors"), "ACP-DONE-02"),
		newVariant("no-authors", "Acts for no other author than itself.", both(supporting("timeouts"), unauthored),
			"ACP-TERM-03"),
		newVariant("supports-nothing", "Tells nothing of what it supports, and takes what nobody in particular publishes.",
			both(supporting(), unauthored), "ACP-TERM-03"),
		newVariant("refuses-by-number", "Refuses by the numbers of JSON-RPC and without a code.",
			refusing(&rpc.Error{Number: rpc.InvalidParams, Message: "no"}), "ACP-SEC-01"),
		newVariant("refuses-in-words", "Refuses by a private code.", refusing(rpc.Refuse("E_ACP_17", "das geht nicht")),
			"ACP-SEC-01"),
	}
}
