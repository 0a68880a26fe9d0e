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

// bench is where one stimulus works: it registers copies and lets them run.
type bench struct{ registrar }

func newBench(c *Caller, l *suites.Laboratory) bench {
	return bench{registrar{&laboratory{Caller: c, lab: l}}}
}

// template returns what ran, or why nothing did.
func (b bench) template() (*history.Template, *history.Item, error) {
	t := b.History.Template()
	if t == nil {
		return nil, nil, verdict.Undecided("no capability returned an output")
	}
	return t, b.find(t.ID), nil
}

// echo returns the capability with the role echo, if it is the template.
func (b bench) echo() (*history.Template, *history.Item, error) {
	t, of, err := b.template()
	if err != nil {
		return nil, nil, err
	}
	p, cast := b.Players["echo"]
	if !cast || p.Capability.ID != t.ID || t.Mode != "direct" || t.Mark == "" {
		return nil, nil, verdict.Undecided("no capability has the role echo, runs in the mode direct and takes a string")
	}
	return t, of, nil
}

// calling is a call of a copy with the input of the template.
func (b bench) calling(c *history.Item, mode string, held ...string) use {
	return use{id: c.ID, mode: mode, held: held, input: b.History.Template().Input}
}

// onChannels is a call through each channel of the agent.
func (b bench) onChannels(u use) []use {
	var all []use
	for _, channel := range history.ChannelsOf(b.History.Manifest()) {
		u.channel = channel.ID
		all = append(all, u)
	}
	return all
}

// asDeclared are calls of a copy through each channel in a mode that the channel declares.
func (b bench) asDeclared(ctx context.Context, c *history.Item) []use {
	var all []use
	for _, u := range b.onChannels(b.calling(c, "", c.Required()...)) {
		declared := jsonvalue.Texts(history.Member(b.declare(ctx, u.channel).Value, "modes"))
		if at := slices.IndexFunc(c.Modes(), func(mode string) bool { return slices.Contains(declared, mode) }); at >= 0 {
			u.mode = c.Modes()[at]
			all = append(all, u)
		}
	}
	return all
}

// known are the permissions that entries of the registry require.
func (b bench) known() []string {
	var all []string
	for _, c := range b.Entries {
		all = append(all, c.Required()...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// all makes calls, and reads the log of executions then.
func (b bench) all(ctx context.Context, calls ...use) {
	for _, u := range calls {
		b.invoke(ctx, u)
	}
	b.log(ctx)
}

// concurrently makes calls at the same time.
func (b bench) concurrently(ctx context.Context, calls ...use) {
	var wg sync.WaitGroup
	for _, u := range calls {
		wg.Go(func() { b.invoke(ctx, u) })
	}
	wg.Wait()
}

// accepted makes a call that should be accepted. If it is refused, it is made again and
// again beside a control: what runs may fail now and then.
func (b bench) accepted(ctx context.Context, u, control use) *history.Call {
	first := b.invoke(ctx, u)
	if !first.Refused() {
		return first
	}
	confirm := func(n int, part string, one use) *history.Call {
		about := map[string]string{history.AboutConfirmation: strconv.Itoa(n), history.AboutPart: part}
		op := driver.Operation{Name: history.OpInvoke, Params: jsonvalue.Encode(paramsOf(one))}
		links := []record.Link{{Relation: record.Confirms, To: first.Entry}}
		entry, _, err := b.lab.Do(ctx, suites.Call{About: about, Links: links, Operation: op})
		if c := b.History.At(entry.Begun); c != nil {
			return c
		}
		return &history.Call{Observed: reading.Observed{Lost: err}}
	}
	for n := range history.ConfirmationsAtMost {
		for range n % 2 {
			b.whole(ctx)
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

// audit reads the records until a copy has so many of them, or for a while: they may be
// written a moment after the answer.
func (b bench) audit(ctx context.Context, c *history.Item, wanted int) (found int) {
	soon(ctx, func() bool {
		records := b.call(ctx, history.OpAudit, object{})
		found = records.Runs(c.ID)
		return !records.Accepted() || found >= wanted
	})
	return found
}

// hookedIn hooks a capability that a caller may not run into a copy that the caller may, and
// calls that one. That the registry does not take it shows nothing.
func (b bench) hookedIn(ctx context.Context, of, hook *history.Item) {
	if !b.logged() {
		return
	}
	main, err := b.register(ctx, of, func(d object) { history.Put(d, "lifecycle.hooks.pre_invoke", anys(hook.ID)) })
	if err == nil {
		b.all(ctx, b.calling(main, b.History.Template().Mode, main.Required()...))
	}
}

// marked puts a text that stands in no other place into an input that takes one.
func marked(input any) (any, string) {
	mark := "capconform-" + uuid.NewString()[:8]
	members, _ := input.(object)
	made := history.Deep(members)
	made[history.TextMember(input)] = mark
	return made, mark
}

// noneID makes an unknown id.
func noneID() string { return "conformance.none." + uuid.NewString()[:8] }
