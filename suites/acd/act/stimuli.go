package act

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
)

// on returns a stimulus that performs an action of a subject and then deletes its copies.
func on[S ~struct{ bench }](
	act func(S, context.Context) error,
) func(*Caller, context.Context, *suites.Laboratory) error {
	return func(c *Caller, ctx context.Context, l *suites.Laboratory) error {
		b := newBench(c, l)
		defer b.clean(ctx)
		return act(S{b}, ctx)
	}
}

// stimuli lists the stimuli of the suite in the order in which they are performed. Most of them need the results of
// Ordinary. This list is the only place that names all subjects.
var stimuli = []suites.Act[*Caller]{
	{Name: history.Ordinary, Perform: on(executions.ordinary)},
	{Name: history.EchoInputs, Perform: on(executions.inputs)},
	{Name: history.AtOnce, Perform: on(executions.atOnce)},
	{Name: history.UnknownID, Perform: on(executions.unknown)},
	{Name: history.Permissions, Perform: on(permissions.lacking)},
	{Name: history.PermissionAbsent, Perform: on(permissions.absent)},
	{Name: history.Granted, Perform: on(permissions.granted)},
	{Name: history.OtherModes, Perform: on(executions.otherModes)},
	{Name: history.Disabled, Perform: on(executions.disabled)},
	{Name: history.Entries, Perform: on(permissions.outOfBounds)},
	{Name: history.Orthogonal, Perform: on(orthogonals.guarded)},
	{Name: history.Substrates, Perform: on(routes.substrates)},
	{Name: history.Created, Perform: on(registries.creates)},
	{Name: history.ReadEntries, Perform: on(registries.readsEntries)},
	{Name: history.Updated, Perform: on(registries.updatesCopies)},
	{Name: history.DeletedOnes, Perform: on(registries.deletesCopies)},
	{Name: history.ByOne, Perform: on(queries.byOne)},
	{Name: history.BySeveral, Perform: on(queries.bySeveral)},
	{Name: history.OldLists, Perform: on(queries.legacyLists)},
	{Name: history.Audits, Perform: on(audits.everyWay)},
	{Name: history.EntriesLogged, Perform: on(audits.ofEntries)},
	{Name: history.AuditAbsent, Perform: on(audits.auditAbsent)},
	{Name: history.Values, Perform: on(audits.values)},
	{Name: history.HooksBefore, Perform: on(hooks.before)},
	{Name: history.HooksAfter, Perform: on(hooks.after)},
	{Name: history.HooksOnError, Perform: on(hooks.onError)},
	{Name: history.EnabledAbsent, Perform: on(defaults.enabledAbsent)},
	{Name: history.MutableAbsent, Perform: on(defaults.mutableAbsent)},
	{Name: history.UsedAtOnce, Perform: on(defaults.usedAtOnce)},
	{Name: history.Immutables, Perform: on(immutables.attempted)},
	{Name: history.Declared, Perform: on(channels.declared)},
	{Name: history.Rejected, Perform: on(channels.rejected)},
	{Name: history.Shells, Perform: on(channels.shells)},
	{Name: history.ThroughCLI, Perform: on(channels.throughCLI)},
	{Name: history.Indexed, Perform: on(manifests.indexed)},
	{Name: history.Documented, Perform: on(manifests.documented)},
	{Name: history.ByCreate, Perform: on(creations.makesByMeta)},
	{Name: history.ByEnable, Perform: on(creations.enablesByMeta)},
	{Name: history.ByBind, Perform: on(creations.bindsByMeta)},
	{Name: history.Composites, Perform: on(creations.composites)},
	{Name: history.Proxies, Perform: on(creations.proxies)},
	{Name: history.Scripts, Perform: on(shells.scripts)},
	{Name: history.RefusedScripts, Perform: on(shells.refusedScripts)},
	{Name: history.Sandbox, Perform: on(shells.sandbox)},
	{Name: history.Described, Perform: on(manifests.described)},
}

// PerformAll performs every stimulus once.
func (c *Caller) PerformAll(ctx context.Context, sc *suites.Scenario) {
	suites.PerformEach(ctx, sc, c, stimuli)
}
