package acpsuite

import (
	"context"
	"fmt"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/history"
)

// patchSentences are about objects that are changed and deleted.
var patchSentences = []sentence{
	say(`the model changes an object by add, replace, remove and test`, func(w *world) any { return w.patchSoundly }),
	say(`the model changes an object by move and copy`, func(w *world) any { return w.patchByMoves }),
	say(`the model changes an object by a patch whose test fails`, func(w *world) any { return w.patchInVain }),
	say(`the model changes an object by a patch that breaks the schema`, func(w *world) any { return w.patchUnsoundly }),
	say(`the model creates two objects and deletes the first`, func(w *world) any { return w.deleteFirst }),
	say(`the model creates two objects and deletes the first for good`, func(w *world) any { return w.deleteForGood }),
	say(`the object is what the patch makes of it`, func(w *world) any { return w.objectPatched }),
	say(`the object is as it was, if the model is told an error`, func(w *world) any { return w.objectSpared }),
	say(`the objects beside it are as they were`, func(w *world) any { return w.othersUntouched }),
	say(`the first is gone and the second is not`, func(w *world) any { return w.firstGone }),
	say(`the first is gone and the second is not, unless that was refused`, func(w *world) any { return w.firstGoneUnlessRefused }),
}

// patchSoundly uses each operation that is asked for.
func (w *world) patchSoundly(ctx context.Context) error {
	return w.patch(ctx, [][]any{{
		object{"op": "test", "path": "/" + memberCount, "value": 7},
		object{"op": "replace", "path": "/" + memberTitle, "value": "changed"},
		object{"op": "add", "path": "/" + memberTags + "/-", "value": "blue"},
		object{"op": "add", "path": "/" + memberTags + "/0", "value": "white"},
		object{"op": "add", "path": "/" + memberCount, "value": 8},
		object{"op": "add", "path": "/" + memberDetail + "/in~1out", "value": "both"},
		object{"op": "replace", "path": "/" + memberDetail + "/open", "value": true},
		object{"op": "remove", "path": "/" + memberNote},
	}, { // what was changed is changed again
		object{"op": "test", "path": "/" + memberDetail, "value": object{"in/out": "both", "left": 0, "open": true, "label": "a/b ~ \"c\""}},
		object{"op": "remove", "path": "/" + memberTags + "/2"},
		object{"op": "replace", "path": "/" + memberTags + "/0", "value": "black"},
		object{"op": "add", "path": "/" + memberDetail + "/up~0down", "value": "none"},
	}}, func(o object) {
		o[memberTitle], o[memberCount], o[memberNote] = "changed", 8, nil
		o[memberTags] = []any{"black", "red", "blue"}
		o[memberDetail] = object{"label": "a/b ~ \"c\"", "open": true, "left": 0, "in/out": "both", "up~down": "none"}
	})
}

// patchByMoves uses the operations that take a value from another place of the object.
func (w *world) patchByMoves(ctx context.Context) error {
	return w.patch(ctx, [][]any{{
		object{"op": "copy", "from": "/" + memberTitle, "path": "/" + memberNote},
		object{"op": "copy", "from": "/" + memberTags + "/0", "path": "/" + memberTags + "/-"},
	}, {
		object{"op": "move", "from": "/" + memberTags + "/1", "path": "/" + memberTags + "/0"},
		object{"op": "move", "from": "/" + memberDetail + "/left", "path": "/" + memberCount},
	}}, func(o object) {
		o[memberNote], o[memberCount] = o[memberTitle], 0
		o[memberTags] = []any{"green", "red", "red"}
		o[memberDetail] = object{"label": "a/b ~ \"c\"", "open": false}
	})
}

func (w *world) patchInVain(ctx context.Context) error {
	return w.patch(ctx, [][]any{{
		object{"op": "replace", "path": "/" + memberTitle, "value": "changed"},
		object{"op": "test", "path": "/" + memberCount, "value": 6},
		object{"op": "replace", "path": "/" + memberNote, "value": "changed"},
	}, {
		object{"op": "test", "path": "/" + memberDetail, "value": object{"label": "another", "open": false, "left": 0}},
		object{"op": "replace", "path": "/" + memberTitle, "value": "changed"},
	}}, func(object) {})
}

