package act

import (
	"context"
	"maps"
	"strings"
	"time"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/reading"
)

// object is a JSON object of the text.
type object = history.Object

// laboratory makes the calls of one stimulus.
type laboratory struct {
	*Caller
	lab     *suites.Laboratory
	about   map[string]string // of every call, until it is changed
	copies  []string          // the ids of those that are registered
	origins map[string]string // of what a copy is one
}

// call carries an operation. The entry says what came of it.
func (b *laboratory) call(ctx context.Context, operation string, params object) *history.Call {
	if b.History.Unanswered() && strings.HasPrefix(operation, history.OpPath) {
		// others than what it serves get no answer at all
		return &history.Call{Operation: operation, Outcome: "not-provided"}
	}
	if params == nil {
		params = object{}
	}
	op := driver.Operation{Name: operation, Params: jsonvalue.Encode(params), List: history.Lists(operation)}
	entry, _, err := b.lab.Do(ctx, suites.Call{About: b.labels(params), Operation: op})
	if c := b.History.At(entry.Begun); c != nil {
		return c
	}
	return &history.Call{Observed: reading.Observed{Lost: err}, Operation: operation, Params: params}
}

// labels are the parameters of a call: of what a copy is one, where the call makes one.
func (b *laboratory) labels(params object) map[string]string {
	made := history.Text(params, "descriptor.capability_id")
	if made == "" {
		made = history.Text(params, "input.descriptor.capability_id")
	}
	of, copied := b.origins[made]
	if !copied {
		return b.about
	}
	about := map[string]string{history.AboutCopyOf: of}
	maps.Copy(about, b.about)
	return about
}

// step names the part of a stimulus to which the next calls belong.
func (b *laboratory) step(name string) { b.about = map[string]string{history.AboutStep: name} }

// use is one call of the engine.
type use struct {
	id, mode, channel string
	held              []string
	input             any
}

func paramsOf(u use) object {
	held := []any{}
	for _, p := range u.held {
		held = append(held, p)
	}
	params := object{
		"capability_id": u.id, "mode": u.mode, "input": u.input, "principal": object{"id": "capconform", "permissions": held},
	}
	if u.input == nil {
		params["input"] = object{}
	}
	if u.channel != "" {
		params["channel"] = u.channel
	}
	return params
}

func (b *laboratory) invoke(ctx context.Context, u use) *history.Call {
	return b.call(ctx, history.OpInvoke, paramsOf(u))
}

// get reads one entry, by get or else in the whole list; nil where it is not there.
func (b *laboratory) get(ctx context.Context, id string) object {
	c := b.call(ctx, history.OpGet, object{"capability_id": id})
	if !c.Served() || c.Lost != nil {
		c = b.whole(ctx)
	}
	if i := c.EntryOf(id); i != nil {
		return i.Members
	}
	return nil
}

// whole asks for the whole registry.
func (b *laboratory) whole(ctx context.Context) *history.Call {
	return b.call(ctx, b.History.Registry().Operation, object{})
}

// reads asks for a copy and for the whole list.
func (b *laboratory) reads(ctx context.Context, c *history.Item) {
	b.get(ctx, c.ID)
	b.whole(ctx)
}

// query asks the registry's own operation, or else the path of the text, which is printed
// with one of three parameters and no other.
func (b *laboratory) query(ctx context.Context, filters object) *history.Call {
	c := b.call(ctx, history.OpQuery, filters)
	if !c.Served() && printedQuery(filters) {
		if path := b.call(ctx, history.OpPath, filters); path.Served() {
			return path
		}
	}
	return c
}

func (b *laboratory) queries(ctx context.Context, all ...object) {
	for _, filters := range all {
		b.query(ctx, filters)
	}
}

func printedQuery(filters object) bool {
	return len(filters) == 1 && (filters["kind"] != nil || filters["invocation"] != nil || filters["execution"] != nil)
}

func (b *laboratory) declare(ctx context.Context, channel string) *history.Call {
	return b.call(ctx, history.OpDeclare, object{"channel_id": channel})
}

// logged reports whether the agent shows what it executed.
func (b *laboratory) logged() bool {
	logs := b.History.Of(history.OpExecLog)
	return len(logs) > 0 && logs[0].Accepted()
}

// log reads the log of executions, nil if there is none.
func (b *laboratory) log(ctx context.Context) *history.Call {
	if !b.logged() {
		return nil
	}
	return b.call(ctx, history.OpExecLog, object{})
}

// pauses lie between the looks at what may be written a moment after the answer, such
// as a record: the text does not say when. They are a second together, as
// suites/acd/ADAPTER.md says.
var pauses = []time.Duration{20, 60, 120, 300, 500}

// soon looks until something is so, or the last pause is over.
func soon(ctx context.Context, isSo func() bool) bool {
	for _, pause := range pauses {
		if isSo() {
			return true
		}
		timer := time.NewTimer(pause * time.Millisecond)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return isSo()
		}
	}
	return isSo()
}
