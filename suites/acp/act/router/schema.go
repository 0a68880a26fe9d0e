package router

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/verdict"
)

// validations are the stimuli that test validation by the schema, and how the subject reports a failure.
type validations struct{ bench }

// strictMember is a member of a schema with many keywords, with one value that conforms to it and one
// that breaks it.
type strictMember struct {
	name           string
	schema         object
	valid, invalid any
}

// strictMembers returns members for one keyword each.
func strictMembers() []strictMember {
	part := object{"type": "object", "properties": object{"label": object{"type": "string"}}, "required": []any{"label"}}
	inner := object{"type": "object", "properties": object{"parts": object{"type": "array", "items": part}}}
	return []strictMember{
		{"level", object{"enum": []any{"low", "high"}}, "low", "medium"},
		{"rank", object{"type": "integer", "maximum": 9}, 9, 10},
		{"share", object{"type": "number", "minimum": 0.5}, 0.5, 0.25},
		{"code", object{"type": "string", "pattern": "^[a-z]{2}[0-9]$"}, "ab1", "ab12"},
		{"short", object{"type": "string", "maxLength": 5}, "short", "longer"},
		{"kind", object{"const": "fixed"}, "fixed", "loose"},
		{"choice", object{"anyOf": []any{object{"type": "string"}, object{"type": "boolean"}}}, true, 5},
		{"lines", object{"type": "array", "minItems": 2}, []any{"a", "b"}, []any{"a"}},
		{"names", object{"type": "array", "uniqueItems": true}, []any{"a", "b"}, []any{"a", "a"}},
		{"part", object{"$ref": "#/$defs/part"}, object{"label": "a"}, object{"open": true}},
		{"labelled", object{"$ref": "#/$defs/part", "maxProperties": 1}, object{"label": "a"},
			object{"label": "a", "open": true}},
		{"pair", object{"type": "array", "prefixItems": []any{object{"type": "string"}}}, []any{"a", 1}, []any{1, "a"}},
		{"either", object{"oneOf": []any{object{"type": "integer"}, object{"type": "number"}}}, 2.5, 2},
		{"other", object{"not": object{"type": "boolean"}}, "some", true},
		{"more", object{"type": "integer", "exclusiveMinimum": 3}, 4, 3},
		{"closed", object{"type": "object", "properties": object{"a": object{}}, "additionalProperties": false},
			object{"a": 1}, object{"b": 1}},
		{"bound", object{"type": "number", "exclusiveMaximum": 3}, 2, 3},
		{"step", object{"type": "integer", "multipleOf": 5}, 10, 12},
		{"least", object{"type": "string", "minLength": 3}, "abc", "ab"},
		{"few", object{"type": "array", "maxItems": 2}, []any{"a", "b"}, []any{"a", "b", "c"}},
		{"some", object{"type": "array", "contains": object{"type": "integer"}}, []any{"a", 1}, []any{"a", "b"}},
		{"filled", object{"type": "object", "minProperties": 1}, object{"a": 1}, object{}},
		{"keys", object{"type": "object", "propertyNames": object{"pattern": "^[a-z]+$"}}, object{"a": 1}, object{"A": 1}},
		{"forms", object{"type": "object", "patternProperties": object{"^n": object{"type": "integer"}}},
			object{"n": 1, "m": "a"}, object{"n": "a"}},
		{"linked", object{"type": "object", "dependentRequired": object{"a": []any{"b"}}}, object{"a": 1, "b": 2},
			object{"a": 1}},
		{"every", object{"allOf": []any{object{"type": "integer"}, object{"minimum": 5}}}, 5, 4},
		{"if", object{"if": object{"type": "string"}, "then": object{"maxLength": 2}}, "ab", "abc"},
		{"inner", inner, object{"parts": []any{object{"label": "a"}}},
			object{"parts": []any{object{"label": "a"}, object{"label": 5}}}},
	}
}

// invalidObject returns an object that breaks the schema of a sample.
func invalidObject(form string, change func(object)) (string, object) {
	o := sampleObject(form)
	change(o)
	return form, o
}

