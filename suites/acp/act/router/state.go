package router

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/driver"
)

// object is a JSON object.
type object = history.Object

// keeping gives a conversation with a package that has every built-in tool. It is installed
// once a run.
func (c *Caller) keeping(ctx context.Context, l *suites.Laboratory) (talk, error) {
	if err := c.Ready(); err != nil {
		return talk{}, err
	}
	if c.keeper == nil {
		s := c.Sample()
		s.Keeps(sample.Update, sample.Delete)
		if err := c.mount(ctx, l, s); err != nil {
			return talk{}, err
		}
		c.keeper = s
	}
	return c.talk(l, c.keeper), nil
}

// beside installs a further package that keeps objects.
func (c *Caller) beside(ctx context.Context, l *suites.Laboratory, shape func(*sample.Package)) (talk, error) {
	if err := c.Ready(); err != nil {
		return talk{}, err
	}
	s := c.Sample()
	if shape != nil {
		shape(s)
	}
	return c.talk(l, s), c.mount(ctx, l, s)
}

// sampleObject makes an object that keeps the schema of a sample.
func sampleObject(title string) object {
	return object{
		sample.MemberID: uuid.NewString(), sample.MemberTitle: title, sample.MemberCount: 7,
		sample.MemberNote: "  Grüße an B,  zweite\tZeile " + environment.Mark()[2:10] + " ",
		sample.MemberTags: []any{"red", "green"}, sample.MemberPinned: false,
		sample.MemberDetail: object{"label": "a/b ~ \"c\"", "open": false, "left": 0},
	}
}

func idOf(o object) string {
	id, _ := o[sample.MemberID].(string)
	return id
}

// create lets the model create objects, each in a separate turn, and look for them.
func (k talk) create(ctx context.Context, how about, all ...object) error {
	for _, o := range all {
		arguments := object{"schema_uri": k.with.SchemaURI, "object": o}
		if _, err := k.order(ctx, how, sample.Create, arguments); err != nil {
			return err
		}
		if err := k.look(ctx, o); err != nil {
			return err
		}
	}
	return nil
}

// look lets the model query an object by its id.
func (k talk) look(ctx context.Context, all ...object) error {
	for _, o := range all {
		if err := k.query(ctx, nil, object{sample.MemberID: o[sample.MemberID]}); err != nil {
			return err
		}
	}
	return nil
}

func (k talk) query(ctx context.Context, how about, filter object) error {
	_, err := k.order(ctx, how, sample.Query, object{"schema_uri": k.with.SchemaURI, "query": filter})
	return err
}

func (k talk) update(ctx context.Context, how about, o object, patch []any) error {
	_, err := k.order(ctx, how, sample.Update, object{"schema_uri": k.with.SchemaURI, "id": idOf(o), "patch": patch})
	return err
}

func (k talk) remove(ctx context.Context, how about, o object, mode string) error {
	_, err := k.order(ctx, how, sample.Delete, object{"schema_uri": k.with.SchemaURI, "id": idOf(o), "mode": mode})
	return err
}

// objects creates what is ordinary, and what is long, empty, deep, or not spoken of in the
// schema.
func (c *Caller) objects(ctx context.Context, l *suites.Laboratory) error {
	k, err := c.keeping(ctx, l)
	if err != nil {
		return err
	}
	unusual := sampleObject("unusual")
	unusual["ratio"], unusual["far"], unusual["blank"], unusual["none"], unusual["nothing"] = -2.5, -12345678901, "", []any{}, object{}
	unusual["letters"] = "e\u0301 ﬁ" // which Unicode may write otherwise
	unusual["essay"] = sample.AtLength(5000)
	unusual["rows"] = []any{object{"label": "a"}, object{"label": "b", "rows": []any{[]any{1, 2}, []any{}}}}
	first := sampleObject("first")
	if err := k.create(ctx, nil, first, unusual, sampleObject("second")); err != nil {
		return err
	}
	return k.look(ctx, first)
}

// filtering is a query by one operator.
type filtering struct {
	name string
	with func(batch string) object
}

// filterings use what every reading of a Mongo-like filter has.
var filterings = []filtering{
	{"equality", member(sample.MemberTitle, "beta")},
	{"equality of a number", member(sample.MemberCount, 3)},
	{"equality of zero", member(sample.MemberCount, 0)},
	{"equality of false", member(sample.MemberPinned, false)},
	{"$gt", member(sample.MemberCount, object{"$gt": 2})},
	{"$lt", member(sample.MemberCount, object{"$lt": 2})},
	{"$in", member(sample.MemberTitle, object{"$in": []any{"alpha", "Beta", "omega"}})},
	{"$in of numbers", member(sample.MemberCount, object{"$in": []any{3, 2, 99}})},
	{"$or of three", member("$or", []any{
		object{sample.MemberTitle: "alpha"}, object{sample.MemberTitle: "none"}, object{sample.MemberCount: 3},
	})},
	{"$and", func(batch string) object {
		return object{"$and": []any{
			object{sample.MemberNote: batch}, object{sample.MemberCount: object{"$gt": 1}},
			object{sample.MemberCount: object{"$lt": 4}},
		}}
	}},
	{"two operators of one member", member(sample.MemberCount, object{"$gt": 1, "$lt": 4})},
	{"$or", member("$or", []any{object{sample.MemberTitle: "alpha"}, object{sample.MemberCount: 3}})},
}

