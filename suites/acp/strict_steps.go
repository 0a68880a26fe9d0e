package acpsuite

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/driver"
)

// strictSentences are about schemas that ask for much, and calls that go beyond them.
var strictSentences = []sentence{
	say(`a package whose schema asks for much is installed`, func(w *world) any { return w.installStrict }),
	say(`the model creates a sound object and others that break one keyword each`, func(w *world) any { return w.createFlawed }),
	say(`only the sound one is stored`, func(w *world) any { return w.onlySoundStored }),
	say(`the model changes and deletes an object under a schema URI that no package owns`, func(w *world) any { return w.changeElsewhere }),
	say(`a query under that URI does not give it`, func(w *world) any { return w.notGivenElsewhere }),
	say(`a package that keeps objects is upgraded by one with another verb and a stricter schema`, func(w *world) any { return w.upgradeKeeper }),
	say(`the model can use the verb`, func(w *world) any { return w.newVerbWorks }),
	say(`an object that breaks the stricter schema is not stored`, func(w *world) any { return w.newSchemaHolds }),
}

// asks is a member of a schema that asks for much, and values that keep and break it.
type asks struct {
	name          string
	schema        object
	sound, flawed any
}

// strictMembers break a keyword each.
func strictMembers() []asks {
	part := object{"type": "object", "properties": object{"label": object{"type": "string"}}, "required": []any{"label"}}
	return []asks{
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
		{"closed", object{"type": "object", "properties": object{"a": object{}}, "additionalProperties": false}, object{"a": 1}, object{"b": 1}},
		{"inner", object{"type": "object", "properties": object{"parts": object{"type": "array", "items": part}}}, object{"parts": []any{object{"label": "a"}}}, object{"parts": []any{object{"label": "a"}, object{"label": 5}}}},
	}
}

// installStrict offers a package whose model is shown nothing of all that the schema
// asks for: services for models refuse some keywords.
func (w *world) installStrict(ctx context.Context) error {
	if err := w.needState(ctx); err != nil {
		return err
	}
	w.it = w.strictSpecimen()
	if err := w.publish(ctx, w.it); err != nil {
		return err
	}
	answer, err := w.install(ctx, w.it.ID, w.it.CID)
	if err == nil && answer.Outcome != driver.Returned {
		return suites.NotObserved("an object under this schema, since the subject installs no package with it: %s", suites.Received(answer, nil))
	}
	return err
}

func (w *world) strictSpecimen() *specimen {
	s := w.Sample()
	schema := w.schemaOf(s)
	properties, _ := schema["properties"].(object)
	for _, member := range strictMembers() {
		properties[member.name] = member.schema
	}
	schema["$defs"] = object{"part": object{"type": "object", "required": []any{"label"}}}
	w.reschema(s, schema)
	return s
}

// schemaOf reads the schema of a sample.
func (w *world) schemaOf(s *specimen) object {
	var schema object
	_ = json.Unmarshal([]byte(s.Schema), &schema) // it was written by us
	return schema
}

// reschema gives a sample another schema, of which its tools say nothing.
func (w *world) reschema(s *specimen, schema object) {
	s.Schema = string(suites.Encode(schema))
	for _, tool := range s.Tools {
		parameters, _ := tool.Parameters.(object)
		if properties, _ := parameters["properties"].(object); properties["object"] != nil {
			properties["object"] = object{"type": "object"}
		}
	}
}

// callsAtOnce is how many objects are created in one turn: routers bound how often they
// ask a model in one.
const callsAtOnce = 3

