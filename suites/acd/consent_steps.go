package acdsuite

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/acp/environment"
)

// playModel begins to play the language model, where the subject can be told of it.
func (w *world) playModel(ctx context.Context) (*environment.Run, error) {
	run, err := w.kept.models.Open()
	if err != nil {
		return nil, err
	}
	w.call(ctx, opConfigure, object{"llm": run.Configuration().LLM})
	return run, nil
}

// endModel takes the model away.
func (w *world) endModel(ctx context.Context, run *environment.Run) {
	w.call(ctx, opConfigure, object{"llm": nil})
	_ = run.Close() // nobody asks it any more
}

// asking counts how often a model was asked.
type asking func(ctx context.Context) int64

// asking gives the count of the model that the harness plays, where the subject took
// it, and else the subject's own count.
func (w *world) asking(run *environment.Run, configured bool) asking {
	if configured {
		return func(context.Context) int64 { return int64(len(run.Model.Requests(""))) }
	}
	return func(ctx context.Context) int64 {
		calls, _ := number(member(w.call(ctx, opCalls, object{}).value, "calls"))
		return calls
	}
}

// creation is a way to create a descriptor.
type creation struct {
	name   string
	create func(ctx context.Context, descriptor object) answered
}

func (w *world) creations() []creation {
	all := []creation{{opCreate, func(ctx context.Context, d object) answered { return w.call(ctx, opCreate, object{"descriptor": d}) }}}
	for _, c := range []*capability{w.meta("create"), w.find("cap.subagent.create")} {
		if c == nil || !c.enabled() || len(c.modes()) == 0 || w.reasonAgainst(c) != "" {
			continue
		}
		all = append(all, creation{c.id, func(ctx context.Context, d object) answered {
			return w.invoke(ctx, invocation{id: c.id, mode: w.modeOf(c), permissions: c.required(), input: object{"descriptor": d}})
		}})
	}
	return all
}

// modelNeeded creates descriptors of a kind in every way: with a model, with one that
// fails, and without one.
func (w *world) modelNeeded(ctx context.Context, kind string) error {
	if w.subject.Invoke == suites.InvokeNone {
		return suites.Undecided("nothing is registered with --invoke none")
	}
	run, err := w.kept.models.Open()
	if err != nil {
		return err
	}
	defer w.endModel(ctx, run)
	configured := w.call(ctx, opConfigure, object{"llm": run.Configuration().LLM}).accepted()
	if !configured && !w.call(ctx, opCalls, object{}).accepted() {
		return suites.MissingInstrument("acd", opConfigure)
	}
	judged := 0
	for _, c := range w.creations() {
		counted, err := w.createdWithModel(ctx, c, kind, w.asking(run, configured))
		if err != nil {
			return err
		}
		if counted {
			judged++
		}
	}
	if judged == 0 {
		return suites.Undecided("no %s can be created with a language model", kind)
	}
	if !configured { // the subject's own count may say anything
		return suites.MissingInstrument("acd", opConfigure)
	}
	run.Model.Fail()
	if err := w.notCreated(ctx, kind, "although the language model fails"); err != nil {
		return err
	}
	w.call(ctx, opConfigure, object{"llm": nil})
	if err := w.notCreated(ctx, kind, "without a language model"); err != nil {
		return err
	}
	return w.notChanged(ctx, kind)
}

// notCreated wants every way to create one of a kind refused.
func (w *world) notCreated(ctx context.Context, kind, although string) error {
	for _, c := range w.creations() {
		made := w.ofKind(kind)
		c.create(ctx, made)
		if kept, _ := w.get(ctx, text(made, "capability_id")); kept != nil && kept["kind"] == kind {
			return broken("a "+kind+" is created "+although, "an error, and no entry", c.name+" created "+suites.Print(kept))
		}
	}
	return nil
}

// notChanged wants an update refused that makes one of a kind of an atomic capability:
// that creates one, too. That no copy is taken shows nothing.
func (w *world) notChanged(ctx context.Context, kind string) error {
	c, err := w.registerCopy(ctx, w.first(), nil)
	if err != nil {
		return nil //nolint:nilerr // creations were looked at
	}
	c.members["kind"] = kind
	a := w.change(ctx, c)
	if kept, _ := w.get(ctx, c.id); kept != nil && kept["kind"] == kind {
		return broken("an update makes a "+kind+" without a language model", "an error, and the entry as before", a.received())
	}
	return nil
}

// ofKind makes a copy of a kind, to be deleted later.
func (w *world) ofKind(kind string) object {
	made := w.copyOf(w.first(), func(d object) {
		history.Put(d, "kind", kind)
		if kind == "proxy" {
			history.Put(d, "execution.substrate", "agent")
		}
	})
	w.probes = append(w.probes, text(made, "capability_id"))
	return made
}

// createdWithModel creates one where there is a model, which must have been asked.
func (w *world) createdWithModel(ctx context.Context, c creation, kind string, asked asking) (bool, error) {
	before := asked(ctx)
	made := w.ofKind(kind)
	a := c.create(ctx, made)
	kept, _ := w.get(ctx, text(made, "capability_id"))
	if !a.accepted() || kept == nil || kept["kind"] != kind {
		return false, nil
	}
	if asked(ctx) == before {
		return true, broken("a "+kind+" is created without the language model being asked", "a request to the model", c.name+" created "+suites.Print(kept))
	}
	return true, nil
}
