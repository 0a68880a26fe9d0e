// Package acpmutant lists routers, runtimes, registries, publishers and indexes of ACP with one defect
// each, and invalid packages.
package acpmutant

import (
	"context"
	"slices"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

type object = map[string]any

// defect breaks an ACP host.
type defect func(h *acphost.Host)

// newMutant makes an ACP mutant.
func newMutant(name, requirement, summary string, breaks defect) mutant.Mutant {
	return mutant.Mutant{
		Name: "acp-" + name, Suite: "acp", Requirement: requirement, Summary: summary,
		Apply: reference.OfACP(breaks),
	}
}

// as returns mutants with their actors set. A router needs its runtime; every other actor is independent.
func as(actors []string, mutants ...[]mutant.Mutant) []mutant.Mutant {
	all := slices.Concat(mutants...)
	for i := range all {
		all[i].Actors = actors
	}
	return all
}

// onCall replaces an operation by a function that may call it.
func onCall(operation string, replace func(original rpc.Operation, ctx context.Context,
	params object) (any, error)) defect {
	return func(h *acphost.Host) {
		original := h.Provided[operation]
		h.Provided[operation] = func(ctx context.Context, params object) (any,
			error) {
			return replace(original, ctx, params)
		}
	}
}

// onVerb replaces a tool of the runtime by a function that may call it.
func onVerb(name string, replace func(original acphost.Verb, ctx context.Context, p *acphost.Package,
	arguments object) (any,
	error)) defect {
	return func(h *acphost.Host) {
		original := h.Verbs[name]
		h.Verbs[name] = func(ctx context.Context, p *acphost.Package, arguments object) (any, error) {
			return replace(original, ctx, p, arguments)
		}
	}
}

// onBinder replaces a binder by a function that may call it.
func onBinder(kind string, replace func(original acphost.Binder, ctx context.Context, binding acphost.Binding,
	arguments object) (acphost.Result, error)) defect {
	return func(h *acphost.Host) {
		original := h.Binders[kind]
		h.Binders[kind] = func(ctx context.Context, binding acphost.Binding, arguments object) (acphost.Result, error) {
			return replace(original, ctx, binding, arguments)
		}
	}
}

// changesBinding changes a member of a binding before its use.
func changesBinding(kind, member string, change func(string) string) defect {
	return onBinder(kind, func(original acphost.Binder, ctx context.Context, binding acphost.Binding,
		arguments object) (acphost.Result, error) {
		changed, _ := rpc.Clone(binding.Members).(object)
		text, _ := changed[member].(string)
		changed[member] = change(text)
		return original(ctx, acphost.Binding{Type: binding.Type, Members: changed}, arguments)
	})
}

// removesCheck removes a check of the registry.
func removesCheck(name string) defect {
	return func(h *acphost.Host) {
		h.Checks = slices.DeleteFunc(slices.Clone(h.Checks), func(g acphost.TransactionCheck) bool { return g.Name == name })
	}
}

// removesRule removes a rule for packages.
func removesRule(name string) defect {
	return func(h *acphost.Host) {
		h.Rules = slices.DeleteFunc(slices.Clone(h.Rules), func(r acphost.Rule) bool { return r.Name == name })
	}
}

// clone returns a copy of an object.
func clone(members object) object {
	copied, _ := rpc.Clone(members).(object)
	return copied
}
