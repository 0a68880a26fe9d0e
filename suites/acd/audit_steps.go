package acdsuite

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
)

var auditSentences = []sentence{
	try(`invocations are logged`, (*world).allLogged),
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

// invocationsLogged wants records of what was invoked directly.
func (w *world) invocationsLogged(ctx context.Context) error {
	c, err := w.register(ctx, func(d object) { history.Put(d, "audit.log_invocation", true) })
	if err != nil {
		return err
	}
	return w.logged(ctx, c, false)
}

// allLogged looks at invocations that succeed, in every mode and through channels, and at
// one that fails.
func (w *world) allLogged(ctx context.Context) error {
	c, err := w.register(ctx, func(d object) { history.Put(d, "audit.log_invocation", true) })
	if err != nil {
		return err
	}
	if err := w.logged(ctx, c, true); err != nil {
		return err
	}
	return w.failureLogged(ctx)
}

// logged invokes a copy twice or more and wants a record each time.
func (w *world) logged(ctx context.Context, c *capability, everyWay bool) error {
	var calls []invocation
	for range 2 {
		calls = append(calls, w.calling(c, w.template.mode, c.required()...))
	}
	if everyWay {
		calls = append(calls, w.ways(c, w.template.input)...)
	}
	ran := 0
	for at, i := range calls {
		a := w.invoke(ctx, i)
		if err := w.control(a, "a copy does not run"); err != nil && at < 2 {
			return err
		}
		if a.accepted() {
			ran++
		}
	}
	all, err := w.recordsOf(ctx, c.id, ran)
	if err != nil {
		return err
	}
	if len(all) < ran {
		return broken("an invocation is not logged", fmt.Sprint("a record for each of ", ran, " invocations"), all)
	}
	return nil
}

// ways are the calls of a copy in the other modes in which it ran, and through channels.
func (w *world) ways(c *capability, input any) []invocation {
	i := invocation{id: c.id, mode: w.template.mode, permissions: c.required(), input: input}
	all := w.onChannels(i)
	for _, i.mode = range w.template.modes {
		if i.mode != w.template.mode {
			all = append(all, i)
		}
	}
	return all
}

// recordsOf gives the records of a capability, once there are so many, or after a while.
func (w *world) recordsOf(ctx context.Context, id string, wanted int) (all []object, err error) {
	soon(ctx, func() bool {
		all, err = w.records(ctx, id)
		return err != nil || len(all) >= wanted
	})
	return all, err
}

// failing invokes a copy of what plays fails, with a mark in its input. It gives no copy
// where nothing plays that, or where the copy does not fail.
func (w *world) failing(ctx context.Context, edit func(object)) (c *capability, mark string) {
	p, cast := w.players[roleFails]
	if !cast || len(p.Capability.modes()) == 0 || w.reasonAgainst(p.Capability) != "" {
		return nil, ""
	}
	c, err := w.registerCopy(ctx, p.Capability, edit)
	if err != nil {
		return nil, ""
	}
	input, _ := w.input(p.Capability)
	made, mark, possible := marked(template{input: input})
	if !possible {
		made, mark, _ = marked(template{input: object{freeText(c): "text"}})
	}
	ran := func() int { return w.runs(ctx, c.id) }
	before := ran()
	a := w.invoke(ctx, invocation{id: c.id, mode: c.modes()[0], permissions: c.required(), input: made})
	if !a.refused() || w.execLog.accepted() && ran() == before {
		return nil, "" // it did not get as far as to fail
	}
	return c, mark
}

// freeText names a member of an input that takes any text. It need not be right: a copy
// that refuses the input shows nothing.
func freeText(c *capability) string {
	properties, _ := member(c.members, "inputs.schema.properties").(object)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if text(properties[name], "type") == "string" {
			return name
		}
	}
	return "message"
}

// failureLogged wants a record of an invocation that ran and failed. Only the log of
// executions tells it from one that was refused.
func (w *world) failureLogged(ctx context.Context) error {
	if !w.execLog.accepted() {
		return nil
	}
	c, _ := w.failing(ctx, func(d object) { history.Put(d, "audit.log_invocation", true) })
	if c == nil {
		return nil
	}
	all, err := w.recordsOf(ctx, c.id, 1)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return broken("an invocation that failed is not logged", "a record of it", "none for a copy of "+w.players[roleFails].Capability.id)
	}
	return nil
}

