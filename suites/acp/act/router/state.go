package router

import (
	"context"
	"fmt"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/transcript"
	"github.com/capconform/capconform/suites/verdict"
)

// states are the stimuli for objects that a runtime stores, finds and returns in pages.
type states struct{ bench }

// objects creates what is ordinary, and what is long, empty, deep, null, or not spoken of in the
// schema.
func (c states) objects(ctx context.Context, l *suites.Laboratory) error {
	k, err := c.withStoringPackage(ctx, l)
	if err != nil {
		return err
	}
	unusual := sampleObject("unusual")
	unusual["ratio"], unusual["far"], unusual["blank"], unusual["none"], unusual["nothing"] = -2.5, -12345678901, "",
		[]any{}, object{}
	unusual["letters"] = "e\u0301 ﬁ" // Unicode has other forms of these characters
	unusual["essay"] = sample.TextOfLength(5000)
	unusual["wide"], unusual["many"] = 12345678901, slices.Repeat([]any{1, "a", nil, false}, 10)
	unusual["code"], unusual["exact"], unusual["Case"], unusual["lines"] = "0042", 3.14159265, "Upper", "a\r\nb"
	unusual["rows"] = []any{object{"label": "a"}, object{"label": "b", "rows": []any{[]any{1, 2}, []any{}}}}
	first := sampleObject("first")
	if err := k.create(ctx, nil, first, unusual, sampleObject("second")); err != nil {
		return err
	}
	if err := k.queryByID(ctx, first); err != nil {
		return err
	}
	named := sampleObject("named")
	named["left.right"], named["$cost"], named["größe"], named["two words"], named["0"] = 1, 2, 3, 4, 5
	empty := sampleObject("null")
	empty["void"], empty["holds"], empty["holes"] = nil, object{"void": nil, "left": 1}, []any{nil, 1}
	return k.create(ctx, about{history.AboutForm: history.FormUnusualNames}, named, empty)
}

// filtering is a query with one operator.
type filtering struct {
	name   string
	filter func(batch string) object
}

// filterings use only operators that every Mongo-like filter language has.
var filterings = []filtering{
	{"equality", memberFilter(sample.MemberTitle, "beta")},
	{"equality of a number", memberFilter(sample.MemberCount, 3)},
	{"equality of zero", memberFilter(sample.MemberCount, 0)},
	{"equality of false", memberFilter(sample.MemberPinned, false)},
	{"$gt", memberFilter(sample.MemberCount, object{"$gt": 2})},
	{"$lt", memberFilter(sample.MemberCount, object{"$lt": 2})},
	{"$in", memberFilter(sample.MemberTitle, object{"$in": []any{"omega", "alpha", "Beta"}})},
	{"$in of numbers", memberFilter(sample.MemberCount, object{"$in": []any{3, 2, 99}})},
	{"$or of three", memberFilter("$or", []any{
		object{sample.MemberTitle: "alpha"}, object{sample.MemberTitle: "none"}, object{sample.MemberCount: 3},
	})},
	{"$and", func(batch string) object {
		return object{"$and": []any{
			object{sample.MemberNote: batch}, object{sample.MemberCount: object{"$gt": 1}},
			object{sample.MemberCount: object{"$lt": 4}},
		}}
	}},
	{"two operators of one member", memberFilter(sample.MemberCount, object{"$gt": 1, "$lt": 4})},
	{"$or", memberFilter("$or", []any{object{sample.MemberTitle: "alpha"}, object{sample.MemberCount: 3}})},
	{"$and within $or", memberFilter("$or", []any{
		object{"$and": []any{object{sample.MemberTitle: "alpha"}, object{sample.MemberCount: 3}}},
		object{"$and": []any{object{sample.MemberTitle: "beta"}, object{sample.MemberCount: 2}}},
	})},
	{"$lt of a negative number", memberFilter(sample.MemberCount, object{"$lt": -2})},
	{"three members", func(batch string) object {
		return object{sample.MemberNote: batch, sample.MemberPinned: true, sample.MemberCount: object{"$gt": 0}}
	}},
}

// memberFilter returns a filter by one member within a batch.
func memberFilter(name string, value any) func(string) object {
	return func(batch string) object { return object{sample.MemberNote: batch, name: value} }
}

