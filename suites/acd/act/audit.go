package act

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/verdict"
)

// audits examine which records of an invocation are logged.
type audits struct{ bench }

// everyWay calls copies whose invocations must be logged: twice, in every mode, through channels, concurrently, and
// one that fails.
func (b audits) everyWay(ctx context.Context) error {
	t, of, err := b.template()
	if err != nil {
		return err
	}
	c, err := b.register(ctx, of, func(d object) { history.Set(d, "audit.log_invocation", true) })
	if err != nil {
		return err
	}
	plain := b.invocationOf(c, t.Mode, c.Required()...)
	b.callAndRead(ctx, c, 0, append([]invocation{plain, plain}, b.ways(c)...)...)
	b.concurrent(ctx, of, t.Mode)
	b.loggedLater(ctx, of, t.Mode)
	b.failing(ctx, func(d object) { history.Set(d, "audit.log_invocation", true) })
	return nil
}

// loggedLater calls a copy whose invocations must be logged from an update on.
func (b audits) loggedLater(ctx context.Context, of *history.Item, mode string) {
	c, err := b.register(ctx, of, func(d object) { history.Set(d, "audit.log_invocation", false) })
	if err != nil {
		return
	}
	history.Set(c.Members, "audit.log_invocation", true)
	if b.updates(ctx, c) {
		b.callAndRead(ctx, c, 0, b.invocationOf(c, mode, c.Required()...))
	}
}

// auditAbsent calls copies that omit a member of audit, or all of audit. A copy with all members is the control.
func (b audits) auditAbsent(ctx context.Context) error {
	t, of, err := b.template()
	if err != nil {
		return err
	}
	control, err := b.register(ctx, of, func(d object) { history.Set(d, "audit.log_invocation", true) })
	if err != nil {
		return err
	}
	plain := b.invocationOf(control, t.Mode, control.Required()...)
	b.callAndRead(ctx, control, 0, plain, plain)
	var refused error
	taken := 0
	for _, paths := range [][]string{{"audit.log_invocation"}, {"audit.log_inputs", "audit.log_outputs"}, {"audit"}} {
		c, err := b.register(ctx, of, func(d object) {
			for _, path := range paths {
				drop(d, path)
			}
		})
		if err != nil {
			refused = err
			continue
		}
		taken++
		plain := b.invocationOf(c, t.Mode, c.Required()...)
		b.callAndRead(ctx, c, 0, plain, plain)
	}
	if taken == 0 {
		return refused
	}
	return nil
}

// auditing returns an edit that sets the audit of a copy.
func auditing(inputs, outputs bool) func(object) {
	return func(d object) {
		history.Set(d, "audit", object{"log_invocation": true, "log_inputs": inputs, "log_outputs": outputs})
	}
}

// values calls copies with every combination of logged values, and updates some of them to log no values.
func (b audits) values(ctx context.Context) error {
	t, of, err := b.template()
	if err != nil {
		return err
	}
	if t.Mark == "" {
		return &verdict.Inconclusive{
			Reason: "the input of " + of.ID + " has no string that could be marked",
			Supply: "register conformance.echo, or name a capability that accepts a string: roles: {acd: {echo: {capability: ID, input: {...}}}}",
		}
	}
	for _, kept := range [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}} {
		c, err := b.register(ctx, of, auditing(kept[0], kept[1]))
		if err != nil {
			return err
		}
		plain := b.invocationOf(c, t.Mode, c.Required()...)
		if !kept[0] && !kept[1] {
			b.callAndRead(ctx, c, 0, append([]invocation{plain}, b.ways(c)...)...)
			continue
		}
		found := b.callAndRead(ctx, c, 0, plain)
		auditing(false, false)(c.Members)
		if b.updates(ctx, c) {
			b.callAndRead(ctx, c, found, plain)
		}
	}
	for _, inputs := range []bool{false, true} {
		b.failing(ctx, auditing(inputs, false))
	}
	return nil
}

// ways returns calls of a copy through channels, and in the other modes in which the template ran.
func (b audits) ways(c *history.Item) []invocation {
	t := b.History.Template()
	all := b.onChannels(b.invocationOf(c, t.Mode, c.Required()...))
	for _, mode := range t.Modes {
		if mode != t.Mode {
			all = append(all, b.invocationOf(c, mode, c.Required()...))
		}
	}
	return all
}

// concurrent makes several calls of a copy at the same time. Its invocations must be logged.
func (b audits) concurrent(ctx context.Context, of *history.Item, mode string) {
	c, err := b.register(ctx, of, func(d object) { history.Set(d, "audit.log_invocation", true) })
	if err != nil {
		return
	}
	b.concurrently(ctx, slices.Repeat([]invocation{b.invocationOf(c, mode, c.Required()...)}, together)...)
	b.audit(ctx, c, together)
}

// callAndRead calls a copy, with a mark in each input, and reads its records.
func (b audits) callAndRead(ctx context.Context, c *history.Item, before int, calls ...invocation) (found int) {
	ran := before
	var marks []string
	for _, u := range calls {
		var mark string
		if history.TextMember(u.input) != "" {
			u.input, mark = marked(u.input)
		}
		if b.invoke(ctx, u).Accepted() {
			ran++
			marks = append(marks, mark)
		}
	}
	return b.audit(ctx, c, ran, marks...)
}

// failing calls a copy of the capability with the role fails, and reads what is logged of the call.
func (b audits) failing(ctx context.Context, edit func(object)) {
	p, assigned := b.Players["fails"]
	if !assigned || len(p.Capability.Modes()) == 0 || b.Gate.ReasonAgainst(p.Capability.ID, "") != "" {
		return
	}
	c, err := b.register(ctx, p.Capability, edit)
	if err != nil {
		return
	}
	input, _ := b.Input(p.Capability)
	if history.TextMember(input) == "" { // the input may be invalid: a copy that refuses it proves nothing
		input = object{freeText(c): "text"}
	}
	made, mark := marked(input)
	b.log(ctx)
	if b.invoke(ctx, invocation{id: c.ID, mode: c.Modes()[0], held: c.Required(), input: made}).Refused() {
		b.log(ctx)
		b.audit(ctx, c, 1, mark)
	}
}

// freeText returns the name of an input member that accepts any text.
func freeText(c *history.Item) string {
	properties, _ := history.Member(c.Members, "inputs.schema.properties").(object)
	texts := object{}
	for name, schema := range properties {
		if history.Text(schema, "type") == "string" {
			texts[name] = "text"
		}
	}
	if name := history.TextMember(texts); name != "" {
		return name
	}
	return "message"
}
