package act

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"sync"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/record"
)

// admits tells whether a capability may be invoked.
func (c *Caller) admits(of *history.Sheet) bool { return c.Gate.Against(of.ID, of.Version) == "" }

// player gives the capability of a role, nil where nobody plays it or it may not be invoked.
func (c *Caller) player(role string) *Player {
	if p := c.Players[role]; p != nil && c.admits(p.Sheet) {
		return p
	}
	return nil
}

// inRole makes the invocation of a role with one sound input, or with one that the
// capability accepted before.
func (c *Caller) inRole(role string) (invocation, error) {
	p := c.player(role)
	inputs := c.Sound(p.Capability)
	if len(inputs) == 0 {
		return invocation{}, &suites.Inconclusive{
			Reason: "no sound input can be made for " + p.ID,
			Supply: "give one in the target file: roles: {cap: {" + role + ": {capability: " + p.ID + ", input: {...}}}}",
		}
	}
	i := p.of(inputs[0])
	tried := c.tried(p.Ref())
	if a := firstSuccess(tried); a != nil && tried[0].Declined() {
		i = c.like(a)
	}
	i.slow = role == Slow
	return i.with(history.AboutRole, role), nil
}

// roleTimes is how often a role is invoked that has to end in the same way each time.
const roleTimes = 3

// inRoles invokes the capability of each role, and after one that failed an ordinary one.
func (c *Caller) inRoles(ctx context.Context, l *suites.Laboratory) error {
	var undone error
	for _, role := range []string{Restricted, Malformed, Skill, Fails, Slow} {
		if c.player(role) == nil {
			if role == Fails && slices.ContainsFunc(c.History.Of(history.Sound), failed) {
				c.serves(ctx, l, role)
			}
			continue
		}
		i, err := c.inRole(role)
		if err != nil {
			undone = err
			continue
		}
		times := 1
		if role == Restricted || role == Fails {
			times = roleTimes
		}
		for range times { // what was refused, or failed, does so again
			if c.invoke(ctx, l, i).Lost != nil {
				break
			}
		}
		switch role {
		case Restricted:
			c.alsoRestricted(ctx, l)
		case Fails, Slow:
			c.serves(ctx, l, role)
		}
	}
	return undone
}

// failed tells a failure of execution.
func failed(a *history.Attempt) bool { return a.With(history.ExecutionFailed) }

// serves invokes a capability that worked before, after one that failed.
func (c *Caller) serves(ctx context.Context, l *suites.Laboratory, role string) {
	control := c.working()
	if control == nil {
		return
	}
	again := c.like(control)
	again.about = map[string]string{history.AboutRole: role, history.AboutStep: history.StepServes}
	if a := c.invoke(ctx, l, again); !a.Succeeded() || a.Before != nil {
		c.servesAgain(ctx, l, a, record.Link{Relation: record.Confirms, To: a.Entry}) // now: later it may be by chance
	}
}

// alsoRestricted invokes the other capabilities that need every permission that the
// restricted one needs: the caller lacks one of them.
func (c *Caller) alsoRestricted(ctx context.Context, l *suites.Laboratory) {
	restricted := c.Players[Restricted]
	needed := restricted.Manifest()
	if !needed.NeedsPermission() {
		return
	}
	for _, of := range c.List.Capabilities {
		if of == restricted.Sheet || !of.Manifest().Needs(needed) || !c.admits(of) {
			continue
		}
		other := c.capability(of)
		for _, input := range c.Sound(other) {
			c.invoke(ctx, l, other.of(input).with(history.AboutRole, Restricted))
		}
	}
}

// invokeFailing invokes what fails on a sound input with inputs that each break one
// keyword: they are refused before anything fails. The control is that the sound input was
// taken up. A denial is none, since no text puts validation before it.
func (c *Caller) invokeFailing(ctx context.Context, l *suites.Laboratory) error {
	if err := c.needList(); err != nil {
		return err
	}
	invoked := 0
	for _, control := range c.failures() {
		of := c.capability(c.List.Find(control.Asked))
		left := 2
		if control.With(history.Timeout) {
			left = 1
		}
		for _, fault := range withinContractFirst(c.unsound(of, control.Input)) {
			if left == 0 || history.OutsideContract(fault.Text) {
				break
			}
			left--
			invoked++
			c.invoke(ctx, l, of.breaking(fault))
		}
	}
	if invoked == 0 {
		return suites.NotObserved("a capability that fails on a sound input and takes an input that can be broken")
	}
	return nil
}

// failures gives, for each capability that failed on every sound input, one answer. A tool of
// a plain MCP server that fails on everything shows nothing of validation.
func (c *Caller) failures() []*history.Attempt {
	var all []*history.Attempt
	for _, role := range []string{Fails, Malformed, Slow} {
		for _, a := range c.History.Of(history.InRole) {
			// else its own requirement's
			if a.About[history.AboutRole] == role && a.About[history.AboutStep] == "" && a.TakenUp() {
				all = append(all, a)
				break
			}
		}
	}
	if c.Adapted {
		return all
	}
	for _, of := range c.Pool {
		sound := c.tried(of.Ref())
		other := func(a *history.Attempt) bool { return !a.With(history.ExecutionFailed) && !a.With(history.Timeout) }
		if len(sound) > 0 && !slices.ContainsFunc(sound, other) {
			all = append(all, sound[0])
		}
	}
	return all
}

// callers is how many call together.
const callers = 8

// atOnce invokes the role echo by several callers together.
func (c *Caller) atOnce(ctx context.Context, l *suites.Laboratory) error {
	p := c.player(Echo)
	if p == nil {
		return nil // the condition of its scenario says why
	}
	var all []invocation
	for n := range callers {
		number := strconv.Itoa(n)
		input, found := echoInput(p.Capability, c.Sound(p.Capability), history.CallerText(number))
		if !found {
			return suites.Inapplicable("%s takes no text by which callers could be told apart", p.ID)
		}
		all = append(all, invocation{asked: p.Ref(), input: input}.with(history.AboutNumber, number))
	}
	var wg sync.WaitGroup
	for _, i := range all {
		wg.Go(func() { c.invoke(ctx, l, i) })
	}
	wg.Wait()
	return nil
}

// echoInput puts a text into the first member of a sound input that takes any text.
func echoInput(of *Capability, sound []instance.Sample, text string) (json.RawMessage, bool) {
	for _, input := range sound {
		var members map[string]any
		if json.Unmarshal(input.Text, &members) != nil {
			continue
		}
		for _, name := range sortedKeys(members) {
			was, isText := members[name].(string)
			if !isText {
				continue
			}
			members[name] = text
			made := suites.Encode(members)
			if of.Input() == nil || of.Input().Validate(history.Value(made)) == nil {
				return made, true
			}
			members[name] = was
		}
	}
	return nil, false
}