// invalid creates objects that break the schema of a package: the schema of all samples, and one with
// many keywords.
func (c validations) invalid(ctx context.Context, l *suites.Laboratory) error {
	k, err := c.withStoringPackage(ctx, l)
	if err != nil {
		return err
	}
	for _, build := range []func() (string, object){
		func() (string, object) { return invalidObject("lacking", func(o object) { delete(o, title) }) },
		func() (string, object) { return invalidObject("mistyped", func(o object) { o[title] = 5 }) },
		func() (string, object) {
			return invalidObject("inner", func(o object) { o[detail] = object{"open": true} })
		},
		func() (string, object) { return invalidObject("element", func(o object) { o[tags] = []any{"red", 5} }) },
		func() (string, object) { return invalidObject("truth", func(o object) { o[count] = true }) }, // 1 in many languages
		func() (string, object) { return invalidObject("fraction", func(o object) { o[count] = 2.5 }) },
		func() (string, object) { return invalidObject("nothing", func(o object) { o[count] = nil }) },
		func() (string, object) { return invalidObject("empty", func(o object) { o[count] = "" }) },
	} {
		form, o := build()
		if err := k.create(ctx, about{history.AboutBreaks: history.BreaksSchema, history.AboutForm: form}, o); err != nil {
			return err
		}
	}
	if err := k.create(ctx, nil, sampleObject("sound")); err != nil {
		return err
	}
	return c.manyKeywords(ctx, l)
}

// callsPerTurn is the number of objects that are created in one turn. It is small because routers limit
// the number of requests to the model in a turn.
const callsPerTurn = 3

// manyKeywords creates objects under a schema with a keyword in each of many members, and under one with keywords of
// the whole object.
func (c validations) manyKeywords(ctx context.Context, l *suites.Laboratory) error {
	valid, members := sampleObject("sound"), strictMembers()
	for _, m := range members {
		valid[m.name] = m.valid
	}
	var flawed []object
	for _, m := range members {
		o := sampleObject("breaks " + m.name)
		for _, other := range members {
			o[other.name] = other.valid
		}
		o[m.name] = m.invalid
		flawed = append(flawed, o)
	}
	if err := c.validOnly(ctx, l, UseStrictSchema, valid, flawed); err != nil {
		return err
	}
	valid, flawed = sampleObject("sound"), nil
	valid["first"], valid["second"] = "a", "b"
	for _, name := range []string{"unnamed", "first", "third"} {
		o := sampleObject("breaks by " + name)
		o[name] = "long"
		flawed = append(flawed, o)
	}
	return c.validOnly(ctx, l, restrictObject, valid, flawed)
}

// restrictObject gives a package a schema that restricts the object as a whole: it has no further members, one member
// requires another, and a part of the schema restricts a third.
func restrictObject(s *sample.Package) {
	changeSchema(s, func(schema, properties object) {
		properties["first"], properties["second"], properties["third"] = object{}, object{}, object{}
		schema["additionalProperties"] = false
		schema["dependentRequired"] = object{"first": []any{"second"}}
		schema["allOf"] = []any{object{"properties": object{"third": object{"maxLength": 2}}}}
	})
}

// validOnly creates a valid object under a schema, and then objects that break it. The valid object is first, so that a
// subject that validates only the first object fails. If the subject does not install the package, validOnly does
// nothing.
func (c validations) validOnly(ctx context.Context, l *suites.Laboratory, change func(*sample.Package), valid object,
	flawed []object) error {
	k, err := c.withNewPackage(ctx, l, change)
	if inconclusive := (*verdict.Inconclusive)(nil); errors.As(err, &inconclusive) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := k.create(ctx, about{history.AboutForm: history.FormManyKeywords}, valid); err != nil {
		return err
	}
	for chunk := range slices.Chunk(flawed, callsPerTurn) {
		script := environment.Script{}
		for _, o := range chunk {
			arguments := object{"schema_uri": k.pkg.SchemaURI, "object": o}
			script.Calls = append(script.Calls, environment.ToolCall{Name: sample.Create, Arguments: arguments})
		}
		if _, err := k.sendScripted(ctx,
			about{history.AboutBreaks: history.BreaksSchema, history.AboutForm: "keywords"}, script); err != nil {
			return err
		}
		if err := k.queryByID(ctx, chunk...); err != nil {
			return err
		}
	}
	return nil
}

