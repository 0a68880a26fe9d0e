package act

import (
	"context"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/verdict"
)

// creations examine how meta-capabilities and language models create and change entries.
type creations struct{ bench }

// makesByMeta, enablesByMeta and bindsByMeta invoke one meta-capability on a copy.
func (b creations) makesByMeta(ctx context.Context) error   { return b.byMeta(ctx, "create") }
func (b creations) enablesByMeta(ctx context.Context) error { return b.byMeta(ctx, "enable") }

func (b creations) bindsByMeta(ctx context.Context) error { return b.byMeta(ctx, "bind") }

// byMeta invokes a meta-capability on a copy. If the agent can be configured, the suite simulates its language model
// during this call.
func (b creations) byMeta(ctx context.Context, name string) error {
	if err := b.needEntries(); err != nil {
		return err
	}
	c := b.History.Meta(name)
	if c == nil || len(c.Modes()) == 0 {
		return nil // the registry is judged for its absence
	}
	if why := b.Gate.ReasonAgainst(c.ID, ""); why != "" {
		return live.NotInvoked(c.ID, why)
	}
	run, _, err := b.playModel(ctx)
	if err != nil {
		return err
	}
	defer b.endModel(ctx, run)
	t, of := b.History.Template(), b.first()
	if t != nil {
		of = b.find(t.ID)
	}
	copied := b.forMeta(name, of)
	input := object{"descriptor": copied.Members}
	if name != "create" {
		input = object{"capability_id": copied.ID}
		if err := b.existing(ctx, copied); err != nil {
			return err
		}
	}
	if name == "bind" {
		input["command_alias"] = "capconform-alias"
	}
	b.get(ctx, copied.ID)
	b.get(ctx, copied.ID) // a member that changes with each reading proves nothing
	by := invocation{id: c.ID, mode: modeOf(c), held: c.Required(), input: input}
	before := b.recordsBefore(ctx)
	first := b.invoke(ctx, by)
	if !first.Accepted() {
		return verdict.Undecided("%s refuses the input of the suite: %s", c.ID, first.Got())
	}
	b.recorded(ctx, c, before)
	b.readCopy(ctx, copied)
	switch name {
	case "enable":
		b.enablesOne(ctx, by)
	case "create":
		b.switchOn(ctx, copied, &history.Call{})
	}
	if name != "bind" && t != nil {
		mode := t.Mode
		if name == "enable" {
			mode = copied.Modes()[0]
		}
		b.accepted(ctx, b.invocationOf(copied, mode, copied.Required()...), b.invocationOf(of, mode, of.Required()...))
	}
	return nil
}

// forMeta makes a copy for a meta-capability. A copy that is to be enabled has one mode, so that an added mode is
// detected.
func (b creations) forMeta(name string, of *history.Item) *history.Item {
	modes := of.Modes()
	if t := b.History.Template(); t != nil {
		modes = t.Modes
	}
	made := b.copyOf(of, func(d object) {
		if name == "enable" && len(modes) > 0 {
			history.Set(d, "invocation.modes", toAnys(modes[len(modes)-1]))
		}
		history.Set(d, "status.enabled", name != "enable")
		history.Set(d, "permissions.required", append(toAnys(of.Required()...), history.FirstPermission))
	})
	return &history.Item{ID: history.Text(made, "capability_id"), Members: made}
}

// enablesOne registers two disabled copies, enables one of them, and reads the other one.
func (b creations) enablesOne(ctx context.Context, by invocation) {
	var others []*history.Item
	for range 2 {
		c, err := b.register(ctx, b.first(), func(d object) { history.Set(d, "status.enabled", false) })
		if err != nil {
			return
		}
		others = append(others, c)
	}
	b.get(ctx, others[1].ID)
	by.input = object{"capability_id": others[0].ID}
	b.invoke(ctx, by)
	b.get(ctx, others[1].ID)
	b.invoke(ctx, by) // it is enabled already
	b.get(ctx, others[0].ID)
}

// existing registers a descriptor that was already made.
func (b creations) existing(ctx context.Context, c *history.Item) error {
	created := b.call(ctx, history.OpCreate, object{"descriptor": c.Members})
	if err := creationError(c, created); err != nil {
		return err
	}
	b.switchOn(ctx, c, created)
	return nil
}

// playModel simulates a language model for the agent, and reports whether the agent can be configured to use it. The
// requests to the model become entries.
func (b creations) playModel(ctx context.Context) (run *environment.Run, configured bool, err error) {
	if run, err = b.Models.Open(); err != nil {
		return nil, false, err
	}
	run.Record(b.Gate)
	return run, b.call(ctx, history.OpConfigure, object{"llm": run.Configuration().LLM}).Accepted(), nil
}

