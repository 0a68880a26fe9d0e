package acpsuite

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
)

// privilegeSentences are about verbs that are not declared and scopes that are not
// one's own.
var privilegeSentences = []sentence{
	say(`a package that keeps objects and declares no (deletion|creation|query) is installed`, func(w *world) any { return w.installModestKeeper }),
	say(`a package that keeps objects of its own is installed`, func(w *world) any { return w.installOwnKeeper }),
	say(`the model creates an object and deletes it`, func(w *world) any { return w.createAndDelete }),
	say(`the model creates an object that it may not create`, func(w *world) any { return w.createUndeclared }),
	say(`the model creates an object and looks for it`, func(w *world) any { return w.createAndLook }),
	say(`packages of another memory scope look for it`, func(w *world) any { return w.lookFromElsewhere }),
	say(`packages of another memory scope change it, delete it and create one beside it`, func(w *world) any { return w.reachOver }),
	say(`a package that declares the deletion deletes`, func(w *world) any { return w.keeperDeletes }),
	say(`it is given nothing`, func(w *world) any { return w.nothingGiven }),
	say(`they are given nothing of it`, func(w *world) any { return w.nothingSeen }),
	say(`what (?:they|it) created is not found`, func(w *world) any { return w.strayNotFound }),
}

// installModestKeeper installs a package that has no tool for a verb and does not
// declare it.
func (w *world) installModestKeeper(ctx context.Context, what string) error {
	if err := w.needState(ctx); err != nil {
		return err
	}
	w.it = w.Sample() // creates and queries
	if what != "deletion" {
		w.it.Tools, w.it.Permissions = w.it.Tools[2:], nil
		w.it.Keeps(map[string]string{"creation": toolQuery, "query": toolCreate}[what])
	}
	return w.mounted(ctx, w.it)
}

// createAndDelete calls what the package did not declare: a model makes up calls.
func (w *world) createAndDelete(ctx context.Context) error {
	if err := w.createOne(ctx); err != nil {
		return err
	}
	o := w.objects[0]
	patch := []any{object{"op": "replace", "path": "/" + memberTitle, "value": "changed"}}
	for _, t := range []turn{w.update(ctx, w.conversation, w.it, idOf(o), patch), w.remove(ctx, w.conversation, w.it, idOf(o))} {
		if err := t.ended(); err != nil {
			return err
		}
		if w.Environment.Model.Called(t.mark) == 0 {
			return suites.Undecided("the model could not call a tool that it was not shown: see ACP-EXEC-10")
		}
	}
	return nil
}

// keeperDeletes is the control of createAndDelete.
func (w *world) keeperDeletes(ctx context.Context) error {
	w.it, w.conversation = w.keeper(ctx).specimen, newConversation()
	if err := w.deleteFirst(ctx); err != nil {
		return err
	}
	_, about, err := w.seen(ctx, w.objects[0])
	if err == nil && len(about) > 0 {
		return suites.Undecided("a deletion that is declared does not delete either: see ACP-STATE-06")
	}
	return err
}

// installOwnKeeper installs a package whose schema no other one has yet.
func (w *world) installOwnKeeper(ctx context.Context) error {
	if err := w.needState(ctx); err != nil {
		return err
	}
	w.it = w.Sample()
	return w.mounted(ctx, w.it)
}

// unshown lets the model call a built-in tool that it is not shown.
func (w *world) unshown(ctx context.Context, tool string, arguments object) (turn, error) {
	t := w.order(ctx, w.conversation, w.it, environment.ToolCall{Name: tool, Arguments: arguments, Unshown: true})
	if err := t.ended(); err != nil {
		return t, err
	}
	if w.Environment.Model.Called(t.mark) == 0 {
		return t, suites.Undecided("the model could not call a tool that it was not shown: see ACP-EXEC-10")
	}
	return t, nil
}