func (c states) filters(ctx context.Context, l *suites.Laboratory) error {
	k, err := c.withStoringPackage(ctx, l)
	if err != nil {
		return err
	}
	all, mark := batch("alpha", "beta", "betamax", "Beta", "beta™", "gamma")
	all[0][sample.MemberCount] = 0
	for i, o := range all {
		o[sample.MemberPinned] = i != 2
	}
	all[4][sample.MemberCount] = -5
	all[3][sample.MemberCount] = 10 // which comes before the others where numbers are taken for texts
	delete(all[5], sample.MemberPinned)
	delete(all[5], sample.MemberCount)
	elsewhere := sampleObject("alpha") // which a filter without the note of the batch finds
	elsewhere[sample.MemberCount], elsewhere[sample.MemberPinned] = 3, true
	if err := k.create(ctx, nil, append(all, elsewhere)...); err != nil {
		return err
	}
	for _, f := range filterings {
		if err := k.query(ctx, about{history.AboutFilter: f.name}, f.filter(mark)); err != nil {
			return err
		}
	}
	return nil
}

// pages reads a large query with a limit and without one, and once more after a deletion.
func (c states) pages(ctx context.Context, l *suites.Laboratory) error {
	k, err := c.withStoringPackage(ctx, l)
	if err != nil {
		return err
	}
	all, mark := batch(make([]string, manyObjects)...)
	for i, o := range all {
		o[sample.MemberTitle] = fmt.Sprintf("object %d", i)
		o[detail] = object{"label": "a"} // all objects together make one result of a tool
		delete(o, tags)
	}
	// Other objects are older and younger than the objects of the later pages, whatever the order of the runtime is.
	others := []object{sampleObject("before"), sampleObject("between"), sampleObject("after")}
	all = slices.Concat(others[:1], all[:2*pageLimit], others[1:2], all[2*pageLimit:], others[2:])
	if err := k.createMany(ctx, all); err != nil {
		return err
	}
	last, err := k.readPages(ctx, "limited", mark)
	if err != nil {
		return err
	}
	if _, err := k.readPages(ctx, "whole", mark); err != nil {
		return err
	}
	for _, o := range all { // an object of the last page is deleted, and then all pages are read again
		if len(last.ToolResult(0).About(objectID(o))) == 0 {
			continue
		}
		if err := k.remove(ctx, nil, o, "soft"); err != nil {
			return err
		}
		if err := k.queryByID(ctx, o); err != nil {
			return err
		}
		_, err = k.readPages(ctx, "limited, after a deletion", mark)
		break
	}
	return err
}

// restart changes one object and deletes another, restarts the subject, and queries all objects.
func (c states) restart(ctx context.Context, l *suites.Laboratory) error {
	if !l.Subject.Restartable() {
		return verdict.Undecided("the target file names no command under restart")
	}
	k, err := c.withStoringPackage(ctx, l)
	if err != nil {
		return err
	}
	unchanged, changed, deleted := sampleObject("kept"), sampleObject("early"), sampleObject("gone")
	if err := k.create(ctx, nil, unchanged, changed, deleted); err != nil {
		return err
	}
	if err := k.update(ctx, nil, changed, []any{replaceTitle("late")}); err != nil {
		return err
	}
	if err := k.queryByID(ctx, changed); err != nil {
		return err
	}
	if err := k.remove(ctx, nil, deleted, "soft"); err != nil {
		return err
	}
	if err := k.queryByID(ctx, unchanged, changed, deleted); err != nil {
		return err
	}
	if err := l.Restart(ctx); err != nil {
		return err
	}
	configure := driver.Operation{Name: history.OpConfigure, Params: jsonvalue.Encode(c.Environment.Configuration())}
	if _, err := callFunc(l)(ctx, configure); err != nil {
		return err
	}
	// Installed packages need not persist over a restart.
	again := c.conversation(l, c.storingPackage)
	if t, err := again.sendScripted(ctx, nil, environment.Script{}); err != nil || !t.Reaches(c.storingPackage) {
		answer, err := c.install(ctx, l, c.storingPackage)
		if err != nil {
			return err
		}
		if answer.Outcome != driver.Returned {
			return verdict.Undecided("the package is not installed after the restart: %s", transcript.Received(answer, nil))
		}
	}
	return again.queryByID(ctx, unchanged, changed, deleted)
}
