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

// style changes an ACP host.
type style func(h *acphost.Host)

func newVariant(name, summary string, apply style, allows ...string) variant.Variant {
	return variant.Variant{Name: "acp-" + name, Suite: "acp", Summary: summary, Allows: allows,
		Apply: reference.OfACP(apply)}
}

// as returns variants with their actors set. A router needs its runtime; every other actor is
// independent.
func as(actors []string, styles ...[]variant.Variant) []variant.Variant {
	all := slices.Concat(styles...)
	for i := range all {
		all[i].Actors = actors
	}
	return all
}

// changesResult changes the result of an operation.
func changesResult(operation string, change func(result any) any) style {
	return func(h *acphost.Host) {
		original := h.Provided[operation]
		h.Provided[operation] = func(ctx context.Context, params object) (any, error) {
			result, err := original(ctx, params)
			if err != nil {
				return nil, err
			}
			return change(result), nil
		}
	}
}

// changesErrors changes the error of every operation.
func changesErrors(refusal *rpc.Error) style {
	return func(h *acphost.Host) {
		for name, original := range h.Provided {
			h.Provided[name] = func(ctx context.Context, params object) (any, error) {
				result, err := original(ctx, params)
				if err != nil {
					return nil, refusal
				}
				return result, nil
			}
		}
	}
}

// combine returns a style that applies several styles.
func combine(styles ...style) style {
	return func(h *acphost.Host) {
		for _, apply := range styles {
			apply(h)
		}
	}
}

// unserved removes operations.
func unserved(operations ...string) style {
	return func(h *acphost.Host) {
		for _, name := range operations {
			delete(h.Provided, name)
		}
	}
}

// reportsSupport sets the value of supports in the answer to acp.configure.
func reportsSupport(words ...any) style {
	return changesResult(acphost.OpConfigure, func(any) any {
		if words == nil {
			return object{}
		}
		return object{"supports": words}
	})
}

// acceptsNoAuthor accepts publications without an author.
func acceptsNoAuthor(h *acphost.Host) {
	h.Checks = slices.DeleteFunc(slices.Clone(h.Checks), func(g acphost.TransactionCheck) bool {
		return g.Name == "author" ||
			g.Name == "name"
	})
}

// absences returns hosts that lack something optional in the text or in ADAPTER.md.
func absences() []variant.Variant {
	return []variant.Variant{
		newVariant("no-state", "Does not serve acp.state.", unserved(acphost.OpState), "ACP-DONE-01"),
		newVariant("no-timeouts", "Does not report that it obeys timeouts.", reportsSupport("authors"), "ACP-DONE-02"),
		newVariant("no-authors", "Acts only for its own author.", combine(reportsSupport("timeouts"), acceptsNoAuthor),
			"ACP-TERM-03"),
		newVariant("supports-nothing", "Does not report what it supports, and accepts publications without an author.",
			combine(reportsSupport(), acceptsNoAuthor), "ACP-TERM-03"),
		newVariant("refuses-by-number", "Refuses with the numbers of JSON-RPC and without a code.",
			changesErrors(&rpc.Error{Number: rpc.InvalidParams, Message: "no"}), "ACP-SEC-01"),
		newVariant("refuses-in-words", "Refuses with a private code.",
			changesErrors(rpc.Refuse("E_ACP_17", "das geht nicht")),
			"ACP-SEC-01"),
	}
}