func (w *world) createUndeclared(ctx context.Context) error {
	o := sampleObject("undeclared")
	w.strays = []object{o}
	_, err := w.unshown(ctx, toolCreate, object{"schema_uri": w.it.SchemaURI, "object": o})
	return err
}

func (w *world) createAndLook(ctx context.Context) error {
	if err := w.createOne(ctx); err != nil {
		return err
	}
	t, err := w.unshown(ctx, toolQuery, object{"schema_uri": w.it.SchemaURI, "query": object{memberID: w.objects[0][memberID]}})
	w.turns = append(w.turns, t)
	return err
}

func (w *world) nothingGiven() error {
	t := w.last()
	if told := t.read(); len(told.About(idOf(w.objects[0]))) > 0 {
		w.cite(t.requests...)
		return suites.Violated("a package is given an object by a query that it did not declare", "nothing of the object", told.Print())
	}
	return nil
}

func (w *world) strayNotFound(ctx context.Context) error {
	return w.noStray(ctx, "an object is found that the package may not have created, or that another one did")
}

// noStray wants nothing to be found of the objects that must not be there.
func (w *world) noStray(ctx context.Context, broken string) error {
	for _, o := range w.strays {
		found, about, err := w.seen(ctx, o)
		if err != nil {
			return err
		}
		if len(about) > 0 {
			w.cite(found.requests...)
			return suites.Violated(broken, "nothing under its id", found.Print())
		}
	}
	return nil
}

// lookFromElsewhere asks twice: by a package with a schema of its own, and by one
// that has the same schema and another memory scope.
func (w *world) lookFromElsewhere(ctx context.Context) error {
	if err := w.needState(ctx); err != nil {
		return err
	}
	kin := w.Sample()
	kin.SchemaURI = w.it.SchemaURI
	kin.Tools, kin.Permissions = kin.Tools[2:], nil
	kin.Keeps(toolCreate, toolQuery)
	for _, s := range []*specimen{w.Sample(), kin} {
		if err := w.mounted(ctx, s); err != nil {
			if s == kin {
				continue // a runtime may want a schema to be of one package
			}
			return err
		}
		found := w.retrieve(ctx, newConversation(), s, object{"schema_uri": w.it.SchemaURI, "query": object{memberID: w.objects[0][memberID]}})
		if found.err != nil {
			return found.err
		}
		w.turns = append(w.turns, found.turn)
		w.finds = append(w.finds, found.About(idOf(w.objects[0])))
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

// reachOver does to an object what only its own package may do to it.
func (w *world) reachOver(ctx context.Context) error {
	if err := w.needState(ctx); err != nil {
		return err
	}
	mine, uri := w.objects[0], w.it.SchemaURI
	strange, kin := w.Sample(), w.Sample()
	strange.Keeps(toolUpdate, toolDelete)
	kin.SchemaURI = uri
	kin.Tools, kin.Permissions = kin.Tools[2:], nil
	kin.Keeps(toolCreate, toolQuery, toolUpdate, toolDelete)
	patch := []any{object{"op": "replace", "path": "/" + memberTitle, "value": "taken"}}
	for _, s := range []*specimen{strange, kin} {
		if err := w.mounted(ctx, s); err != nil {
			if s == kin {
				continue // a runtime may want a schema to be of one package
			}
			return err
		}
		o, conversation := sampleObject("beside"), newConversation()
		w.strays = append(w.strays, o)
		for _, call := range []environment.ToolCall{
			{Name: toolCreate, Arguments: object{"schema_uri": uri, "object": o}},
			{Name: toolUpdate, Arguments: object{"schema_uri": uri, "id": idOf(mine), "patch": patch}},
			{Name: toolDelete, Arguments: object{"schema_uri": uri, "id": idOf(mine), "mode": "soft"}},
		} {
			if err := w.offeredTool(w.order(ctx, conversation, s, call)); err != nil {
				return err
			}
		}
	}
	return nil
}
