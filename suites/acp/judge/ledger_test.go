package judge

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// run is a record under construction: one package, whose model calls built-in tools.
type run struct {
	record.Clock
	of    *sample.Package
	judge *Judge
	turns int
}

func newRun() *run {
	r := &run{of: &sample.Package{Mark: "mk00000000000000aa", Label: "a", Word: "worda", SchemaURI: "u"}}
	h := history.New()
	r.judge = New(h)
	h.Add(
		record.Entry{
			Begun:     r.Tick(),
			Done:      r.Tick(),
			Party:     record.Gateway,
			Operation: history.OpServe,
			Sent:      record.NewBody(jsonvalue.Encode(r.of)),
		},
	)
	return r
}

// call adds a turn in which the model calls a tool and receives a result.
func (r *run) call(breaks, tool string, arguments history.Object, result string) {
	r.turns++
	mark := fmt.Sprintf("mk%016x", r.turns)
	message := func(role, text string) history.Object { return history.Object{"role": role, "content": text} }
	messages := []any{message("system", "You are "+r.of.Mark), message("user", "worda "+mark)}
	function := history.Object{"name": tool, "arguments": string(jsonvalue.Encode(arguments))}
	called := history.Object{"tool_calls": []any{history.Object{"function": function}}}
	begun := r.Tick()
	ask := func(messages []any, answer history.Object) {
		r.judge.Add(record.Entry{
			Begun: r.Tick(), Done: r.Tick(), Party: record.Model, From: record.Target, Operation: "POST /v1/chat/completions",
			Outcome: record.Returned, Status: 200, Sent: record.NewBody(jsonvalue.Encode(history.Object{"messages": messages})),
			Received: record.NewBody(jsonvalue.Encode(history.Object{"choices": []any{history.Object{"message": answer}}})),
		})
	}
	ask(messages, called)
	ask(append(messages, message("tool", result)), message("assistant", "Understood."))
	e := record.Entry{
		Begun: begun, Done: r.Tick(), Party: record.Target, Stimulus: history.ObjectsStored, Operation: history.OpMessage,
		Outcome:  record.Returned,
		Sent:     record.NewBody(jsonvalue.Encode(history.Object{"conversation": "c", "text": "worda " + mark})),
		Received: record.NewBody([]byte(`{"text":"Understood."}`)),
	}
	if breaks != "" {
		e.About = map[string]string{history.AboutBreaks: breaks}
	}
	r.judge.Add(e)
}

func (r *run) create(breaks, id string) {
	o := history.Object{"id": id, "title": id}
	r.call(breaks, "state_create", history.Object{"schema_uri": "u", "object": o}, `{"ok":true}`)
}

func (r *run) change(breaks, id, title string) {
	patch := []any{history.Object{"op": "replace", "path": "/title", "value": title}}
	r.call(breaks, "state.update", history.Object{"schema_uri": "u", "id": id, "patch": patch}, `{"ok":true}`)
}

func (r *run) remove(id string) {
	r.call("", "state.delete", history.Object{"schema_uri": "u", "id": id, "mode": "soft"}, `{"ok":true}`)
}

// query queries an object by its id. An empty title means that nothing is found.
func (r *run) query(id, title string) {
	result := "[]"
	if title != "" {
		result = string(jsonvalue.Encode([]any{history.Object{"id": id, "title": title}}))
	}
	r.call("", "state.query", history.Object{"schema_uri": "u", "query": history.Object{"id": id}}, result)
}

func (r *run) restart() {
	r.judge.Add(record.Entry{
		Begun: r.Tick(), Done: r.Tick(), Party: record.Target, Stimulus: history.SubjectRestarted,
		Operation: history.OpConfigure,
		Outcome:   record.Returned, Sent: record.NewBody([]byte("{}")), Received: record.NewBody([]byte("{}")),
	})
}

