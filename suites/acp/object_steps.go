package acpsuite

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/driver"
)

// seen looks for an object of the scenario by its id.
func (w *world) seen(ctx context.Context, o object) (findings, []object, error) {
	found := w.sought(ctx, w.conversation, w.it, object{memberID: o[memberID]})
	return found, found.About(idOf(o)), found.err
}

// objectFound is ACP-ABS-03, and ACP-EXEC-08 after a restart.
func (w *world) objectFound(ctx context.Context) error {
	found, about, err := w.seen(ctx, w.objects[0])
	if err != nil {
		return err
	}
	if len(about) == 0 {
		w.cite(found.requests...)
		return suites.Violated("an object that was created is not found", suites.Print(w.objects[0]), found.Print())
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
	return suites.Violated(message, suites.Print(want), found.Print())
}

// contains tells whether an object has the members of another, and none that stands
// there as nil. What a runtime adds beside them is its own.
func contains(o, want object) bool {
	for name, value := range want {
		if !suites.EqualJSON(history.Made(value), o[name]) {
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
			return suites.Violated("an object that breaks the schema is stored", "an error for the model, and nothing stored of "+suites.Print(o), found.Print())
		}
		if told := w.turns[i].read(); told.Outcome() == history.Success {
			if alike, err := w.likeFault(ctx, told); alike || err != nil {
				return err
			}
			w.cite(w.turns[i].requests...)
			return suites.Violated("the model is told a success for an object that breaks the schema", "an error for "+suites.Print(o), told.Print())
		}
	}
	return nil
}

func (w *world) nothingUnder(ctx context.Context) error {
	return w.notUnderForeign(ctx, w.strays[0], "an object is stored under a schema URI that no package owns")
}

// notUnderForeign looks for an object under a schema URI that is no package's.
func (w *world) notUnderForeign(ctx context.Context, o object, breach string) error {
	found := w.retrieve(ctx, w.conversation, w.it, object{"schema_uri": w.foreignURI(), "query": object{memberID: o[memberID]}})
	if found.err != nil {
		return found.err
	}
	if len(found.About(idOf(o))) > 0 {
		w.cite(found.requests...)
		return suites.Violated(breach, "nothing", found.Print())
	}
	return nil
}

func (w *world) bindingUnused() error {
	if calls := w.at("bound-" + w.it.Mark); len(calls) > 0 {
		w.citeCalls(calls...)
		return suites.Violated("a built-in tool is executed by a binding", "an execution by the runtime itself", calls[0].Method+" at the address that the package binds built-in tools to")
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
	if err := w.beforeRestart(ctx); err != nil {
		return err
	}
	if err := w.sc.Restart(ctx); err != nil {
		return err
	}
	if _, err := w.configure(ctx, nil); err != nil {
		return err
	}
	// What is installed need not outlive a restart.
	if t := w.askFor(ctx, newConversation(), w.it, environment.Script{}); !w.reached(t, w.it) {
		answer, err := w.install(ctx, w.it.ID, w.it.CID)
		if err != nil {
			return err
		}
		if answer.Outcome != driver.Returned {
			return suites.Undecided("the package is not installed after the restart: %s", suites.Received(answer, nil))
		}
	}
	return nil
}

// beforeRestart changes one object and deletes another. What of it does not work even
// before the restart is not looked at behind it.
func (w *world) beforeRestart(ctx context.Context) error {
	changed, gone := sampleObject("early"), sampleObject("gone")
	for _, o := range []object{changed, gone} {
		if err := w.create(ctx, w.conversation, w.it, o).ended(); err != nil {
			return err
		}
	}
	patch := []any{object{"op": "replace", "path": "/" + memberTitle, "value": "late"}}
	for _, t := range []turn{w.update(ctx, w.conversation, w.it, idOf(changed), patch), w.remove(ctx, w.conversation, w.it, idOf(gone))} {
		if err := t.ended(); err != nil {
			return err
		}
	}
	if _, about, err := w.seen(ctx, w.objects[0]); err != nil || len(about) == 0 {
		return suites.Undecided("an object is gone when another one is deleted: see ACP-STATE-06")
	}
	changed[memberTitle] = "late"
	_, about, err := w.seen(ctx, changed)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(about, func(o object) bool { return o[memberTitle] == "late" }) {
		w.objects = append(w.objects, changed)
	}
	_, about, err = w.seen(ctx, gone)
	if err == nil && len(about) == 0 {
		w.strays = append(w.strays, gone)
	}
	return err
}

// asBeforeRestart looks at what was changed and deleted.
func (w *world) asBeforeRestart(ctx context.Context) error {
	for _, o := range w.objects[1:] {
		if err := w.holds(ctx, object{memberID: o[memberID], memberTitle: o[memberTitle]}, "an object is not what it was before the restart"); err != nil {
			return err
		}
	}
	return w.noStray(ctx, "an object that was deleted is back after a restart")
}
