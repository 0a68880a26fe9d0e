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
	about   map[string]string // the parameters of the next calls
	copies  []string          // the ids of the registered copies
	origins map[string]string // the originals of copies, by the id of the copy
}

// call performs an operation. The entry of the record contains the answer.
func (b *laboratory) call(ctx context.Context, operation string, params object) *history.Call {
	if b.History.UndefinedPathUnanswered() && strings.HasPrefix(operation, history.OpPath) {
		// Paths that are not served get no answer at all.
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

// labels returns the parameters of a call. If the call creates a copy, they name its original.
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

// step sets the step of the stimulus to which the next calls belong.
func (b *laboratory) step(name string) { b.about = map[string]string{history.AboutStep: name} }

// invocation is one invocation.
type invocation struct {
	id, mode, channel string
	held              []string
	input             any
}

func paramsOf(u invocation) object {
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

func (b *laboratory) invoke(ctx context.Context, u invocation) *history.Call {
	return b.call(ctx, history.OpInvoke, paramsOf(u))
}

// get reads one entry, by get or, if get is not served, from the whole list. It returns nil if the entry is not
// there.
func (b *laboratory) get(ctx context.Context, id string) object {
	c := b.call(ctx, history.OpGet, object{"capability_id": id})
	if !c.Served() || c.Lost != nil {
		c = b.readRegistry(ctx)
	}
	if i := c.EntryOf(id); i != nil {
		return i.Members
	}
	return nil
}

// readRegistry reads the whole registry.
func (b *laboratory) readRegistry(ctx context.Context) *history.Call {
	return b.call(ctx, b.History.Registry().Operation, object{})
}

// readCopy reads a copy and the whole registry.
func (b *laboratory) readCopy(ctx context.Context, c *history.Item) {
	b.get(ctx, c.ID)
	b.readRegistry(ctx)
}

// query calls the query operation of the registry or, if it is not served, the path of the text, which defines three
// parameters, each alone.
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

// log reads the log of executions. It returns nil if there is none.
func (b *laboratory) log(ctx context.Context) *history.Call {
	if !b.logged() {
		return nil
	}
	return b.call(ctx, history.OpExecLog, object{})
}

// pauses are the times between readings of data that may be written after an answer, such as a record. The text does
// not say when it is written. Together they are one second, as suites/acd/ADAPTER.md states.
var pauses = []time.Duration{20, 60, 120, 300, 500}

// eventually repeats a check until it holds or the last pause is over.
func eventually(ctx context.Context, isSo func() bool) bool {
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
