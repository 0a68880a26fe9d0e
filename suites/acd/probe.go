package acdsuite

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/driver"
)

// probePrefix begins the ids of the copies that the suite registers.
const probePrefix = "conformance.probe."

// template is a capability that was invoked with success, and from which copies are
// made.
type template struct {
	of    *capability
	input any
	mode  string
	modes []string // in which it ran, mode among them
	why   string   // there is none
}

// trial is an entry that was invoked in each of its modes.
type trial struct {
	of      *capability
	input   any
	answers map[string]answered // by mode
}

func (t trial) ran() bool { return len(t.accepted()) > 0 }

// accepted gives the modes in which it ran, in the order of the text.
func (t trial) accepted() []string {
	var all []string
	for _, mode := range modes {
		if a, asked := t.answers[mode]; asked && a.accepted() {
			all = append(all, mode)
		}
	}
	return all
}

// tried invokes what may be invoked, in every mode that it declares and with all that
// it requires, once a run.
func (w *world) tried(ctx context.Context) []trial {
	return w.done.trials.Get(ctx, func() ([]trial, bool) {
		var all []trial
		for _, c := range w.pool {
			input, makeable := w.input(c)
			if !makeable {
				continue
			}
			t := trial{of: c, input: input, answers: map[string]answered{}}
			for _, mode := range c.modes() {
				t.answers[mode] = w.invoke(ctx, invocation{id: c.id, mode: mode, permissions: c.required(), input: input})
			}
			all = append(all, t)
		}
		return all, ctx.Err() == nil
	})
}

// needTemplate is the positive control of the engine: something that ran. One that
// takes a text is preferred, since that can be looked for in records.
func (w *world) needTemplate(ctx context.Context) error {
	w.template = w.done.template.Get(ctx, func() (template, bool) {
		var plain *template
		for _, t := range w.tried(ctx) {
			if !t.ran() {
				continue
			}
			found := template{of: t.of, input: t.input, modes: t.accepted()}
			found.mode = found.modes[0]
			if _, _, markable := marked(found); markable {
				return found, true
			}
			if plain == nil {
				plain = &found
			}
		}
		if plain != nil {
			return *plain, true
		}
		return template{why: w.whyNothingRan(ctx)}, ctx.Err() == nil
	})
	if w.template.of == nil {
		return &suites.Inconclusive{
			Reason: w.template.why,
			Supply: "name one with an input that works in the target file: roles: {acd: {echo: {capability: ID, input: {...}}}}",
		}
	}
	return nil
}

func (w *world) whyNothingRan(ctx context.Context) string {
	for _, t := range w.tried(ctx) {
		for _, a := range t.answers {
			if !a.served() {
				return a.operation + " is not served"
			}
		}
	}
	if len(w.pool) == 0 {
		return "no registered capability may be invoked"
	}
	return "no capability came back with an output"
}

// copyOf makes a descriptor like another, under an id of its own. The gate takes it for the
// other one, whose code it runs.
func (w *world) copyOf(c *capability, edit func(object)) object {
	made, _ := deep(c.members).(object)
	id := probePrefix + uuid.NewString()[:8]
	made["capability_id"], made["name"] = id, "Probe "+strings.TrimPrefix(id, probePrefix)
	made["description"] = "A copy that capconform has registered and deletes again: " + id + "."
	history.Put(made, "invocation.command_aliases", []any{})
	drop(made, "exposure.channels") // an empty list might mean none
	delete(made, "lifecycle")
	if flag(made, "status.signed", false) {
		history.Put(made, "status.signed", false) // a copy has no signature that holds
	}
	history.Put(made, "kind", "atomic") // others need a language model
	history.Put(made, "status.mutable", true)
	history.Put(made, "status.enabled", flag(made, "status.enabled", true))
	if edit != nil {
		edit(made)
	}
	if edited := text(made, "capability_id"); strings.HasPrefix(edited, probePrefix) {
		w.gate.Copy(edited, c.id)
	}
	return made
}

