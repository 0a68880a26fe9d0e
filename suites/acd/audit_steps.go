package acdsuite

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/google/uuid"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
)

var auditSentences = []sentence{
	try(`invocations are logged`, (*world).invocationsLogged),
	tryWord(`(inputs|outputs) are logged as declared`, (*world).valuesLogged),
}

// records gives those of a capability.
func (w *world) records(ctx context.Context, id string) ([]object, error) {
	a := w.call(ctx, opAudit, object{})
	if err := a.missing(); err != nil {
		return nil, err
	}
	list, _ := member(a.value, "records").([]any)
	if list == nil {
		list, _ = a.value.([]any)
	}
	var all []object
	for _, item := range list {
		if r, is := item.(object); is && r["capability_id"] == id {
			all = append(all, r)
		}
	}
	return all, nil
}

func (w *world) invocationsLogged(ctx context.Context) error {
	c, err := w.register(ctx, func(d object) { put(d, "audit.log_invocation", true) })
	if err != nil {
		return err
	}
	return w.logged(ctx, c)
}

// logged invokes a copy twice and wants two records.
func (w *world) logged(ctx context.Context, c *capability) error {
	const often = 2
	for range often {
		if err := w.control(w.use(ctx, c, w.template.mode, c.required()), "a copy does not run"); err != nil {
			return err
		}
	}
	all, err := w.records(ctx, c.id)
	if err != nil {
		return err
	}
	if len(all) < often {
		return broken("an invocation is not logged", "a record for each of 2 invocations", all)
	}
	return nil
}

// marked puts a text that stands in no other place into the input of a template.
func marked(t template) (input any, mark string, possible bool) {
	mark = "capconform-" + uuid.NewString()[:8]
	members, _ := deep(t.input).(object)
	if raw, given := t.input.(json.RawMessage); given {
		value, _ := schemas.Decode(raw, schemas.Limits{Size: len(raw) + 1}) // it was read from the target file as JSON
		members, _ = value.(object)
	}
	for name, value := range members {
		if _, isText := value.(string); isText {
			members[name] = mark
			return members, mark, true
		}
	}
	return nil, "", false
}

// loud invokes a copy with a marked input and gives its records and the output.
func (w *world) loud(ctx context.Context, c *capability) (records []object, mark string, output any, err error) {
	input, mark, possible := marked(w.template)
	if !possible {
		return nil, "", nil, &suites.Inconclusive{
			Reason: "the input of " + w.template.of.id + " has no text that could be marked",
			Supply: "register conformance.echo, or name a capability that takes a text: roles: {acd: {echo: {capability: ID, input: {...}}}}",
		}
	}
	a := w.invoke(ctx, invocation{id: c.id, mode: w.template.mode, permissions: c.required(), input: input})
	if err := w.control(a, "a copy does not run with "+suites.Print(input)); err != nil {
		return nil, "", nil, err
	}
	records, err = w.records(ctx, c.id)
	if err == nil && len(records) == 0 {
		err = suites.Undecided("the invocation is not logged: see ACD-SDK6-01")
	}
	return records, mark, member(a.value, "output"), err
}

// silent wants neither input nor output in the records of a copy.
func (w *world) silent(ctx context.Context, c *capability) error {
	records, mark, _, err := w.loud(ctx, c)
	if err != nil {
		return err
	}
	if holdsText(records, mark) {
		return broken("what is not to be logged stands in a record", "records without the values of the invocation", records)
	}
	return nil
}

// valuesLogged looks at copies that ask for a value to be logged, and at ones that ask
// for it not to be.
func (w *world) valuesLogged(ctx context.Context, what string) error {
	member, other := strings.TrimSuffix(what, "s"), map[string]string{"inputs": "output", "outputs": "input"}[what]
	for _, wanted := range []bool{true, false} {
		c, err := w.register(ctx, func(d object) {
			put(d, "audit", object{"log_invocation": true, "log_inputs": false, "log_outputs": false})
			put(d, "audit.log_"+what, wanted)
		})
		if err != nil {
			return err
		}
		records, mark, output, err := w.loud(ctx, c)
		if err != nil {
			return err
		}
		if what == "outputs" && !holdsText(output, mark) {
			return suites.Undecided("the output of %s does not hold what its input does", w.template.of.id)
		}
		there := false
		for _, r := range records {
			kept := deep(r).(object) //nolint:forcetypeassert // a copy of an object is one
			delete(kept, other)
			there = there || holdsText(kept, mark)
		}
		switch {
		case wanted && !there:
			return broken(what+" are not logged although the descriptor says so", member+" in the record", records)
		case !wanted && there:
			return broken(what+" are logged although the descriptor says otherwise", "a record without "+member, records)
		}
	}
	return nil
}

// holdsText tells whether a text stands anywhere in a value.
func holdsText(v any, part string) bool { return strings.Contains(string(suites.Encode(v)), part) }
