package act

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// maxGrowth bounds how many members are added one by one.
const maxGrowth = 6

// ordinaryInputs invoke the ordinary capabilities with valid inputs.
type ordinaryInputs struct{ bench }

// invokeValid invokes the ordinary capabilities with inputs that satisfy the schema.
func (c ordinaryInputs) invokeValid(ctx context.Context) error {
	if err := c.NotReady(); err != nil {
		return err
	}
	for _, of := range c.Pool {
		c.valid(ctx, of)
		c.edges(ctx, of)
	}
	return nil
}

// valid invokes one capability with inputs that satisfy its schema.
func (c ordinaryInputs) valid(ctx context.Context, of *Capability) {
	c.prefetcher.Begin(c.inputs().prefetchInputs)
	var all []*history.Attempt
	for _, input := range c.ValidInputs(of) {
		if !of.pace.slow.Load() {
			all = append(all, c.invoke(ctx, of.of(input)))
		}
	}
	if of.pace.slow.Load() {
		return
	}
	all = append(all, c.alternative(ctx, of, all)...)
	all = append(all, c.grow(ctx, of, all)...)
	if n := len(all); n > 0 && all[n-1].Succeeded() { // a cached answer may differ
		c.invoke(ctx, c.invocationOf(all[n-1]).with(history.AboutStep, history.StepAgain))
	}
}

// grow adds the optional members one by one to the input that was accepted, if the input with the
// most members failed or was denied: one member may be the reason. A source may refuse such an input
// because of a rule between members that the schema does not state.
func (c ordinaryInputs) grow(ctx context.Context, of *Capability, tried []*history.Attempt) []*history.Attempt {
	base := firstSuccess(tried)
	if base == nil || of.Input() == nil || !failedOrDenied(tried[len(tried)-1]) {
		return nil
	}
	members, _ := history.Value(base.Input).(map[string]any)
	fullest, _ := history.Value(tried[len(tried)-1].Input).(map[string]any)
	var all []*history.Attempt
	for _, name := range slices.Sorted(maps.Keys(fullest)) {
		more := maps.Clone(members)
		more[name] = fullest[name]
		if len(more) == len(members) || len(more) == len(fullest) || of.Input().Validate(more) != nil {
			continue
		}
		a := c.invoke(ctx, of.of(instance.Sample{Text: jsonvalue.Encode(more), Doubt: history.DoubtMembers}))
		all = append(all, a)
		if a.Lost != nil || len(all) == maxGrowth {
			break
		}
		if a.Succeeded() {
			members = more
		}
	}
	return all
}

// failedOrDenied reports whether an attempt failed or was denied.
func failedOrDenied(a *history.Attempt) bool {
	return isExecutionFailure(a) || a.FailedWith(history.PermissionDenied)
}

// alternative tries other branches of the choices in the schema if every input was refused or
// failed, up to the first that is accepted. Over MCP, a refusal has the form of a failure.
func (c ordinaryInputs) alternative(ctx context.Context, of *Capability,
	refused []*history.Attempt) []*history.Attempt {
	other := func(a *history.Attempt) bool {
		return !a.FailedWith(history.InvalidInput) && !a.FailedWith(history.ExecutionFailed)
	}
	if len(refused) == 0 || slices.ContainsFunc(refused, other) {
		return nil
	}
	var all []*history.Attempt
	for _, input := range c.inputs().alternatives(of) {
		a := c.invoke(ctx, of.of(input))
		all = append(all, a)
		if a.Succeeded() || a.Lost != nil {
			break
		}
	}
	return all
}

// edges invokes a capability with inputs that satisfy its schema and are at one of its limits. They
// are made from the accepted input with the most members.
func (c ordinaryInputs) edges(ctx context.Context, of *Capability) {
	for _, a := range slices.Backward(c.validAttempts(of.Ref())) {
		if !a.Succeeded() || of.Input() == nil || of.pace.slow.Load() {
			continue
		}
		e := edgeCost{usual: lengthOf(a), largestCheap: map[string]int{}}
		for _, edge := range c.inputs().sampledEdges(of.Input().Edges(c.Running, a.Input, maxEdges)) {
			if edge.Size > e.largestCheap[edge.Pointer]+1 || edge.Size > 0 && of.pace.longest() > minSlowerBy {
				continue // a smaller number already cost much or was not sent, or the number may be a duration
			}
			i := of.of(edge).with(history.AboutEdge, edge.Note)
			if doubt := a.About[history.AboutDoubt]; doubt != history.DoubtMembers {
				i = i.with(history.AboutDoubt, doubt)
			}
			begun := time.Now()
			answer := c.invoke(ctx, i)
			if answer.Lost != nil {
				break
			}
			e.note(edge, answer, time.Since(begun))
		}
		return
	}
}

// edgeCost records what the edges of one capability cost, so that a number is only increased if the
// source needs neither more time nor more space for it: the number may be a count.
type edgeCost struct {
	usual        int            // the length of an ordinary answer
	quickest     time.Duration  // of all answers
	largestCheap map[string]int // by place: the size of the largest number that cost no more
}

// The limits on what a larger number may cost in addition to the usual cost. minSlowerBy is the
// longest answer of a capability that still receives larger numbers.
const (
	moreTime    = 25 * time.Millisecond
	moreLength  = 100
	minSlowerBy = 250 * time.Millisecond
)

func (e *edgeCost) note(edge instance.Sample, answer *history.Attempt, took time.Duration) {
	if e.quickest == 0 || took < e.quickest {
		e.quickest = took
	}
	if edge.Size > 0 && answer.Succeeded() && took < e.quickest+moreTime && lengthOf(answer) < e.usual+moreLength {
		e.largestCheap[edge.Pointer] = edge.Size
	}
}

// lengthOf returns the length of an output.
func lengthOf(answer *history.Attempt) int { return len(jsonvalue.Encode(answer.Output())) }
