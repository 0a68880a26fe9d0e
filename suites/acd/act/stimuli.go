package act

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
)

// stimulus is one of the suite.
type stimulus struct {
	name    string
	perform func(bench, context.Context) error
}

// on performs what a subject provokes.
func on[S ~struct{ bench }](act func(S, context.Context) error) func(bench, context.Context) error {
	return func(b bench, ctx context.Context) error { return act(S{b}, ctx) }
}

// stimuli are all of the suite in the order in which they are performed. Most need what
// Ordinary showed. This is the only place that knows all subjects.
var stimuli = []stimulus{
	{history.Ordinary, on(executions.ordinary)},
	{history.EchoInputs, on(executions.inputs)},
	{history.AtOnce, on(executions.atOnce)},
	{history.UnknownID, on(executions.unknown)},
	{history.Permissions, on(permissions.lacking)},
	{history.Unsaid, on(permissions.unsaid)},
	{history.Granted, on(permissions.granted)},
	{history.OtherModes, on(executions.otherModes)},
	{history.Disabled, on(executions.disabled)},
	{history.Entries, on(permissions.outOfBounds)},
	{history.Substrates, on(routes.substrates)},
	{history.Created, on(registries.creates)},
	{history.ReadEntries, on(registries.readsEntries)},
	{history.Updated, on(registries.updatesCopies)},
	{history.DeletedOnes, on(registries.deletesCopies)},
	{history.ByOne, on(queries.byOne)},
	{history.BySeveral, on(queries.bySeveral)},
	{history.OldLists, on(queries.legacyLists)},
	{history.Audits, on(audits.everyWay)},
	{history.AuditUnsaid, on(audits.unsaidAudits)},
	{history.Values, on(audits.values)},
	{history.HooksBefore, on(hooks.before)},
	{history.HooksAfter, on(hooks.after)},
	{history.HooksOnError, on(hooks.onError)},
	{history.EnabledUnsaid, on(defaults.unsaidEnabled)},
	{history.MutableUnsaid, on(defaults.unsaidMutable)},
	{history.UsedAtOnce, on(defaults.usedAtOnce)},
	{history.Immutables, on(immutables.attempted)},
	{history.Declared, on(channels.declared)},
	{history.Rejected, on(channels.rejected)},
	{history.Shells, on(channels.shells)},
	{history.ThroughCLI, on(channels.throughCLI)},
	{history.Indexed, on(manifests.indexed)},
	{history.Documented, on(manifests.documented)},
	{history.ByCreate, on(creations.makesByMeta)},
	{history.ByEnable, on(creations.enablesByMeta)},
	{history.ByBind, on(creations.bindsByMeta)},
	{history.Composites, on(creations.composites)},
	{history.Proxies, on(creations.proxies)},
	{history.Scripts, on(shells.scripts)},
	{history.BarredScripts, on(shells.barredScripts)},
	{history.Sandbox, on(shells.sandbox)},
	{history.Described, on(manifests.described)},
}

// PerformAll performs every stimulus once.
func (c *Caller) PerformAll(ctx context.Context, sc *suites.Scenario) {
	for _, s := range stimuli {
		perform := func(ctx context.Context, l *suites.Laboratory) *suites.Unperformed {
			b := newBench(c, l)
			defer b.clean(ctx)
			return suites.Because(s.perform(b, ctx))
		}
		_ = sc.Perform(ctx, s.name, perform) // the record holds the reason: see history.Conclusion
	}
}
