package acpsuite

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
)

// stateSentences are all about the built-in tools.
var stateSentences = slices.Concat(keepingSentences, patchSentences, privilegeSentences, strictSentences)

var keepingSentences = []sentence{
	say(`a package that keeps objects is installed`, func(w *world) any { return w.installKeeper }),
	say(`a package that keeps objects and binds (state\.create|every state tool) elsewhere is installed`, func(w *world) any { return w.installBoundKeeper }),
	say(`the model creates an object`, func(w *world) any { return w.createOne }),
	say(`the model creates an object of unusual values`, func(w *world) any { return w.createUnusual }),
	say(`the model uses every state tool`, func(w *world) any { return w.useEveryVerb }),
	say(`the model creates objects that break the schema`, func(w *world) any { return w.createUnsound }),
	say(`the model creates an object under a schema URI that no package owns`, func(w *world) any { return w.createElsewhere }),
	say(`the model creates several objects and queries them by each operator`, func(w *world) any { return w.queryByOperators }),
	say(`the model creates many objects and reads them in pages`, func(w *world) any { return w.readPages }),
	say(`the subject is restarted`, func(w *world) any { return w.restart }),
	say(`what was changed and deleted before is as it was`, func(w *world) any { return w.asBeforeRestart }),
	say(`a query finds the object`, func(w *world) any { return w.objectFound }),
	say(`the object is stored`, func(w *world) any { return w.objectStored }),
	say(`the object is stored as it was given`, func(w *world) any { return w.objectWhole }),
	say(`a sound one is(?: stored)?`, func(w *world) any { return w.soundStored }),
	say(`none of them is stored`, func(w *world) any { return w.noneStored }),
	say(`nothing is found under that URI`, func(w *world) any { return w.nothingUnder }),
	say(`each query gives the objects that its filter fits`, func(w *world) any { return w.filtersFit }),
	say(`each object comes once`, func(w *world) any { return w.eachOnce }),
	say(`the service behind the binding was not called`, func(w *world) any { return w.bindingUnused }),
}

func (w *world) installKeeper(ctx context.Context) error {
	k := w.keeper(ctx)
	w.it = k.specimen
	return k.err
}

// needState is the positive control of everything about state.
func (w *world) needState(ctx context.Context) error {
	k := w.keeper(ctx)
	if k.err != nil {
		return k.err
	}
	return k.works
}

// needWhole is the one of what hangs on single members.
func (w *world) needWhole(ctx context.Context) error {
	if err := w.needState(ctx); err != nil {
		return err
	}
	return w.keeper(ctx).whole
}

func (w *world) installBoundKeeper(ctx context.Context, which string) error {
	if err := w.needState(ctx); err != nil {
		return err
	}
	w.it = w.Sample()
	bound := []string{toolCreate}
	if which != toolCreate {
		w.it.Keeps(toolUpdate, toolDelete)
		bound = []string{toolCreate, toolUpdate, toolQuery, toolDelete}
	}
	for _, tool := range bound {
		w.it.Bindings = append(w.it.Bindings, environment.Binding{
			Tool: tool, Type: "http_post", Parameters: map[string]string{"url": w.Environment.Tools.URL(environment.Echo, "bound-"+w.it.Mark)},
		})
	}
	return w.mounted(ctx, w.it)
}

// offeredTool leaves the question open where the model could not call the tool.
func (w *world) offeredTool(t turn) error {
	w.turns = append(w.turns, t)
	if err := t.ended(); err != nil {
		return err
	}
	if !t.offered() {
		return suites.Undecided("the model is not shown the tool %s, so that it can't call it: see ACP-EXEC-11", strings.TrimSuffix(t.calls, "_"+w.it.Mark))
	}
	return nil
}

func (w *world) createOne(ctx context.Context) error {
	o := sampleObject("kept")
	w.objects = append(w.objects, o)
	return w.offeredTool(w.create(ctx, w.conversation, w.it, o))
}

// createUnusual creates what is long, empty, deep, or not spoken of in the schema.
func (w *world) createUnusual(ctx context.Context) error {
	o := sampleObject("unusual")
	o["ratio"], o["far"], o["blank"], o["none"], o["nothing"] = -2.5, -12345678901, "", []any{}, object{}
	o["essay"] = atLength(5000)
	o["rows"] = []any{object{"label": "a"}, object{"label": "b", "rows": []any{[]any{1, 2}, []any{}}}}
	w.objects = append(w.objects, o)
	return w.offeredTool(w.create(ctx, w.conversation, w.it, o))
}