func (w *world) patchUnsoundly(ctx context.Context) error {
	return w.patch(ctx, [][]any{{
		object{"op": "replace", "path": "/" + memberTitle, "value": "changed"},
		object{"op": "replace", "path": "/" + memberCount, "value": "many"},
	}}, func(object) {})
}

// patch changes an object that lies between two others.
func (w *world) patch(ctx context.Context, patches [][]any, after func(o object)) error {
	if err := w.needWhole(ctx); err != nil {
		return err
	}
	o, earlier, later := sampleObject("patched"), sampleObject("earlier"), sampleObject("later")
	if err := w.createAll(ctx, []object{earlier, o, later}); err != nil {
		return err
	}
	w.objects = []object{o, earlier, later}
	for _, patch := range patches {
		if err := w.calledTool(w.update(ctx, w.conversation, w.it, idOf(o), patch)); err != nil {
			return err
		}
	}
	after(o)
	return nil
}

// calledTool leaves the question open where the model was not shown what it goes by,
// so that it called nothing.
func (w *world) calledTool(t turn) error {
	if err := w.offeredTool(t); err != nil {
		return err
	}
	if w.Environment.Model.Called(t.mark) == 0 {
		return suites.Undecided("the model called no tool, since it was not shown the package: see ACP-EXEC-10")
	}
	return nil
}

func (w *world) objectPatched(ctx context.Context) error {
	return w.holds(ctx, w.objects[0], "an object is not what its JSON Patch makes of it")
}

// objectSpared does not ask whether a change is validated: the text says so of
// creation alone. One that is refused changes nothing.
func (w *world) objectSpared(ctx context.Context) error {
	if told := w.last().read(); told.Outcome() != history.Refusal {
		return nil
	}
	return w.holds(ctx, w.objects[0], "an object is changed by a patch that was refused")
}

func (w *world) othersUntouched(ctx context.Context) error {
	for _, o := range w.objects[1:] {
		if err := w.holds(ctx, o, "a patch changes an object that it was not for"); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) deleteFirst(ctx context.Context) error { return w.deleteOne(ctx, "soft") }

func (w *world) deleteForGood(ctx context.Context) error { return w.deleteOne(ctx, "hard") }

func (w *world) deleteOne(ctx context.Context, mode string) error {
	all, mark := batch("first", "second")
	for _, o := range all {
		o[memberTitle] = fmt.Sprint(o[memberTitle], " of ", mark)
	}
	if err := w.createAll(ctx, all); err != nil {
		return err
	}
	return w.calledTool(w.removeBy(ctx, w.conversation, w.it, idOf(all[0]), mode))
}

// firstGoneUnlessRefused: a hard deletion may need more than the verb.
func (w *world) firstGoneUnlessRefused(ctx context.Context) error {
	told := w.last().read()
	refused := told.Outcome() == history.Refusal
	if !refused {
		var err error
		if refused, err = w.likeFault(ctx, told); err != nil {
			return err
		}
	}
	if refused {
		return suites.Undecided("a hard deletion is refused: %s", told.Print())
	}
	return w.firstGone(ctx)
}

// firstGone looks by the id, and for what was deleted by another member too.
func (w *world) firstGone(ctx context.Context) error {
	for i, o := range w.objects {
		found := w.sought(ctx, w.conversation, w.it, object{memberID: o[memberID]})
		if found.err != nil {
			return found.err
		}
		there := len(found.About(idOf(o))) > 0
		switch {
		case i == 0 && there:
			w.cite(found.requests...)
			return suites.Violated("an object that was deleted is still found", "nothing under its id", found.Print())
		case i > 0 && !there:
			w.cite(found.requests...)
			return suites.Violated("an object is gone that was not deleted", suites.Print(o), found.Print())
		}
	}
	gone := w.objects[0]
	found := w.sought(ctx, w.conversation, w.it, object{memberTitle: gone[memberTitle]})
	if found.err == nil && len(found.About(idOf(gone))) > 0 {
		w.cite(found.requests...)
		return suites.Violated("an object that was deleted is still found by another member than its id", "nothing of "+suites.Print(gone), found.Print())
	}
	return found.err
}
