package acpsuite

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/driver"
)

// seen looks for an object of the scenario by its id.
func (w *world) seen(ctx context.Context, o object) (findings, []object, error) {
	found := w.sought(ctx, w.conversation, w.it, object{memberID: o[memberID]})
	return found, found.about(idOf(o)), found.err
}

// objectFound is ACP-ABS-03, and ACP-EXEC-08 after a restart.
func (w *world) objectFound(ctx context.Context) error {
	found, about, err := w.seen(ctx, w.objects[0])
	if err != nil {
		return err
	}
	if len(about) == 0 {
		w.cite(found.requests...)
		return suites.Violated("an object that was created is not found", suites.Print(w.objects[0]), found.print())
	}
	return nil
}

// objectStored wants the object to be there, and to be what it is called.
func (w *world) objectStored(ctx context.Context) error {
	if err := w.needState(ctx); err != nil {
		return err
	}
	o := w.objects[0]
	return w.holds(ctx, object{memberID: o[memberID], memberTitle: o[memberTitle]}, "an object that was created is not stored, or not any more")
}

// objectWhole wants every member. Where no object is found, another requirement
// says so.
func (w *world) objectWhole(ctx context.Context) error {
	if err := w.needState(ctx); err != nil {
		return err
	}
	return w.holds(ctx, w.objects[0], "an object is not stored as it was given")
}

// holds compares an object that is found with the one that is to be there.
func (w *world) holds(ctx context.Context, want object, message string) error {
	found, about, err := w.seen(ctx, want)
	if err != nil {
		return err
	}
	for _, o := range about {
		if contains(o, want) {
			return nil
		}
	}
	w.cite(found.requests...)
	return suites.Violated(message, suites.Print(want), found.print())
}

// contains tells whether an object has the members of another, and none that stands
// there as nil. What a runtime adds beside them is its own.
func contains(o, want object) bool {
	for name, value := range want {
		if !suites.EqualJSON(made(value), o[name]) {
			return false
		}
	}
	return true
}

// soundStored is a positive control.
func (w *world) soundStored(ctx context.Context) error {
	o := sampleObject("sound")
	if err := w.offeredTool(w.create(ctx, w.conversation, w.it, o)); err != nil {
		return err
	}
	_, about, err := w.seen(ctx, o)
	if err == nil && len(about) == 0 {
		return suites.Undecided("a sound object is not stored either, so that it says nothing that the others are not")
	}
	return err
}

func (w *world) noneStored(ctx context.Context) error {
	for i, o := range w.strays {
		found, about, err := w.seen(ctx, o)
		if err != nil {
			return err
		}
		if len(about) > 0 {
			w.cite(found.requests...)
			return suites.Violated("an object that breaks the schema is stored", "an error for the model, and nothing stored of "+suites.Print(o), found.print())
		}
		if told := w.turns[i].read(); told.outcome() == success {
			w.cite(w.turns[i].requests...)
			return suites.Violated("the model is told a success for an object that breaks the schema", "an error for "+suites.Print(o), told.print())
		}
	}
	return nil
}

func (w *world) nothingUnder(ctx context.Context) error {
	o := w.strays[0]
	found := w.retrieve(ctx, w.conversation, w.it, object{"schema_uri": w.foreignURI(), "query": object{memberID: o[memberID]}})
	if found.err != nil {
		return found.err
	}
	if len(found.about(idOf(o))) > 0 {
		w.cite(found.requests...)
		return suites.Violated("an object is stored under a schema URI that no package owns", "nothing", found.print())
	}
	return nil
}