// createFlawed begins with the sound one: who validates the first object alone is
// found out by the others.
func (w *world) createFlawed(ctx context.Context) error {
	all, _ := batch("sound")
	sound := all[0]
	for _, member := range strictMembers() {
		sound[member.name] = member.sound
	}
	w.objects = all
	calls := []environment.ToolCall{w.creation(sound)}
	for _, member := range strictMembers() {
		flawed := sampleObject("breaks " + member.name)
		flawed[memberNote] = sound[memberNote]
		for _, other := range strictMembers() {
			flawed[other.name] = other.sound
		}
		flawed[member.name] = member.flawed
		w.strays = append(w.strays, flawed)
		calls = append(calls, w.creation(flawed))
	}
	for some := range slices.Chunk(calls, callsAtOnce) {
		if err := w.offeredTool(w.askFor(ctx, w.conversation, w.it, environment.Script{Calls: some})); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) creation(o object) environment.ToolCall {
	return environment.ToolCall{Name: toolCreate, Arguments: object{"schema_uri": w.it.SchemaURI, "object": o}}
}

// onlySoundStored looks at all of them at once, by what they have in common.
func (w *world) onlySoundStored(ctx context.Context) error {
	sound := w.objects[0]
	found := w.sought(ctx, w.conversation, w.it, object{memberNote: sound[memberNote]})
	if found.err != nil {
		return found.err
	}
	for _, o := range w.strays {
		if len(found.About(idOf(o))) > 0 {
			w.cite(found.requests...)
			return suites.Violated("an object that breaks the schema is stored", "nothing of "+suites.Print(o), found.Print())
		}
	}
	if len(found.About(idOf(sound))) == 0 {
		return suites.Undecided("the subject stores no object of a schema like this, so that it shows nothing that the others are not stored")
	}
	return nil
}

// changeElsewhere names a schema URI for an object that lies under another one.
func (w *world) changeElsewhere(ctx context.Context) error {
	if err := w.createOne(ctx); err != nil {
		return err
	}
	id, uri := idOf(w.objects[0]), w.foreignURI()
	for _, call := range []environment.ToolCall{
		{Name: toolUpdate, Arguments: object{"schema_uri": uri, "id": id, "patch": []any{object{"op": "replace", "path": "/" + memberTitle, "value": "changed"}}}},
		{Name: toolDelete, Arguments: object{"schema_uri": uri, "id": id, "mode": "soft"}},
	} {
		if err := w.offeredTool(w.order(ctx, w.conversation, w.it, call)); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) notGivenElsewhere(ctx context.Context) error {
	return w.notUnderForeign(ctx, w.objects[0], "an object is found under a schema URI that is not its own")
}

// memberStage is one that the stricter schema has more.
const memberStage = "stage"

// upgradeKeeper: what is new is compatible with what was there.
func (w *world) upgradeKeeper(ctx context.Context) error {
	if err := w.needWhole(ctx); err != nil {
		return err
	}
	old := w.Sample()
	if err := w.mounted(ctx, old); err != nil {
		return err
	}
	w.it = old
	if err := w.createOne(ctx); err != nil {
		return err
	}
	newer := w.Upgraded(old)
	newer.Keeps(toolUpdate)
	schema := w.schemaOf(newer)
	properties, _ := schema["properties"].(object)
	properties[memberStage] = object{"type": "integer"}
	w.reschema(newer, schema)
	return w.upgradeTo(ctx, newer)
}

func (w *world) newVerbWorks(ctx context.Context) error {
	o := sampleObject("early")
	if err := w.offeredTool(w.create(ctx, w.conversation, w.it, o)); err != nil {
		return err
	}
	if _, about, err := w.seen(ctx, o); err != nil || len(about) == 0 {
		return suites.Undecided("no object that is created is found by its id: see ACP-ABS-03")
	}
	patch := []any{object{"op": "replace", "path": "/" + memberTitle, "value": "late"}}
	if err := w.calledTool(w.update(ctx, w.conversation, w.it, idOf(o), patch)); err != nil {
		return err
	}
	return w.holds(ctx, object{memberID: o[memberID], memberTitle: "late"}, "a verb that the new version declares does not work")
}

// newSchemaHolds looks first whether anything is held to a schema at all.
func (w *world) newSchemaHolds(ctx context.Context) error {
	flawed := sampleObject("unsound")
	flawed[memberTitle] = 5
	if err := w.offeredTool(w.create(ctx, w.conversation, w.it, flawed)); err != nil {
		return err
	}
	if _, about, err := w.seen(ctx, flawed); err != nil || len(about) > 0 {
		return suites.Undecided("an object is stored that both versions forbid: see ACP-EXEC-04")
	}
	o := sampleObject("unsound")
	o[memberStage] = "first"
	w.strays = []object{o}
	if err := w.offeredTool(w.create(ctx, w.conversation, w.it, o)); err != nil {
		return err
	}
	return w.noStray(ctx, "an object is stored that the schema of the new version forbids")
}