// marked puts a text that stands in no other place into the input of a template.
func marked(t template) (input any, mark string, possible bool) {
	mark = "capconform-" + uuid.NewString()[:8]
	members, _ := deep(t.input).(object)
	if raw, given := t.input.(json.RawMessage); given {
		value := schemas.ReadValue(raw) // it was read from the target file as JSON
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
func (w *world) loud(ctx context.Context, c *capability, everyWay bool) (records []object, mark string, output any, err error) {
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
	ran := 1
	for _, i := range w.ways(c, input) {
		if everyWay && w.invoke(ctx, i).accepted() {
			ran++
		}
	}
	records, err = w.recordsOf(ctx, c.id, ran)
	if err == nil && len(records) == 0 {
		err = suites.Undecided("the invocation is not logged: see ACD-SDK6-01")
	}
	return records, mark, member(a.value, "output"), err
}

// silent wants neither input nor output in the records of a copy.
func (w *world) silent(ctx context.Context, c *capability) error {
	records, mark, _, err := w.loud(ctx, c, false)
	if err != nil {
		return err
	}
	if holdsText(records, mark) {
		return broken("what is not to be logged stands in a record", "records without the values of the invocation", records)
	}
	return nil
}

// valuesLogged looks at copies that ask for a value to be logged, and at ones that ask
// for it not to be, also where the other value is.
func (w *world) valuesLogged(ctx context.Context, what string) error {
	for _, wanted := range []bool{true, false} {
		if err := w.valueLogged(ctx, what, wanted); err != nil {
			return err
		}
	}
	if err := w.besideTheOther(ctx, what); err != nil || what != "inputs" {
		return err
	}
	return w.failureKeepsQuiet(ctx)
}

// others are what else may be logged.
var others = map[string]string{"inputs": "outputs", "outputs": "inputs"}

// auditing is a copy's part of the audit.
func auditing(what string, wanted, other bool) func(object) {
	return func(d object) {
		history.Put(d, "audit", object{"log_invocation": true, "log_" + what: wanted, "log_" + others[what]: other})
	}
}

func (w *world) valueLogged(ctx context.Context, what string, wanted bool) error {
	member, other := strings.TrimSuffix(what, "s"), strings.TrimSuffix(others[what], "s")
	c, err := w.register(ctx, auditing(what, wanted, false))
	if err != nil {
		return err
	}
	records, mark, output, err := w.loud(ctx, c, !wanted)
	if err != nil {
		return err
	}
	if what == "outputs" && !holdsText(output, mark) {
		return suites.Undecided("the output of %s does not hold what its input does", w.template.of.id)
	}
	there := besides(records, other, mark)
	switch {
	case wanted && !there:
		return broken(what+" are not logged although the descriptor says so", member+" in the record", records)
	case !wanted && there:
		return broken(what+" are logged although the descriptor says otherwise", "a record without "+member, records)
	case wanted:
		return w.loggedNoLonger(ctx, what, c)
	}
	return nil
}

// besides tells whether a text stands in a record in another place than a member.
func besides(records []object, name, mark string) bool {
	return slices.ContainsFunc(records, func(r object) bool {
		kept := maps.Clone(r)
		delete(kept, name)
		return holdsText(kept, mark)
	})
}

// loggedNoLonger tells a copy by an update to log no values any more.
func (w *world) loggedNoLonger(ctx context.Context, what string, c *capability) error {
	auditing(what, false, false)(c.members)
	before, err := w.records(ctx, c.id)
	if err != nil || !w.updates(ctx, c) {
		return err // ACD-SDK1-10
	}
	input, mark, _ := marked(w.template)
	if !w.invoke(ctx, invocation{id: c.id, mode: w.template.mode, permissions: c.required(), input: input}).accepted() {
		return nil
	}
	records, err := w.recordsOf(ctx, c.id, len(before)+1)
	if err != nil {
		return err
	}
	if besides(records, strings.TrimSuffix(others[what], "s"), mark) {
		return broken(what+" are logged although an update says otherwise", "a record without them", records)
	}
	return nil
}

// besideTheOther logs one value and not the other, which must not come in its place.
func (w *world) besideTheOther(ctx context.Context, what string) error {
	c, err := w.register(ctx, auditing(what, false, true))
	if err != nil {
		return err
	}
	records, mark, _, err := w.loud(ctx, c, false)
	if err != nil {
		return err
	}
	value := strings.TrimSuffix(what, "s")
	for _, r := range records {
		if holdsText(r[value], mark) {
			return broken(what+" are logged although only "+others[what]+" are to be", "a record without "+value, records)
		}
	}
	return nil
}

// failureKeepsQuiet looks at the record of an invocation that failed.
func (w *world) failureKeepsQuiet(ctx context.Context) error {
	c, mark := w.failing(ctx, auditing("inputs", false, false))
	if c == nil || mark == "" {
		return nil
	}
	records, err := w.recordsOf(ctx, c.id, 1)
	if err != nil {
		return err
	}
	if holdsText(records, mark) {
		return broken("inputs are logged where an invocation fails, although the descriptor says otherwise", "a record without input", records)
	}
	return nil
}

// holdsText tells whether a text stands anywhere in a value.
func holdsText(v any, part string) bool { return strings.Contains(string(suites.Encode(v)), part) }
