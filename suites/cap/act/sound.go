package act

import (
	"context"
	"maps"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/instance"
)

// describeAll describes each listed pair, and the first ones once more: what is remembered
// may be another thing than what was told first.
func (c *Caller) describeAll(ctx context.Context, l *suites.Laboratory) error {
	if err := c.needList(); err != nil {
		return err
	}
	for i, of := range c.List.Capabilities[:min(len(c.List.Capabilities), describedAtMost)] {
		if ctx.Err() != nil {
			break
		}
		c.describe(ctx, l, of.Ref(), nil)
		if i < againAtMost {
			c.describe(ctx, l, of.Ref(), map[string]string{history.AboutStep: history.StepAgain})
		}
	}
	return nil
}

// describeReduced describes each tool that a skill is reduced to.
func (c *Caller) describeReduced(ctx context.Context, l *suites.Laboratory) error {
	asked := map[history.Ref]bool{}
	for _, of := range c.List.Capabilities {
		if of.Kind != history.KindSkill {
			continue
		}
		for _, tool := range of.Manifest().ReducedTo() {
			if !asked[tool] {
				asked[tool] = true
				c.describe(ctx, l, tool, nil)
			}
		}
	}
	return nil
}

// invokeSound invokes the ordinary capabilities, and what has to be refused, with inputs
// that keep the schema.
func (c *Caller) invokeSound(ctx context.Context, l *suites.Laboratory) error {
	if err := c.Ready(); err != nil {
		return err
	}
	for _, of := range c.Pool {
		c.sound(ctx, l, of)
		c.edges(ctx, l, of)
	}
	return nil
}

// sound invokes one capability with inputs that keep its schema.
func (c *Caller) sound(ctx context.Context, l *suites.Laboratory, of *Capability) {
	c.ahead.Begin(c.inputsAhead)
	var all []*history.Attempt
	for _, input := range c.Sound(of) {
		if !of.pace.slow.Load() {
			all = append(all, c.invoke(ctx, l, of.of(input)))
		}
	}
	if of.pace.slow.Load() {
		return
	}
	all = append(all, c.alternative(ctx, l, of, all)...)
	all = append(all, c.grown(ctx, l, of, all)...)
	if n := len(all); n > 0 && all[n-1].Succeeded() { // what is remembered may be another thing
		c.invoke(ctx, l, c.like(all[n-1]).with(history.AboutStep, history.StepAgain))
	}
}

// grown adds the optional members one by one to the input that was accepted, where the fullest
// one failed or was denied: one member may be the reason. A rule between members that the schema
// does not state may be a reason to refuse such an input.
func (c *Caller) grown(ctx context.Context, l *suites.Laboratory, of *Capability,
	tried []*history.Attempt) []*history.Attempt {
	base := firstSuccess(tried)
	if base == nil || of.Input() == nil || !stumbled(tried[len(tried)-1]) {
		return nil
	}
	members, _ := history.Value(base.Input).(map[string]any)
	fullest, _ := history.Value(tried[len(tried)-1].Input).(map[string]any)
	var all []*history.Attempt
	for _, name := range sortedKeys(fullest) {
		more := maps.Clone(members)
		more[name] = fullest[name]
		if len(more) == len(members) || len(more) == len(fullest) || of.Input().Validate(more) != nil {
			continue
		}
		a := c.invoke(ctx, l, of.of(instance.Sample{Text: suites.Encode(more), Doubt: history.DoubtMembers}))
		all = append(all, a)
		if a.Lost != nil || len(all) == grownAtMost {
			break
		}
		if a.Succeeded() {
			members = more
		}
	}
	return all
}

// stumbled tells a failure or a denial.
func stumbled(a *history.Attempt) bool { return failed(a) || a.With(history.PermissionDenied) }

// alternative goes on with other alternatives of what the schema leaves open, where every
// input was refused or failed, up to the first that is accepted. Over MCP, a refusal has the
// form of a failure.
func (c *Caller) alternative(ctx context.Context, l *suites.Laboratory, of *Capability,
	refused []*history.Attempt) []*history.Attempt {
	other := func(a *history.Attempt) bool {
		return !a.With(history.InvalidInput) && !a.With(history.ExecutionFailed)
	}
	if len(refused) == 0 || slices.ContainsFunc(refused, other) {
		return nil
	}
	var all []*history.Attempt
	for _, input := range c.alternatives(of) {
		a := c.invoke(ctx, l, of.of(input))
		all = append(all, a)
		if a.Succeeded() || a.Lost != nil {
			break
		}
	}
	return all
}

// edges invokes a capability with inputs that keep its schema and are at one of its limits.
// They are made from the fullest one that it accepted.
func (c *Caller) edges(ctx context.Context, l *suites.Laboratory, of *Capability) {
	for _, a := range slices.Backward(c.tried(of.Ref())) {
		if !a.Succeeded() || of.Input() == nil || of.pace.slow.Load() {
			continue
		}
		for _, edge := range c.thinnedEdges(of.Input().Edges(c.Running, a.Input, edgesAtMost)) {
			i := of.of(edge).with(history.AboutEdge, edge.Note)
			if doubt := a.About[history.AboutDoubt]; doubt != history.DoubtMembers {
				i = i.with(history.AboutDoubt, doubt)
			}
			if c.invoke(ctx, l, i).Lost != nil {
				break
			}
		}
		return
	}
}

// invokeUnsound invokes each capability with inputs that each break one keyword. It is asked
// only after it accepted a sound one: without that control a refusal shows nothing. The first
// that gets no answer at all ends it, and a few end it for the source: each costs a deadline
// or a connection, and a source that serves everything else must not be lost over them.
func (c *Caller) invokeUnsound(ctx context.Context, l *suites.Laboratory) error {
	if err := c.Ready(); err != nil {
		return err
	}
	silences := 0
	for _, of := range c.Pool {
		sound := c.tried(of.Ref())
		if firstSuccess(sound) == nil || of.pace.slow.Load() || silences >= silencesAtMost {
			continue
		}
		for _, fault := range c.faultsOf(of, sound) {
			if c.invoke(ctx, l, of.breaking(fault)).Lost != nil {
				silences++
				break // a source that gives no answer once gives none the next time
			}
		}
	}
	return nil
}