// UseStrictSchema gives a package a schema with many keywords. The parameters of its tools do not
// contain the schema, because some model services refuse some keywords.
func UseStrictSchema(s *sample.Package) {
	changeSchema(s, func(schema, properties object) {
		for _, m := range strictMembers() {
			properties[m.name] = m.schema
		}
		schema["$defs"] = object{"part": object{"type": "object", "required": []any{"label"}}}
	})
}

// changeSchema changes the schema of a sample, and removes it from the parameters of its tools.
func changeSchema(s *sample.Package, change func(schema, properties object)) {
	var schema object
	_ = json.Unmarshal([]byte(s.Schema), &schema) // the harness wrote it
	properties, _ := schema["properties"].(object)
	change(schema, properties)
	s.Schema = string(jsonvalue.Encode(schema))
	for i, tool := range s.Tools {
		var parameters object
		_ = json.Unmarshal(tool.Parameters, &parameters) // as above
		if properties, _ := parameters["properties"].(object); properties["object"] != nil {
			properties["object"] = object{"type": "object"}
			s.Tools[i].Parameters = jsonvalue.Encode(parameters)
		}
	}
}

// memberStage is the member that only the stricter schema has.
const memberStage = "stage"

// stricterSchema upgrades a package to a version with another verb and a stricter schema. The new
// version is compatible with the previous one.
func (c validations) stricterSchema(ctx context.Context, l *suites.Laboratory) error {
	if _, err := c.withStoringPackage(ctx, l); err != nil {
		return err
	}
	old, err := c.withNewPackage(ctx, l, nil)
	if err != nil {
		return err
	}
	if err := old.create(ctx, nil, sampleObject("kept")); err != nil {
		return err
	}
	newer := c.NewVersion(old.pkg)
	newer.AddBuiltInTools(sample.Update)
	changeSchema(newer, func(_, properties object) { properties[memberStage] = object{"type": "integer"} })
	if err := c.upgrade(ctx, l, old.pkg, newer); err != nil {
		return err
	}
	k, how := c.conversation(l, newer), about{history.AboutSince: history.SinceUpgrade}
	early := sampleObject("early")
	if err := k.create(ctx, nil, early); err != nil {
		return err
	}
	if err := k.update(ctx, how, early, []any{replaceTitle("late")}); err != nil {
		return err
	}
	if err := k.queryByID(ctx, early); err != nil {
		return err
	}
	both, stage := sampleObject("unsound"), sampleObject("unsound")
	both[title], stage[memberStage] = 5, "first"
	if err := k.create(ctx, about{history.AboutBreaks: history.BreaksSchema}, both); err != nil {
		return err
	}
	how[history.AboutBreaks] = history.BreaksSchema
	return k.create(ctx, how, stage)
}

// failingTool shows how the subject reports the failure and the success of a tool to the model.
func (c validations) failingTool(ctx context.Context, l *suites.Laboratory) error {
	if err := c.Ready(); err != nil {
		return err
	}
	const toolFails = "stumble"
	k, err := c.withNewPackage(ctx, l, func(s *sample.Package) {
		s.AddBoundTool(toolFails, "http_get", map[string]string{"url": c.Environment.Tools.URL(environment.Fails, s.Mark)})
	})
	if err != nil {
		return err
	}
	topic := func() object { return object{"topic": "topic " + environment.NewMark()} }
	if _, err := k.callTool(ctx, about{history.AboutForm: history.FormFails}, k.pkg.ToolName(toolFails),
		topic()); err != nil {
		return err
	}
	_, err = k.callTool(ctx, about{history.AboutForm: history.FormWorks}, k.pkg.ToolName(toolLookup), topic())
	return err
}