// endModel removes the model from the configuration.
func (b creations) endModel(ctx context.Context, run *environment.Run) {
	b.call(ctx, history.OpConfigure, object{"llm": nil})
	_ = run.Close() // no further request follows
}

func (b creations) composites(ctx context.Context) error { return b.withModel(ctx, "composite") }
func (b creations) proxies(ctx context.Context) error    { return b.withModel(ctx, "proxy") }

// withModel creates descriptors of a kind in every way: with a model, with a model that fails, and without a model.
func (b creations) withModel(ctx context.Context, kind string) error {
	if err := b.needEntries(); err != nil {
		return err
	}
	if b.Subject.Invoke == live.InvokeNone {
		return verdict.Undecided("nothing is registered with --invoke none")
	}
	run, configured, err := b.playModel(ctx)
	if err != nil {
		return err
	}
	defer b.endModel(ctx, run)
	if !configured && !b.call(ctx, history.OpCalls, object{}).Accepted() {
		return verdict.MissingInstrument("acd", history.OpConfigure)
	}
	b.createEach(ctx, kind, history.StepModel, !configured)
	if !configured {
		return nil
	}
	run.Model.Fail()
	b.createEach(ctx, kind, history.StepFails, false)
	b.call(ctx, history.OpConfigure, object{"llm": nil})
	b.createEach(ctx, kind, history.StepNoModel, false)
	b.createDisabled(ctx, kind)
	b.registerAgain(ctx, kind)
	if c, err := b.register(ctx, b.first(), nil); err == nil {
		c.Members["kind"] = kind
		b.change(ctx, c)
		b.step(history.StepUpdate)
		b.get(ctx, c.ID)
		b.about = nil
	}
	return nil
}

// createEach creates one descriptor of a kind in each way, and reads it. If counts is true, it reads the number of
// calls of the model before and after.
func (b creations) createEach(ctx context.Context, kind, step string, counts bool) {
	count := func() {
		if counts {
			b.call(ctx, history.OpCalls, object{})
		}
	}
	// The first two ways are the registry's own: a plain descriptor, and an internal one with dependencies, whose
	// substrate is llm if it is a composite. A proxy keeps the substrate of its original there.
	for at, by := range []*history.Item{nil, nil, b.meta("create"), b.find("cap.subagent.create")} {
		if by != nil && !b.isUsable(by) {
			continue
		}
		made := b.copyOf(b.first(), ofKind(kind))
		if at == 1 {
			history.Set(made, "dependencies.capabilities", toAnys(b.first().ID))
			history.Set(made, "exposure.scope", "internal")
			history.Set(made, "execution.substrate", history.Substrate(b.first().Members))
			if kind == "composite" {
				history.Set(made, "execution.substrate", "llm")
			}
		}
		count()
		if by == nil {
			b.call(ctx, history.OpCreate, object{"descriptor": made})
		} else {
			b.invoke(ctx, invocation{id: by.ID, mode: modeOf(by), held: by.Required(), input: object{"descriptor": made}})
		}
		count()
		b.step(step)
		b.get(ctx, history.Text(made, "capability_id"))
		b.about = nil
	}
}

// ofKind returns an edit that sets the kind, and for a proxy the substrate agent.
func ofKind(kind string) func(object) {
	return func(d object) {
		history.Set(d, "kind", kind)
		if kind == "proxy" {
			history.Set(d, "execution.substrate", "agent")
		}
	}
}

// createDisabled creates a disabled descriptor of a kind without a model.
func (b creations) createDisabled(ctx context.Context, kind string) {
	made := b.copyOf(b.first(), func(d object) {
		ofKind(kind)(d)
		history.Set(d, "status.enabled", false)
	})
	b.call(ctx, history.OpCreate, object{"descriptor": made})
	b.step(history.StepNoModel)
	b.get(ctx, history.Text(made, "capability_id"))
	b.about = nil
}

// registerAgain registers a copy, and registers it again with another kind, without a model.
func (b creations) registerAgain(ctx context.Context, kind string) {
	c, err := b.register(ctx, b.first(), nil)
	if err != nil {
		return
	}
	again := history.Deep(c.Members)
	ofKind(kind)(again)
	b.call(ctx, history.OpCreate, object{"descriptor": again})
	b.step(history.StepNoModel)
	b.get(ctx, c.ID)
	b.about = nil
}