// register creates a copy of the template. That it is not taken leaves the question
// open, since the text says of no descriptor that it must be taken.
func (w *world) register(ctx context.Context, edit func(object)) (*capability, error) {
	return w.registerCopy(ctx, w.template.of, edit)
}

func (w *world) registerCopy(ctx context.Context, of *capability, edit func(object)) (*capability, error) {
	c, a, err := w.offerCopy(ctx, of, edit)
	if err != nil {
		return nil, err
	}
	if err := taken(of, a); err != nil {
		return nil, err
	}
	w.switchOn(ctx, c, a)
	return c, nil
}

// switchOn enables a copy that was to be enabled and starts disabled, as an agent may
// want it: by capability.enable, or else by an update. The answer to its creation says
// whether it does, or else the registry.
func (w *world) switchOn(ctx context.Context, c *capability, creation answered) {
	kept, _ := creation.value.(object)
	if inner, is := member(kept, "descriptor").(object); is {
		kept = inner
	}
	if text(kept, "capability_id") != c.id {
		kept, _ = w.get(ctx, c.id)
	}
	if kept == nil || !flag(c.members, "status.enabled", false) || flag(kept, "status.enabled", true) {
		return
	}
	if by := w.meta("enable"); by != nil && len(by.modes()) > 0 {
		w.invoke(ctx, invocation{id: by.id, mode: w.modeOf(by), permissions: by.required(), input: object{"capability_id": c.id}})
		if kept, _ := w.get(ctx, c.id); kept != nil && flag(kept, "status.enabled", true) {
			return
		}
	}
	w.change(ctx, c)
}

// offerCopy asks the registry to create a copy.
func (w *world) offerCopy(ctx context.Context, of *capability, edit func(object)) (*capability, answered, error) {
	if w.subject.Invoke == suites.InvokeNone {
		return nil, answered{}, suites.Undecided("nothing is registered with --invoke none")
	}
	made := w.copyOf(of, edit)
	c := &capability{id: text(made, "capability_id"), members: made}
	w.probes = append(w.probes, c.id)
	return c, w.call(ctx, opCreate, object{"descriptor": made}), nil
}

// taken wants the answer to a copy that was offered to be none that refuses it.
func taken(of *capability, a answered) error {
	if err := a.missing(); err != nil {
		return err
	}
	if a.refused() {
		return suites.Undecided("the registry does not take a copy of %s: %s", of.id, a.received())
	}
	return nil
}

// use invokes a copy in a mode, with all that it requires.
func (w *world) use(ctx context.Context, c *capability, mode string, permissions []string) answered {
	return w.invoke(ctx, invocation{id: c.id, mode: mode, permissions: permissions, input: w.template.input})
}

// clean deletes the copies of a step. What can't be deleted stays, and says what it is.
func (w *world) clean(ctx context.Context) {
	for _, id := range slices.Backward(w.probes) {
		// Beside the transcript: what comes of it is nobody's verdict.
		_, _ = w.sc.AskOnce(ctx, driver.Operation{Name: opDelete, Params: suites.Encode(object{"capability_id": id})}, w.subject.Deadlines.Call)
	}
	w.probes = nil
}

// drop takes a member away.
func drop(of object, path string) {
	at := strings.LastIndexByte(path, '.')
	if at < 0 {
		delete(of, path)
		return
	}
	if inner, is := member(of, path[:at]).(object); is {
		delete(inner, path[at+1:])
	}
}

func deep(v any) any {
	switch v := v.(type) {
	case object:
		made := maps.Clone(v)
		for name, value := range made {
			made[name] = deep(value)
		}
		return made
	case []any:
		made := slices.Clone(v)
		for i, item := range made {
			made[i] = deep(item)
		}
		return made
	default:
		return v
	}
}

func anys(all ...string) []any {
	list := make([]any, len(all))
	for i, s := range all {
		list[i] = s
	}
	return list
}