// member is a filter by one member, within a batch.
func member(name string, value any) func(string) object {
	return func(batch string) object { return object{sample.MemberNote: batch, name: value} }
}

// batch makes objects that belong together by their note and are counted from 1.
func batch(titles ...string) ([]object, string) {
	mark := "batch " + environment.Mark()[2:12]
	var all []object
	for i, title := range titles {
		o := sampleObject(title)
		o[sample.MemberNote], o[sample.MemberCount] = mark, i+1
		all = append(all, o)
	}
	return all, mark
}

func (c *Caller) filters(ctx context.Context, l *suites.Laboratory) error {
	k, err := c.keeping(ctx, l)
	if err != nil {
		return err
	}
	all, mark := batch("alpha", "beta", "betamax", "Beta")
	all[0][sample.MemberCount] = 0
	for i, o := range all {
		o[sample.MemberPinned] = i != 2
	}
	all[3][sample.MemberCount] = 10 // which comes before the others where numbers are taken for texts
	if err := k.create(ctx, nil, all...); err != nil {
		return err
	}
	for _, f := range filterings {
		if err := k.query(ctx, about{history.AboutFilter: f.name}, f.with(mark)); err != nil {
			return err
		}
	}
	return nil
}

// A large query: more objects than a page is asked to hold.
const (
	manyObjects = 11
	pageLimit   = 4
)

// pages reads a large query with a limit and without, and once more after a deletion.
func (c *Caller) pages(ctx context.Context, l *suites.Laboratory) error {
	k, err := c.keeping(ctx, l)
	if err != nil {
		return err
	}
	all, mark := batch(make([]string, manyObjects)...)
	for i, o := range all {
		o[sample.MemberTitle] = fmt.Sprintf("object %d", i)
	}
	if err := k.create(ctx, nil, all...); err != nil {
		return err
	}
	last, err := k.read(ctx, "limited", mark)
	if err != nil {
		return err
	}
	if _, err := k.read(ctx, "whole", mark); err != nil {
		return err
	}
	for _, o := range all { // what stood on the last page is deleted, and looked for on all of them
		if len(last.Told(0).About(idOf(o))) == 0 {
			continue
		}
		if err := k.remove(ctx, nil, o, "soft"); err != nil {
			return err
		}
		if err := k.look(ctx, o); err != nil {
			return err
		}
		_, err = k.read(ctx, "limited, after a deletion", mark)
		break
	}
	return err
}

// read reads the objects of a batch to the end, and gives the last page.
func (k talk) read(ctx context.Context, how, batch string) (last *history.Turn, err error) {
	arguments := object{"schema_uri": k.with.SchemaURI, "query": object{sample.MemberNote: batch}}
	if how != "whole" {
		arguments["limit"] = pageLimit
	}
	for range history.PagesAtMost {
		last, err = k.order(ctx, about{history.AboutPage: how}, sample.Query, arguments)
		if err != nil {
			return nil, err
		}
		if arguments["cursor"] = last.Told(0).Cursor(); arguments["cursor"] == nil {
			break
		}
	}
	return last, nil
}

// restart changes one object and deletes another, and looks at all behind the restart.
func (c *Caller) restart(ctx context.Context, l *suites.Laboratory) error {
	if !l.Subject.Restartable() {
		return suites.Undecided("the target file names no command under restart")
	}
	k, err := c.keeping(ctx, l)
	if err != nil {
		return err
	}
	same, late, gone := sampleObject("kept"), sampleObject("early"), sampleObject("gone")
	if err := k.create(ctx, nil, same, late, gone); err != nil {
		return err
	}
	if err := k.update(ctx, nil, late, []any{replacing("late")}); err != nil {
		return err
	}
	if err := k.look(ctx, late); err != nil {
		return err
	}
	if err := k.remove(ctx, nil, gone, "soft"); err != nil {
		return err
	}
	if err := k.look(ctx, same, late, gone); err != nil {
		return err
	}
	if err := l.Restart(ctx); err != nil {
		return err
	}
	configure := driver.Operation{Name: history.OpConfigure, Params: suites.Encode(c.Environment.Configuration())}
	if _, err := asking(l)(ctx, configure); err != nil {
		return err
	}
	// What is installed need not outlive a restart.
	again := c.talk(l, c.keeper)
	if t, err := again.say(ctx, nil, environment.Script{}); err != nil || !t.Reaches(c.keeper) {
		answer, err := c.install(ctx, l, c.keeper)
		if err != nil {
			return err
		}
		if answer.Outcome != driver.Returned {
			return suites.Undecided("the package is not installed after the restart: %s", suites.Received(answer, nil))
		}
	}
	return again.look(ctx, same, late, gone)
}

func replacing(title string) object {
	return object{"op": "replace", "path": "/" + sample.MemberTitle, "value": title}
}
