package act

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/chp/history"
)

// on returns a function that performs a stimulus of a subject.
func on[S ~struct{ bench }](
	act func(S, context.Context) error,
) func(*Caller, context.Context, *suites.Laboratory) error {
	return func(c *Caller, ctx context.Context, l *suites.Laboratory) error { return act(S{newBench(c, l)}, ctx) }
}

// stimuli are the stimuli of the suite in the order in which they are performed. Some need the
// answers to earlier ones. Those that may disturb the host come last. No other place names all
// subjects.
var stimuli = []suites.Act[*Caller]{
	{Name: history.Ordinary, Perform: on(ordinaryPayloads.ordinary)},
	{Name: history.InRole, Perform: on(ordinaryPayloads.inRoles)},
	{Name: history.Unknown, Perform: on(refusals.unknown)},
	{Name: history.Unlisted, Perform: on(refusals.unlisted)},
	{Name: history.Unversioned, Perform: on(refusals.unversioned)},
	{Name: history.Invalid, Perform: on(faults.invalid)},
	{Name: history.NoCorrelation, Perform: on(correlations.withoutCorrelation)},
	{Name: history.Unusual, Perform: on(correlations.unusual)},
	{Name: history.EmptyID, Perform: on(correlations.emptyIDs)},
	{Name: history.UsedAgain, Perform: on(ids.usedAgain)},
	{Name: history.AtOnce, Perform: on(concurrent.atOnce)},
	{Name: history.Shared, Perform: on(concurrent.shared)},
	{Name: history.Queries, Perform: on(queries.queries)},
	{Name: history.Alike, Perform: on(ids.sideBySide)},
	{Name: history.LongPayload, Perform: on(marks.longPayloads)},
	{Name: history.Often, Perform: on(repetitions.often)},
	{Name: history.Marked, Perform: on(marks.marked)},
	{Name: history.UnusedID, Perform: on(ids.unusedID)},
	{Name: history.Payloads, Perform: on(queries.payloadsOf)},
	{Name: history.Later, Perform: on(repetitions.later)},
	{Name: history.ListedAgain, Perform: on(descriptions.listedAgain)},
	{Name: history.NoEnvelope, Perform: on(malformations.noEnvelope)},
	{Name: history.LateEvidence, Perform: on(repetitions.late)},
	{Name: history.Restart, Perform: on(descriptions.restart)},
}

// PerformAll performs every stimulus once.
func (c *Caller) PerformAll(ctx context.Context, sc *suites.Scenario) {
	suites.PerformEach(ctx, sc, c, slices.DeleteFunc(slices.Clone(stimuli), func(a suites.Act[*Caller]) bool {
		return a.Name == history.Unversioned && !c.Stable
	}))
}