func (w *world) restart(ctx context.Context) error {
	if err := w.needState(ctx); err != nil {
		return err
	}
	if _, about, err := w.seen(ctx, w.objects[0]); err != nil || len(about) == 0 {
		return suites.Undecided("no object that is created is found by its id: see ACP-ABS-03")
	}
	if err := w.sc.Restart(ctx); err != nil {
		return err
	}
	if _, err := w.configure(ctx, nil); err != nil {
		return err
	}
	// What is installed need not outlive a restart.
	if t := w.askFor(ctx, newConversation(), w.it, environment.Script{}); !w.reached(t, w.it) {
		answer, err := w.install(ctx, w.it.ID, w.it.cid)
		if err != nil {
			return err
		}
		if answer.Outcome != driver.Returned {
			return suites.Undecided("the package is not installed after the restart: %s", suites.Received(answer, nil))
		}
	}
	return nil
}

// patchSoundly uses each operation that is asked for.
func (w *world) patchSoundly(ctx context.Context) error {
	return w.patch(ctx, []any{
		object{"op": "test", "path": "/" + memberCount, "value": 7},
		object{"op": "replace", "path": "/" + memberTitle, "value": "changed"},
		object{"op": "add", "path": "/" + memberTags + "/-", "value": "blue"},
		object{"op": "add", "path": "/" + memberCount, "value": 8},
		object{"op": "remove", "path": "/" + memberNote},
	}, func(o object) {
		o[memberTitle], o[memberCount], o[memberNote] = "changed", 8, nil
		o[memberTags] = []any{"red", "green", "blue"}
	})
}

func (w *world) patchInVain(ctx context.Context) error {
	return w.patch(ctx, []any{
		object{"op": "replace", "path": "/" + memberTitle, "value": "changed"},
		object{"op": "test", "path": "/" + memberCount, "value": 6},
		object{"op": "replace", "path": "/" + memberNote, "value": "changed"},
	}, func(object) {})
}

func (w *world) patch(ctx context.Context, patch []any, after func(o object)) error {
	if err := w.needWhole(ctx); err != nil {
		return err
	}
	o := sampleObject("patched")
	if err := w.createAll(ctx, []object{o}); err != nil {
		return err
	}
	if err := w.offeredTool(w.update(ctx, w.conversation, w.it, idOf(o), patch)); err != nil {
		return err
	}
	after(o)
	return nil
}

func (w *world) objectPatched(ctx context.Context) error {
	return w.holds(ctx, w.objects[0], "an object is not what its JSON Patch makes of it")
}

// lookFromElsewhere asks twice: by a package with a schema of its own, and by one
// that has the same schema and another memory scope.
func (w *world) lookFromElsewhere(ctx context.Context) error {
	if err := w.needState(ctx); err != nil {
		return err
	}
	kin := w.specimen()
	kin.schema = w.it.schema
	kin.Tools, kin.Permissions = kin.Tools[2:], nil
	kin.keeps(toolCreate, toolQuery)
	for _, s := range []*specimen{w.specimen(), kin} {
		if err := w.mounted(ctx, s); err != nil {
			if s == kin {
				continue // a runtime may want a schema to be of one package
			}
			return err
		}
		found := w.retrieve(ctx, newConversation(), s, object{"schema_uri": w.it.schema, "query": object{memberID: w.objects[0][memberID]}})
		if found.err != nil {
			return found.err
		}
		w.turns = append(w.turns, found.turn)
		w.finds = append(w.finds, found.about(idOf(w.objects[0])))
	}
	return nil
}

func (w *world) nothingSeen() error {
	seen := w.turns[len(w.turns)-len(w.finds):]
	for i, found := range w.finds {
		if len(found) > 0 {
			w.cite(seen[i].requests...)
			return suites.Violated("a package finds an object of another memory scope", "nothing", suites.Print(found))
		}
	}
	return nil
}

func (w *world) bindingUnused() error {
	if calls := w.env.Tools.Calls("bound-" + w.it.mark); len(calls) > 0 {
		w.citeCalls(calls...)
		return suites.Violated("a built-in tool is executed by a binding", "an execution by the runtime itself", calls[0].Method+" at the address that the package binds to "+toolCreate)
	}
	return nil
}