func (w *world) useEveryVerb(ctx context.Context) error {
	if err := w.createOne(ctx); err != nil {
		return err
	}
	id := idOf(w.objects[0])
	if _, _, err := w.seen(ctx, w.objects[0]); err != nil {
		return err
	}
	patch := []any{object{"op": "replace", "path": "/" + memberTitle, "value": "changed"}}
	if err := w.calledTool(w.update(ctx, w.conversation, w.it, id, patch)); err != nil {
		return err
	}
	return w.calledTool(w.remove(ctx, w.conversation, w.it, id))
}

func (w *world) createUnsound(ctx context.Context) error {
	if err := w.needState(ctx); err != nil {
		return err
	}
	lacking, mistyped, inner, element := sampleObject("lacking"), sampleObject("mistyped"), sampleObject("inner"), sampleObject("element")
	delete(lacking, memberTitle)
	mistyped[memberTitle] = 5
	inner[memberDetail] = object{"open": true}
	element[memberTags] = []any{"red", 5}
	for _, o := range []object{lacking, mistyped, inner, element} {
		w.strays = append(w.strays, o)
		if err := w.offeredTool(w.create(ctx, w.conversation, w.it, o)); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) foreignURI() string { return "did:nuwa:state:" + w.it.Label + "_unowned#v1" }

func (w *world) createElsewhere(ctx context.Context) error {
	if err := w.needState(ctx); err != nil {
		return err
	}
	o := sampleObject("elsewhere")
	w.strays = []object{o}
	return w.offeredTool(w.createUnder(ctx, w.conversation, w.it, w.foreignURI(), o))
}

// createAll lets the model create objects one by one.
func (w *world) createAll(ctx context.Context, all []object) error {
	if err := w.needState(ctx); err != nil {
		return err
	}
	w.objects = all
	for _, o := range all {
		if err := w.create(ctx, w.conversation, w.it, o).ended(); err != nil {
			return err
		}
	}
	return nil
}

// filter is a query and which of the objects it fits, by their places.
type filter struct {
	text string
	with func(batch string) object
	fits []int
}

// filters use what every reading of a Mongo-like filter has.
var filters = []filter{
	{"equality", func(b string) object { return object{memberNote: b, memberTitle: "beta"} }, []int{1}},
	{"equality of a number", func(b string) object { return object{memberNote: b, memberCount: 3} }, []int{2}},
	{"equality of zero", func(b string) object { return object{memberNote: b, memberCount: 0} }, []int{0}},
	{"equality of false", func(b string) object { return object{memberNote: b, memberPinned: false} }, []int{2}},
	{"$gt", func(b string) object { return object{memberNote: b, memberCount: object{"$gt": 2}} }, []int{2, 3}},
	{"$lt", func(b string) object { return object{memberNote: b, memberCount: object{"$lt": 2}} }, []int{0}},
	{"$in", func(b string) object {
		return object{memberNote: b, memberTitle: object{"$in": []any{"alpha", "Beta", "omega"}}}
	}, []int{0, 3}},
	{"$in of numbers", func(b string) object {
		return object{memberNote: b, memberCount: object{"$in": []any{3, 2, 99}}}
	}, []int{1, 2}},
	{"$or of three", func(b string) object {
		return object{memberNote: b, "$or": []any{object{memberTitle: "alpha"}, object{memberTitle: "none"}, object{memberCount: 3}}}
	}, []int{0, 2}},
	{"$and", func(b string) object {
		return object{"$and": []any{object{memberNote: b}, object{memberCount: object{"$gt": 1}}, object{memberCount: object{"$lt": 4}}}}
	}, []int{1, 2}},
	{"two operators of one member", func(b string) object {
		return object{memberNote: b, memberCount: object{"$gt": 1, "$lt": 4}}
	}, []int{1, 2}},
	{"$or", func(b string) object {
		return object{memberNote: b, "$or": []any{object{memberTitle: "alpha"}, object{memberCount: 3}}}
	}, []int{0, 2}},
}

// batch makes objects that belong together by their note and are counted from 1.
func batch(titles ...string) ([]object, string) {
	mark := "batch " + environment.Mark()[2:12]
	var all []object
	for i, title := range titles {
		o := sampleObject(title)
		o[memberNote], o[memberCount] = mark, i+1
		all = append(all, o)
	}
	return all, mark
}

func (w *world) queryByOperators(ctx context.Context) error {
	if err := w.needWhole(ctx); err != nil {
		return err
	}
	all, mark := batch("alpha", "beta", "betamax", "Beta")
	all[0][memberCount] = 0
	for i, o := range all {
		o[memberPinned] = i != 2
	}
	all[3][memberCount] = 10 // which comes before the others where numbers are taken for texts
	if err := w.createAll(ctx, all); err != nil {
		return err
	}
	for _, f := range filters {
		found := w.sought(ctx, w.conversation, w.it, f.with(mark))
		if found.err != nil {
			return found.err
		}
		w.turns = append(w.turns, found.turn)
		w.finds = append(w.finds, found.Objects())
	}
	return nil
}

func (w *world) filtersFit() error {
	for i, f := range filters {
		var want, got []string
		for at, o := range w.objects {
			title, _ := o[memberTitle].(string)
			if slices.Contains(f.fits, at) {
				want = append(want, title)
			}
			if slices.ContainsFunc(w.finds[i], func(found object) bool { return found[memberID] == o[memberID] }) {
				got = append(got, title)
			}
		}
		got = append(got, strangers(w.finds[i], w.objects[0][memberNote])...)
		if !slices.Equal(want, got) {
			w.cite(w.turns[i].requests...)
			return suites.Violated("a query does not give the objects that its filter fits, by "+f.text, suites.Print(want)+" for "+suites.Print(f.with("batch")), suites.Print(got))
		}
	}
	return nil
}

// strangers gives the titles of objects that were found and do not belong to a batch.
func strangers(found []object, batch any) []string {
	var all []string
	for _, o := range found {
		title, titled := o[memberTitle].(string)
		if note, noted := o[memberNote].(string); titled && noted && o[memberID] != nil && note != batch {
			all = append(all, title)
		}
	}
	return all
}

// A large query: more objects than a page is asked to hold.
const (
	manyObjects = 11
	pageLimit   = 4
	pagesAtMost = 3 * manyObjects
)

func (w *world) readPages(ctx context.Context) error {
	if err := w.needWhole(ctx); err != nil {
		return err
	}
	all, mark := batch(make([]string, manyObjects)...)
	for i, o := range all {
		o[memberTitle] = fmt.Sprintf("object %d", i)
	}
	if err := w.createAll(ctx, all); err != nil {
		return err
	}
	for _, limit := range []any{pageLimit, nil} {
		arguments := object{"schema_uri": w.it.SchemaURI, "query": object{memberNote: mark}}
		if limit != nil {
			arguments["limit"] = limit
		}
		if err := w.readAll(ctx, arguments); err != nil {
			return err
		}
		w.readings = append(w.readings, w.finds)
		w.finds = nil
	}
	return nil
}

// readAll reads pages to the last.
func (w *world) readAll(ctx context.Context, arguments object) error {
	for range pagesAtMost {
		page := w.retrieve(ctx, w.conversation, w.it, arguments)
		if page.err != nil {
			return page.err
		}
		w.turns = append(w.turns, page.turn)
		w.finds = append(w.finds, page.Objects())
		next := page.Cursor()
		if next == nil {
			w.beyond = append(w.beyond, page.Further())
			return nil
		}
		arguments["cursor"] = next
	}
	w.cite(w.last().requests...)
	return suites.Violated("the pages of a query come to no end", fmt.Sprintf("an end after %d objects in pages of %d", manyObjects, pageLimit), fmt.Sprintf("%d pages and a further cursor", pagesAtMost))
}

// eachOnce judges what was read in pages of a size that was asked for, and of none.
func (w *world) eachOnce(ctx context.Context) error {
	for i := range w.readings {
		w.finds = w.readings[i]
		if err := w.eachOnOnePage(ctx, w.beyond[i]); err != nil {
			return err
		}
	}
	return nil
}

// eachOnOnePage counts pages: within one, the same object may be wrapped twice. The last page
// may name a further one in a form that is not followed, which is beyond.
func (w *world) eachOnOnePage(ctx context.Context, beyond string) error {
	for _, o := range w.objects {
		pages := 0
		for _, page := range w.finds {
			if slices.ContainsFunc(page, func(found object) bool { return found[memberID] == o[memberID] }) {
				pages++
			}
		}
		if pages == 0 && beyond != "" {
			return &suites.Inconclusive{
				Reason: "a page of a query has the member " + suites.Clip(beyond) + ", which is not followed, and not all objects came",
				Supply: "tell where a further page begins in a member cursor, next_cursor or nextCursor",
			}
		}
		if pages != 1 {
			w.cite(w.last().requests...)
			return suites.Violated("reading a large query page by page does not give each object once",
				fmt.Sprintf("%d objects, each on one page", manyObjects),
				fmt.Sprintf("%v on %d of %d pages", o[memberTitle], pages, len(w.finds)))
		}
	}
	for _, page := range w.finds {
		if others := strangers(page, w.objects[0][memberNote]); len(others) > 0 {
			first := w.sought(ctx, w.conversation, w.it, object{memberNote: "none has this"})
			if first.err != nil || len(strangers(first.Objects(), "none has this")) > 0 {
				return suites.Undecided("a query does not go by its filter even on its first page: see ACP-STATE-04")
			}
			w.cite(w.last().requests...)
			return suites.Violated("a page of a query holds what the filter does not fit", "the objects of the batch alone", suites.Print(others)+" as well")
		}
	}
	return nil
}
