package act

import (
	"context"
	"slices"
	"strconv"
	"sync"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// bench is the part of an agent on which one stimulus works: it registers copies and invokes them.
type bench struct{ registrar }

func newBench(c *Caller, l *suites.Laboratory) bench {
	return bench{registrar{&laboratory{Caller: c, lab: l}}}
}

// template returns the capability that ran and its entry, or an error if none ran.
func (b bench) template() (*history.Template, *history.Item, error) {
	t := b.History.Template()
	if t == nil {
		return nil, nil, verdict.Undecided("no capability returned an output")
	}
	return t, b.find(t.ID), nil
}

// echo returns the template if it has the role echo.
func (b bench) echo() (*history.Template, *history.Item, error) {
	t, of, err := b.template()
	if err != nil {
		return nil, nil, err
	}
	p, assigned := b.Players["echo"]
	if !assigned || p.Capability.ID != t.ID || t.Mode != "direct" || t.Mark == "" {
		return nil, nil, verdict.Undecided("no capability has the role echo, runs in the mode direct and accepts a string")
	}
	return t, of, nil
}

// invocationOf returns a call of a copy with the input of the template.
func (b bench) invocationOf(c *history.Item, mode string, held ...string) invocation {
	return invocation{id: c.ID, mode: mode, held: held, input: b.History.Template().Input}
}

// onChannels returns a call through each channel of the agent.
func (b bench) onChannels(u invocation) []invocation {
	var all []invocation
	for _, channel := range history.ChannelsOf(b.History.Manifest()) {
		u.channel = channel.ID
		all = append(all, u)
	}
	return all
}

// asDeclared returns calls of a copy through each channel, each in a mode that the channel declares.
func (b bench) asDeclared(ctx context.Context, c *history.Item) []invocation {
	var all []invocation
	for _, u := range b.onChannels(b.invocationOf(c, "", c.Required()...)) {
		declared := jsonvalue.Texts(history.Member(b.declare(ctx, u.channel).Value, "modes"))
		if at := slices.IndexFunc(c.Modes(), func(mode string) bool { return slices.Contains(declared, mode) }); at >= 0 {
			u.mode = c.Modes()[at]
			all = append(all, u)
		}
	}
	return all
}

// known returns the permissions that entries of the registry require.
func (b bench) known() []string {
	var all []string
	for _, c := range b.Entries {
		all = append(all, c.Required()...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// all makes calls, and then reads the log of executions.
func (b bench) all(ctx context.Context, calls ...invocation) {
	for _, u := range calls {
		b.invoke(ctx, u)
	}
	b.log(ctx)
}

// concurrently makes calls at the same time.
func (b bench) concurrently(ctx context.Context, calls ...invocation) {
	var wg sync.WaitGroup
	for _, u := range calls {
		wg.Go(func() { b.invoke(ctx, u) })
	}
	wg.Wait()
}

// accepted makes a call that the agent should accept. If the call is refused, it is repeated beside a control,
// because a capability may fail occasionally.
func (b bench) accepted(ctx context.Context, u, control invocation) *history.Call {
	first := b.invoke(ctx, u)
	if !first.Refused() {
		return first
	}
	confirm := func(n int, part string, one invocation) *history.Call {
		about := map[string]string{history.AboutConfirmation: strconv.Itoa(n), history.AboutPart: part}
		op := driver.Operation{Name: history.OpInvoke, Params: jsonvalue.Encode(paramsOf(one))}
		links := []record.Link{{Relation: record.Confirms, To: first.Entry}}
		entry, _, err := b.lab.Do(ctx, suites.Call{About: about, Links: links, Operation: op})
		if c := b.History.At(entry.Begun); c != nil {
			return c
		}
		return &history.Call{Observed: reading.Observed{Lost: err}}
	}
	for n := range history.MaxConfirmations {
		for range n % 2 {
			b.readRegistry(ctx)
		}
		parts := []string{history.PartRefused, history.PartControl}
		if n%2 == 0 {
			slices.Reverse(parts)
		}
		for _, part := range parts {
			if part == history.PartRefused && !confirm(n, part, u).Refused() ||
				part == history.PartControl && !confirm(n, part, control).Accepted() {
				return first
			}
		}
	}
	return first
}

// audit reads the records until a copy has the wanted number of them, but at least one for each of its calls that ran,
// and they show the marks of logged values, for at most the time of pauses: a record may be written after the answer.
func (b bench) audit(ctx context.Context, c *history.Item, wanted int, marks ...string) (found int) {
	if _, copied := b.origins[c.ID]; copied {
		wanted = max(wanted, b.ranOf(c))
	}
	eventually(ctx, func() bool {
		records := b.call(ctx, history.OpAudit, object{})
		found = records.Runs(c.ID)
		return !records.Accepted() || found >= wanted && showsLogged(records, c, marks)
	})
	return found
}

// ranOf returns how many calls of a copy ran and must be logged: none if its descriptor says otherwise.
func (b bench) ranOf(c *history.Item) int {
	ran := 0
	for _, i := range b.History.Invocations() {
		if i.ID == c.ID && i.Accepted() && history.Flag(c.Members, "audit.log_invocation", true) {
			ran++
		}
	}
	return ran
}

// recordsBefore reads the records once before a call. Records of earlier calls may be missing in it.
func (b bench) recordsBefore(ctx context.Context) *history.Call {
	defer func(about map[string]string) { b.about = about }(b.about)
	b.step(history.StepBefore)
	return b.call(ctx, history.OpAudit, object{})
}

// showsLogged reports whether the records of a copy contain the marks wherever its descriptor demands it.
func showsLogged(records *history.Call, c *history.Item, marks []string) bool {
	inputs := history.Flag(c.Members, "audit.log_inputs", false)
	outputs := history.Flag(c.Members, "audit.log_outputs", false)
	if inputs && outputs {
		return records.Mentions(c.ID, "input", marks) && records.Mentions(c.ID, "output", marks)
	}
	return !inputs && !outputs || records.Mentions(c.ID, "", marks)
}

// hookedIn registers a copy that has another capability as a hook, and calls the copy. The caller may run the copy
// but not the hook. The registry may refuse the copy.
func (b bench) hookedIn(ctx context.Context, of, hook *history.Item) {
	if !b.logged() {
		return
	}
	main, err := b.register(ctx, of, hookedBy(hook.ID))
	if err == nil {
		b.all(ctx, b.invocationOf(main, b.History.Template().Mode, main.Required()...))
	}
}

// hookedBy returns an edit that gives a copy a hook before and after its invocations.
func hookedBy(id string) func(object) {
	return func(d object) {
		history.Set(d, "lifecycle.hooks.pre_invoke", toAnys(id))
		history.Set(d, "lifecycle.hooks.post_invoke", toAnys(id))
	}
}

// marked returns an input with a unique text in its first text member, and this text.
func marked(input any) (any, string) {
	mark := "capconform-" + uuid.NewString()[:8]
	members, _ := input.(object)
	made := history.Deep(members)
	made[history.TextMember(input)] = mark
	return made, mark
}

// unknownID returns an id that no capability has.
func unknownID() string { return "conformance.none." + uuid.NewString()[:8] }