// A breach is attributed only to the operations on the object since its last query; the result of that query is the
// expectation for the next one.
func TestEachBreachHasOneCause(t *testing.T) {
	for name, test := range map[string]struct {
		does func(*run)
		want string
	}{
		"valid":                         {func(r *run) { r.query("x", "x") }, ""},
		"lost at the second query":      {func(r *run) { r.query("x", "x"); r.create("", "y"); r.query("x", "") }, "ACP-ABS-03"},
		"different at the second query": {func(r *run) { r.query("x", "x"); r.create("", "y"); r.query("x", "z") }, "ACP-STATE-01"},
		"reported only once":            {func(r *run) { r.query("x", "z"); r.query("x", "z") }, "ACP-STATE-01"},
		"a patch without effect":        {func(r *run) { r.query("x", "x"); r.change("", "x", "z"); r.query("x", "x") }, "ACP-STATE-02"},
		"a patch of another object": {func(r *run) {
			r.create("", "y")
			r.query("y", "y")
			r.query("x", "x")
			r.change("", "y", "z")
			r.query("x", "z")
		}, "ACP-STATE-02"},
		"a deletion without effect":         {func(r *run) { r.query("x", "x"); r.remove("x"); r.query("x", "x") }, "ACP-STATE-06"},
		"removed with another object":       {func(r *run) { r.create("", "y"); r.query("x", "x"); r.remove("y"); r.query("x", "") }, "ACP-STATE-06"},
		"back at a later query":             {func(r *run) { r.query("x", "x"); r.remove("x"); r.query("x", ""); r.create("", "y"); r.query("x", "x") }, "ACP-STATE-06"},
		"lost by a restart":                 {func(r *run) { r.query("x", "x"); r.restart(); r.query("x", "") }, "ACP-EXEC-08"},
		"back after a restart":              {func(r *run) { r.query("x", "x"); r.remove("x"); r.query("x", ""); r.restart(); r.query("x", "x") }, "ACP-EXEC-08"},
		"changed by an undeclared verb":     {func(r *run) { r.query("x", "x"); r.change(history.BreaksVerb, "x", "z"); r.query("x", "z") }, "ACP-MOT-04"},
		"changed from another scope":        {func(r *run) { r.query("x", "x"); r.change(history.BreaksScope, "x", "z"); r.query("x", "z") }, "ACP-SEC-03"},
		"stored in violation of the schema": {func(r *run) { r.query("x", "x"); r.create(history.BreaksSchema, "y"); r.query("y", "y") }, "ACP-EXEC-04"},
		"stored with another schema URI":    {func(r *run) { r.query("x", "x"); r.create(history.BreaksURI, "y"); r.query("y", "y") }, "ACP-FIELD-15"},
		"an undeclared verb has no effect":  {func(r *run) { r.query("x", "x"); r.change(history.BreaksVerb, "x", "z"); r.query("x", "x") }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRun()
			r.create("", "x")
			test.does(r)
			got := ""
			for id, verdict := range map[string]verdict.Verdict{
				"ACP-ABS-03": r.judge.ObjectsFound(), "ACP-STATE-01": r.judge.ObjectsWhole(), "ACP-STATE-02": r.judge.PatchesApplied(),
				"ACP-STATE-06": r.judge.DeletionsDelete(), "ACP-EXEC-08": r.judge.StateKept(), "ACP-MOT-04": r.judge.VerbsDeclared(),
				"ACP-SEC-03": r.judge.ScopesApart(), "ACP-EXEC-04": stored(r.judge),
				"ACP-FIELD-15": r.judge.judgeObservations("", constantMessage("found"), history.BreaksURI),
			} {
				if len(verdict.Breaches) > 0 {
					got += id
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("breached (-want +got)\n%s", diff)
			}
		})
	}
}

// stored is ACP-EXEC-04 without the results that the model receives.
func stored(j *Judge) verdict.Verdict {
	return j.judgeObservations("", constantMessage("stored"), history.BreaksSchema)
}
