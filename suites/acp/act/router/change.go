package router

import (
	"context"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
)

// changes are the stimuli for permitted and forbidden changes of objects.
type changes struct{ bench }

func op(name, path string, value any) object {
	return object{"op": name, "path": "/" + path, "value": value}
}

func from(name, source, path string) object {
	return object{"op": name, "from": "/" + source, "path": "/" + path}
}

// patchSeries is a series of JSON Patches of one object.
type patchSeries struct {
	form    string
	patches [][]any
	whole   func(o object) [][]any // in place of patches: the patches depend on the object
}

const (
	title, count, note, tags, detail = sample.MemberTitle, sample.MemberCount, sample.MemberNote,
		sample.MemberTags, sample.MemberDetail
)

// formAbsent is the form of patches for which RFC 6902 requires an error. A runtime may be lenient, but
// a patch that it refuses must change nothing.
const formAbsent = "what is not there"

// allPatchSeries contain each operation of JSON Patch.
var allPatchSeries = []patchSeries{
	{form: "each operation", patches: [][]any{{
		op("test", count, 7), op("replace", title, "changed"), op("add", tags+"/-", "blue"), op("add", tags+"/0", "white"),
		op("add", count, 8), op("add", detail+"/in~1out", "both"), op("replace", detail+"/open", true),
		object{"op": "remove", "path": "/" + note},
	}, { // values that were changed are changed again
		op("test", detail, object{"in/out": "both", "left": 0, "open": true, "label": "a/b ~ \"c\""}),
		object{"op": "remove", "path": "/" + tags + "/2"}, op("replace", tags+"/0", "black"),
		op("add", detail+"/up~0down", "none"), op("add", detail+"/over~01under", "one"),
		object{"op": "remove", "path": "/" + detail + "/open"},
	}}},
	{form: "move and copy", patches: [][]any{
		{from("copy", title, note), from("copy", tags+"/0", tags+"/-")},
		{from("move", tags+"/1", tags+"/0"), from("move", detail+"/left", count)},
		{from("copy", detail, "twin"), op("replace", "twin/label", "changed")},
	}},
	{form: "within a list", patches: [][]any{
		{op("add", "rows", []any{object{"label": "a"}, object{"label": "b", "cells": []any{1, 2}}})},
		{op("replace", "rows/1/label", "changed"), op("add", "rows/1/cells/1", 5), op("test", "rows/0/label", "a")},
	}},
	{form: history.FormNull, patches: [][]any{
		{op("add", "void", nil), op("add", "extra", 1)}, {op("replace", "extra", nil)},
		{op("test", "extra", nil), op("replace", "void", "filled")},
	}},
	{form: history.FormWhole, whole: wholePatches},
	{form: formAbsent, patches: [][]any{
		{op("replace", title, "changed"), op("replace", "absent", "new")},
		{op("replace", title, "changed"), object{"op": "remove", "path": "/absent"}},
		{op("replace", title, "changed"), op("add", tags+"/9", "far")},
		{op("replace", title, "changed"), op("test", "absent", 1)},
	}},
	{form: "a test that fails", patches: [][]any{
		{op("replace", title, "changed"), op("test", count, 6), op("replace", note, "changed")},
		{op("test", detail, object{"label": "another", "open": false, "left": 0}), op("replace", title, "changed")},
		{op("test", detail+"/open", true), op("replace", title, "changed")},
		{op("test", tags, []any{"green", "red"}), op("replace", title, "changed")},
	}},
	{form: history.BreaksPatch,
		patches: [][]any{{op("replace", title, "changed"), op("replace", count, "many")}}},
}

// wholePatches have the empty path, which leads to the whole object: a test that fails, and a replacement by an
// object that lacks some members.
func wholePatches(o object) [][]any {
	another := sampleObject("another")
	another[sample.MemberID] = o[sample.MemberID]
	delete(another, tags)
	return [][]any{
		{object{"op": "test", "path": "", "value": another}, op("replace", title, "changed")},
		{object{"op": "replace", "path": "", "value": another}},
	}
}

// patches changes an object that was created between two others.
func (c changes) patches(ctx context.Context, l *suites.Laboratory) error {
	k, err := c.withStoringPackage(ctx, l)
	if err != nil {
		return err
	}
	for _, p := range allPatchSeries {
		earlier, o, later := sampleObject("earlier"), sampleObject("patched"), sampleObject("later")
		if err := k.create(ctx, nil, earlier, o, later); err != nil {
			return err
		}
		how := about{history.AboutForm: p.form}
		switch p.form {
		case history.BreaksPatch:
			how = about{history.AboutBreaks: p.form}
		case formAbsent:
			how[history.AboutBreaks] = history.BreaksPatch
		}
		patches := p.patches
		if p.whole != nil {
			patches = p.whole(o)
		}
		for _, patch := range patches {
			if err := k.update(ctx, how, o, patch); err != nil {
				return err
			}
			if err := k.queryByID(ctx, o); err != nil {
				return err
			}
		}
		if err := k.queryByID(ctx, earlier, later); err != nil {
			return err
		}
	}
	return nil
}

