package act

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/cap/history"
)

// on adapts a method of a subject to a stimulus.
func on[S ~struct{ bench }](
	act func(S, context.Context) error,
) func(*Caller, context.Context, *suites.Laboratory) error {
	return func(c *Caller, ctx context.Context, l *suites.Laboratory) error { return act(S{newBench(c, l)}, ctx) }
}

// stimuli are all stimuli of the suite in the order in which they are performed. Some need the
// results of earlier ones. Those that change the source come last. This is the only place that
// knows all subjects.
var stimuli = []suites.Act[*Caller]{
	{Name: history.Described, Perform: on(descriptions.describeAll)},
	{Name: history.Valid, Perform: on(ordinaryInputs.invokeValid)},
	{Name: history.Invalid, Perform: on(faults.invokeInvalid)},
	{Name: history.UnlistedDescribed, Perform: on(unknownRefs.describeUnknown)},
	{Name: history.UnlistedInvoked, Perform: on(unknownRefs.invokeUnknown)},
	{Name: history.Neighbours, Perform: on(unknownRefs.neighbours)},
	{Name: history.Reduced, Perform: on(descriptions.describeReduced)},
	{Name: history.InRole, Perform: on(roles.inRoles)},
	{Name: history.FailingInvalid, Perform: on(faults.invokeFailing)},
	{Name: history.AtOnce, Perform: on(concurrency.atOnce)},
	{Name: history.Together, Perform: on(concurrency.together)},
	{Name: history.ListedAgain, Perform: on(lists.listAgain)},
	{Name: history.Changed, Perform: on(descriptions.describeChanged)},
	{Name: history.Replaced, Perform: on(exchanges.exchange)},
	{Name: history.Counted, Perform: on(counts.count)},
	{Name: history.AttachedTools, Perform: on(attachments.attachTools)},
	{Name: history.AttachedSkills, Perform: on(attachments.attachSkills)},
	{Name: history.Restart, Perform: on(lists.restart)},
}

// PerformAll performs every stimulus once.
func (c *Caller) PerformAll(ctx context.Context, sc *suites.Scenario) {
	suites.PerformEach(ctx, sc, c, stimuli)
}
