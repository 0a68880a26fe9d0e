package act

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"sync"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/verdict"
)

// concurrency invokes capabilities by several callers at once.
type concurrency struct{ bench }

const (
	callers              = 4 // concurrent callers of the role echo
	callersPerCapability = 2 // concurrent callers of an ordinary capability
)

// atOnce invokes the role echo by several concurrent callers.
func (c concurrency) atOnce(ctx context.Context) error {
	p := c.player(Echo)
	if p == nil {
		return nil // its judgement states why
	}
	all := c.distinguished(p.Capability, c.ValidInputs(p.Capability), callers)
	if all == nil {
		return verdict.Inapplicable("%s accepts no text that could distinguish callers", p.ID)
	}
	c.invokeAll(ctx, all)
	return nil
}

// together invokes the last ordinary capability by several concurrent callers, with different texts if
// possible: a run against a source with many capabilities must stay short. Two invocations before show
// whether the capability returns the text. A capability whose answers would take long one after the
// other is omitted.
func (c concurrency) together(ctx context.Context) error {
	if err := c.NotReady(); err != nil {
		return err
	}
	for _, of := range slices.Backward(c.Pool) {
		slow := callersPerCapability*of.pace.longest() > c.Subject.Deadlines.Call/2
		if !slow && firstSuccess(c.validAttempts(of.Ref())) != nil && !c.Plays(of.Ref(), Echo) {
			c.oneTogether(ctx, of)
			break
		}
	}
	return nil
}

// oneTogether invokes one capability by several concurrent callers.
func (c concurrency) oneTogether(ctx context.Context, of *Capability) {
	tried := c.validAttempts(of.Ref())
	slices.Reverse(tried) // the last inputs have the most members
	success := firstSuccess(tried)
	all := c.distinguished(of, []instance.Sample{{Text: success.Input}}, callersPerCapability+2)
	if all == nil || c.given(of.Ref()) != nil {
		c.invokeAll(ctx, slices.Repeat([]invocation{c.invocationOf(success)}, callersPerCapability))
		return
	}
	for _, i := range all[callersPerCapability:] {
		c.invoke(ctx, i.with(history.AboutStep, history.StepControl))
	}
	c.invokeAll(ctx, all[:callersPerCapability])
}

// distinguished returns invocations with different texts, nil if no valid input takes such a text.
func (c concurrency) distinguished(of *Capability, valid []instance.Sample, n int) []invocation {
	var all []invocation
	for caller := range n {
		number := strconv.Itoa(caller)
		input, found := echoInput(of, valid, history.CallerText(number))
		if !found {
			return nil
		}
		all = append(all, invocation{asked: of.Ref(), input: input}.with(history.AboutNumber, number))
	}
	return all
}

// invokeAll makes invocations concurrently.
func (c concurrency) invokeAll(ctx context.Context, all []invocation) {
	var wg sync.WaitGroup
	for _, i := range all {
		wg.Go(func() { c.invoke(ctx, i) })
	}
	wg.Wait()
}

// echoInput puts a text into the first member of a valid input that permits any text.
func echoInput(of *Capability, valid []instance.Sample, text string) (json.RawMessage, bool) {
	for _, input := range valid {
		var members map[string]any
		if json.Unmarshal(input.Text, &members) != nil {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(members)) {
			was, isText := members[name].(string)
			if !isText {
				continue
			}
			members[name] = text
			made := jsonvalue.Encode(members)
			if of.Input() == nil || of.Input().Validate(history.Value(made)) == nil {
				return made, true
			}
			members[name] = was
		}
	}
	return nil, false
}