// similarID returns an id that differs from another one only in its last digit.
func similarID(id string) string {
	last := "0"
	if strings.HasSuffix(id, last) {
		last = "1"
	}
	return id[:len(id)-1] + last
}

// deletions deletes the first of two objects: by a soft and a hard deletion, and without a mode. Before
// the soft deletion the object is changed; after it, it is created again with other content.
func (c changes) deletions(ctx context.Context, l *suites.Laboratory) error {
	k, err := c.withStoringPackage(ctx, l)
	if err != nil {
		return err
	}
	for _, mode := range []string{"soft", "hard", history.ModeUnstated} {
		first, second := sampleObject("deleted "+mode), sampleObject("deleted "+mode)
		second[sample.MemberID] = similarID(objectID(first))
		if err := k.create(ctx, nil, first, second); err != nil {
			return err
		}
		if mode == "soft" {
			first[title] = "changed, then deleted"
			if err := k.update(ctx, nil, first, []any{replaceTitle("changed, then deleted")}); err != nil {
				return err
			}
			if err := k.queryByID(ctx, first); err != nil {
				return err
			}
		}
		if err := k.remove(ctx, about{history.AboutMode: mode}, first, mode); err != nil {
			return err
		}
		if err := k.queryByID(ctx, first, second); err != nil {
			return err
		}
		if err := k.query(ctx, nil, object{title: first[title], note: first[note]}); err != nil {
			return err
		}
		if mode == "soft" {
			first[title], first[count] = "created again", 8
			if err := k.create(ctx, nil, first); err != nil {
				return err
			}
		}
	}
	return k.query(ctx, nil, object{}) // a filter that matches every object must not find deleted ones
}

// foreignURI calls tools with schema URIs that no package owns: another name for a new object, and
// another version of the schema URI for an existing one.
func (c changes) foreignURI(ctx context.Context, l *suites.Laboratory) error {
	k, err := c.withStoringPackage(ctx, l)
	if err != nil {
		return err
	}
	how := about{history.AboutBreaks: history.BreaksURI}
	foreign, own, valid := sampleObject("elsewhere"), sampleObject("here"), sampleObject("sound")
	own[sample.MemberID] = "1" + objectID(own)[1:] // the URI and this id are also the longer URI and an id
	if err := k.create(ctx, nil, own); err != nil {
		return err
	}
	base := "did:nuwa:state:" + k.pkg.Label
	another, version := base+"_unowned#v1", base+"#v97"
	longer := k.pkg.SchemaURI + "1"
	capitals := strings.Replace(k.pkg.SchemaURI, k.pkg.Label, strings.ToUpper(k.pkg.Label), 1)
	for _, call := range []struct {
		tool, uri string
		arguments object
	}{
		{sample.Create, another, object{"object": foreign}},
		{sample.Query, another, object{"query": object{sample.MemberID: foreign[sample.MemberID]}}},
		{sample.Update, version, object{"id": objectID(own), "patch": []any{replaceTitle("changed")}}},
		{sample.Delete, version, object{"id": objectID(own), "mode": "soft"}},
		{sample.Query, version, object{"query": object{sample.MemberID: own[sample.MemberID]}}},
		{sample.Query, longer, object{"query": object{sample.MemberID: own[sample.MemberID]}}},
		{sample.Query, capitals, object{"query": object{sample.MemberID: own[sample.MemberID]}}},
	} {
		call.arguments["schema_uri"] = call.uri
		if _, err := k.callTool(ctx, how, call.tool, call.arguments); err != nil {
			return err
		}
	}
	if err := k.queryByID(ctx, foreign, own); err != nil {
		return err
	}
	return k.create(ctx, nil, valid)
}

// undeclared has the model call tools of verbs that the package does not declare, because a model may
// invent calls.
func (c changes) undeclared(ctx context.Context, l *suites.Laboratory) error {
	if _, err := c.withStoringPackage(ctx, l); err != nil {
		return err
	}
	how := about{history.AboutBreaks: history.BreaksVerb}
	limited, err := c.withNewPackage(ctx, l, nil) // it declares create and query
	if err != nil {
		return err
	}
	o := sampleObject("kept")
	if err := limited.create(ctx, nil, o); err != nil {
		return err
	}
	if err := limited.update(ctx, how, o, []any{replaceTitle("changed")}); err != nil {
		return err
	}
	if err := limited.remove(ctx, how, o, "soft"); err != nil {
		return err
	}
	if err := limited.queryByID(ctx, o); err != nil {
		return err
	}
	return c.partlyDeclared(ctx, l, how)
}

