package act

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/acp/environment"
)

// makesByMeta, enablesByMeta and bindsByMeta let a meta-capability do what it is for, on copies.
func (b *bench) makesByMeta(ctx context.Context) error   { return b.byMeta(ctx, "create") }
func (b *bench) enablesByMeta(ctx context.Context) error { return b.byMeta(ctx, "enable") }
func (b *bench) bindsByMeta(ctx context.Context) error   { return b.byMeta(ctx, "bind") }

// byMeta plays the language model meanwhile, where the subject can be told of it.
func (b *bench) byMeta(ctx context.Context, name string) error {
	if err := b.needEntries(); err != nil {
		return err
	}
	c := b.History.Meta(name)
	if c == nil || len(c.Modes()) == 0 {
		return nil // the registry says so
	}
	if why := b.Gate.Against(c.ID, ""); why != "" {
		return suites.NotInvoked(c.ID, why)
	}
	run, err := b.Models.Open()
	if err != nil {
		return err
	}
	defer b.endModel(ctx, run)
	b.call(ctx, history.OpConfigure, object{"llm": run.Configuration().LLM})
	made := b.copyOf(b.first(), func(d object) {
		history.Put(d, "status.enabled", name != "enable")
		history.Put(d, "permissions.required", append(anys(b.first().Required()...), history.FirstPermission))
	})
	copied := &history.Item{ID: history.Text(made, "capability_id"), Members: made}
	input := object{"descriptor": made}
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
	b.get(ctx, copied.ID) // what changes whenever it is read shows nothing
	by := use{id: c.ID, mode: modeOf(c), held: c.Required(), input: input}
	first := b.invoke(ctx, by)
	if !first.Accepted() {
		return suites.Undecided("%s does not take our input: %s", c.ID, first.Got)
	}
	b.reads(ctx, copied)
	switch name {
	case "enable":
		b.enablesOne(ctx, by)
	case "create":
		b.switchOn(ctx, copied, &history.Call{})
	}
	if t := b.History.Template(); name != "bind" && t != nil && t.ID == b.first().ID { // of others it is not known with what they run
		of := b.find(t.ID)
		b.accepted(ctx, b.calling(copied, t.Mode, copied.Required()...), b.calling(of, t.Mode, of.Required()...))
	}
	return nil
}

// enablesOne enables one of two copies that are disabled, and reads the other one.
func (b *bench) enablesOne(ctx context.Context, by use) {
	var others []*history.Item
	for range 2 {
		c, err := b.register(ctx, b.first(), func(d object) { history.Put(d, "status.enabled", false) })
		if err != nil {
			return
		}
		others = append(others, c)
	}
	b.get(ctx, others[1].ID)
	by.input = object{"capability_id": others[0].ID}
	b.invoke(ctx, by)
	b.get(ctx, others[1].ID)
}

// existing registers a descriptor that was made already.
func (b *bench) existing(ctx context.Context, c *history.Item) error {
	created := b.call(ctx, history.OpCreate, object{"descriptor": c.Members})
	if err := taken(c, created); err != nil {
		return err
	}
	b.switchOn(ctx, c, created)
	return nil
}

// endModel takes the model away.
func (b *bench) endModel(ctx context.Context, run *environment.Run) {
	b.call(ctx, history.OpConfigure, object{"llm": nil})
	_ = run.Close() // nobody asks it any more
}

func (b *bench) composites(ctx context.Context) error { return b.withModel(ctx, "composite") }
func (b *bench) proxies(ctx context.Context) error    { return b.withModel(ctx, "proxy") }

// withModel creates descriptors of a kind in every way: with a model, with one that fails, and
// without one.
func (b *bench) withModel(ctx context.Context, kind string) error {
	if err := b.needEntries(); err != nil {
		return err
	}
	if b.Subject.Invoke == suites.InvokeNone {
		return suites.Undecided("nothing is registered with --invoke none")
	}
	run, err := b.Models.Open()
	if err != nil {
		return err
	}
	defer b.endModel(ctx, run)
	configured := b.call(ctx, history.OpConfigure, object{"llm": run.Configuration().LLM}).Accepted()
	asked := func() int { return len(run.Model.Requests("")) }
	if !configured {
		if !b.call(ctx, history.OpCalls, object{}).Accepted() {
			return suites.MissingInstrument("acd", history.OpConfigure)
		}
		asked = func() int { return history.Number(b.call(ctx, history.OpCalls, object{}).Value, "calls") }
	}
	b.createEach(ctx, kind, history.StepModel, asked)
	if !configured {
		return nil
	}
	run.Model.Fail()
	b.createEach(ctx, kind, history.StepFails, asked)
	b.call(ctx, history.OpConfigure, object{"llm": nil})
	b.createEach(ctx, kind, history.StepNoModel, asked)
	if c, err := b.register(ctx, b.first(), nil); err == nil {
		c.Members["kind"] = kind
		b.change(ctx, c)
		b.step(history.StepUpdate)
		b.get(ctx, c.ID)
		b.about = nil
	}
	return nil
}

// createEach creates one of a kind in each way, and reads it. The reading says whether the
// model was asked meanwhile.
func (b *bench) createEach(ctx context.Context, kind, step string, asked func() int) {
	for _, by := range []*history.Item{nil, b.meta("create"), b.find("cap.subagent.create")} {
		if by != nil && !b.usable(by) || by == nil && step == "" {
			continue
		}
		made := b.copyOf(b.first(), func(d object) {
			history.Put(d, "kind", kind)
			if kind == "proxy" {
				history.Put(d, "execution.substrate", "agent")
			}
		})
		before := asked()
		if by == nil {
			b.call(ctx, history.OpCreate, object{"descriptor": made})
		} else {
			b.invoke(ctx, use{id: by.ID, mode: modeOf(by), held: by.Required(), input: object{"descriptor": made}})
		}
		b.about = map[string]string{history.AboutStep: step, history.AboutAsked: history.Unasked}
		if asked() != before {
			b.about[history.AboutAsked] = history.Asked
		}
		b.get(ctx, history.Text(made, "capability_id"))
		b.about = nil
	}
}