// partlyDeclared does the same with a package that declares only query, and one that declares only
// create.
func (c changes) partlyDeclared(ctx context.Context, l *suites.Laboratory, how about) error {
	only := func(verb string) func(*sample.Package) {
		return func(s *sample.Package) {
			s.Tools, s.Permissions = s.Tools[2:], nil
			s.AddBuiltInTools(verb)
		}
	}
	queryOnly, err := c.withNewPackage(ctx, l, only(sample.Query))
	if err != nil {
		return err
	}
	o := sampleObject("undeclared")
	if _, err := queryOnly.callTool(ctx, how, sample.Create,
		object{"schema_uri": queryOnly.pkg.SchemaURI, "object": o}); err != nil {
		return err
	}
	if err := queryOnly.queryByID(ctx, o); err != nil {
		return err
	}
	createOnly, err := c.withNewPackage(ctx, l, only(sample.Create))
	if err != nil {
		return err
	}
	o = sampleObject("unseen")
	if _, err := createOnly.callTool(ctx, nil, sample.Create,
		object{"schema_uri": createOnly.pkg.SchemaURI, "object": o}); err != nil {
		return err
	}
	return createOnly.query(ctx, how, object{sample.MemberID: o[sample.MemberID]})
}

// otherScope accesses the object of one package from two others: one with another schema, and one with
// the same schema and another memory scope.
func (c changes) otherScope(ctx context.Context, l *suites.Laboratory) error {
	if _, err := c.withStoringPackage(ctx, l); err != nil {
		return err
	}
	own, err := c.withNewPackage(ctx, l, nil)
	if err != nil {
		return err
	}
	o := sampleObject("own")
	if err := own.create(ctx, nil, o); err != nil {
		return err
	}
	for _, sameSchema := range []bool{false, true} {
		other, err := c.withNewPackage(ctx, l, func(s *sample.Package) {
			if sameSchema {
				s.SchemaURI = own.pkg.SchemaURI
				s.Tools, s.Permissions = s.Tools[2:], nil
				s.AddBuiltInTools(sample.Create, sample.Query)
			}
			s.AddBuiltInTools(sample.Update, sample.Delete)
		})
		if sameSchema && err != nil {
			continue // a runtime may require that a schema belongs to one package
		}
		if err != nil {
			return err
		}
		created := sampleObject("beside")
		if err := c.accessForeignObject(ctx, other, own.pkg.SchemaURI, o, created); err != nil {
			return err
		}
		if err := own.queryByID(ctx, o, created); err != nil {
			return err
		}
	}
	return nil
}

// accessForeignObject performs actions on an object that only its own package may perform, and creates
// another object.
func (c changes) accessForeignObject(ctx context.Context, k conversation, uri string, o, created object) error {
	how := about{history.AboutBreaks: history.BreaksScope}
	for _, call := range []struct {
		tool      string
		arguments object
	}{
		{sample.Query, object{"query": object{sample.MemberID: o[sample.MemberID]}}},
		{sample.Create, object{"object": created}},
		{sample.Update, object{"id": objectID(o), "patch": []any{replaceTitle("taken")}}},
		{sample.Delete, object{"id": objectID(o), "mode": "soft"}},
	} {
		call.arguments["schema_uri"] = uri
		if _, err := k.callTool(ctx, how, call.tool, call.arguments); err != nil {
			return err
		}
	}
	return nil
}

// boundVerbs calls built-in tools for which the package has bindings: first for state.create only, then
// for all of them.
func (c changes) boundVerbs(ctx context.Context, l *suites.Laboratory) error {
	if _, err := c.withStoringPackage(ctx, l); err != nil {
		return err
	}
	for _, bound := range [][]string{{sample.Create}, {sample.Create, sample.Update, sample.Query, sample.Delete}} {
		k, err := c.withNewPackage(ctx, l, func(s *sample.Package) {
			if len(bound) > 1 {
				s.AddBuiltInTools(sample.Update, sample.Delete)
			}
			for _, tool := range bound {
				url := c.Environment.Tools.URL(environment.Echo, history.BoundPathPrefix+s.Mark)
				s.Bindings = append(s.Bindings,
					environment.Binding{Tool: tool, Type: "http_post", Parameters: map[string]string{"url": url}})
			}
		})
		if err != nil {
			return err
		}
		o := sampleObject("kept")
		if err := k.create(ctx, nil, o); err != nil {
			return err
		}
		if len(bound) == 1 {
			continue
		}
		if err := k.update(ctx, nil, o, []any{replaceTitle("changed")}); err != nil {
			return err
		}
		if err := k.remove(ctx, nil, o, "soft"); err != nil {
			return err
		}
	}
	return nil
}
