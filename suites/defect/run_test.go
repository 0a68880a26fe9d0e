package defect_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/defect"
	"github.com/capconform/capconform/suites/rule"
)

const header = `
words: {victim: a}
shapes: {text: {number: {says: the number 7, value: 7}}}
places:
  event: {of: replay, at: 'result.events[]', count: result.n}
  any: {of: [replay, invoke], at: [result.one, 'result.events[it.id == "c"].one']}
  invoke: {of: invoke, when: call.sent.id == victim, at: result}
defects:
`

func TestRowsOfAHost(t *testing.T) {
	const events = `{"events":[{"id":"a"},{"id":"b"},{"id":"c","one":{"x":1}}],"n":3}`
	for _, c := range []struct{ name, row, operation, answer, want string }{
		{"set at a place", "{in: event, if: it.id == victim, set: {x: 'it.id + \"!\"'}}", "replay", events,
			`{"events":[{"id":"a","x":"a!"},{"id":"b"},{"id":"c","one":{"x":1}}],"n":3}`},
		{"drop", "{in: event, if: it.id != victim, drop: true}", "replay", events, `{"events":[{"id":"a"}],"n":1}`},
		{"add", "{in: event, if: it.id == victim, add: true, set: {id: '\"new\"'}}", "replay", events,
			`{"events":[{"id":"new"},{"id":"a"},{"id":"b"},{"id":"c","one":{"x":1}}],"n":4}`},
		{"a condition without a value does not hold", "{in: event, if: it.one.x == 1, remove: [one]}", "replay", events,
			`{"events":[{"id":"a"},{"id":"b"},{"id":"c"}],"n":3}`},
		{"several paths", "{in: any, set: {x: 'was + 1'}}", "replay", events,
			`{"events":[{"id":"a"},{"id":"b"},{"id":"c","one":{"x":2}}],"n":3}`},
		{"another operation", "{in: event, drop: true}", "invoke", events, ""},
		{"the condition of a place", "{in: invoke, remove: [n]}", "invoke", `{"n":1}`, `{}`},
		{"several edits", "{edits: [{in: event, if: it.id == victim, drop: true}, {set: {result.n: '9'}}]}", "replay", events,
			`{"events":[{"id":"b"},{"id":"c","one":{"x":1}}],"n":9}`},
		{"return without a value", "{in: invoke, return: 'earlier[0].result'}", "invoke", `{"n":1}`, ""},
		{"merge", "{in: invoke, return: 'merge(it, {\"m\": {\"x\": null}})'}", "invoke", `{"n":1}`, `{"n":1,"m":{"x":null}}`},
		{"the text of a value", "{in: event, if: it.one.x == 1, set: {id: 'toJSON(it.one)'}}", "replay", events,
			`{"events":[{"id":"a"},{"id":"b"},{"id":"{\"x\":1}","one":{"x":1}}],"n":3}`},
		{"encoded texts", "{set: {result.events: '[toHex(\"<1\"), toBase64(\"<1\")]'}}", "replay", events, `{"events":["3c31","PDE="],"n":3}`},
		{"replaced and unique", "{in: event, if: 'it == unique(call.result.events, \"id\")[1]', set: {id: 'replaced(was, \"^(.)\", \"$1$1\")'}}",
			"replay", events, `{"events":[{"id":"a"},{"id":"bb"},{"id":"c","one":{"x":1}}],"n":3}`},
		{"refuse", "{refuse: {number: '404'}}", "replay", events, "null"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := loadRow(t, "  - {defect: d, breaks: T-1-01, summary: S., "+c.row[1:])
			answer, changed := d.Run().Answer(c.operation, map[string]any{"id": "a"}, defect.Answer{Result: decoded(t, c.answer)})
			assert.Equal(t, c.want != "", changed)
			if changed {
				assert.JSONEq(t, c.want, encoded(t, answer.Result))
			}
		})
	}
}

func TestConcerns(t *testing.T) {
	for _, c := range []struct {
		name, row string
		concerned []string
	}{
		{"a place of one operation", "{in: event, drop: true}", []string{"replay"}},
		{"a place of two", "{in: any, set: {x: '1'}}", []string{"replay", "invoke"}},
		{"two edits", "{edits: [{in: event, drop: true}, {in: invoke, remove: [n]}]}", []string{"replay", "invoke"}},
		{"no place", "{set: {result.n: '9'}}", []string{"replay", "invoke", "other"}},
		{"earlier calls", "{in: event, if: 'it.id in earlier.map(c, c.result.id)', drop: true}",
			[]string{"replay", "invoke", "other"}},
		{"earlier calls by a name", "{let: {ids: 'earlier.map(c, c.result.id)'}, in: event, if: it.id in ids, drop: true}",
			[]string{"replay", "invoke", "other"}},
		{"earlier calls by a name, in a list of edits",
			"{let: {ids: 'earlier.map(c, c.result.id)'}, edits: [{in: event, if: it.id in ids, drop: true}]}",
			[]string{"replay", "invoke", "other"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := loadRow(t, "  - {defect: d, breaks: T-1-01, summary: S., "+c.row[1:])
			var concerned []string
			for _, operation := range []string{"replay", "invoke", "other"} {
				if d.Concerns(operation) {
					concerned = append(concerned, operation)
				}
			}
			assert.Equal(t, c.concerned, concerned)
		})
	}
}

func TestSendAndEarlierCalls(t *testing.T) {
	run := loadRow(t, "  - {defect: d, breaks: T-1-01, send: {limit: was + 1}, omit: [since], when: 'earlier.exists(c, c.result.n == 1)'}").Run()
	_, changed := run.Send("replay", map[string]any{"limit": json.Number("2")})
	assert.False(t, changed, "there is no earlier call")
	run.Answer("invoke", nil, defect.Answer{Result: map[string]any{"n": json.Number("1")}})
	sent, changed := run.Send("replay", map[string]any{"limit": json.Number("2"), "since": true})
	assert.True(t, changed)
	assert.JSONEq(t, `{"limit":3}`, encoded(t, sent))
	_, changed = run.Send("replay", map[string]any{})
	assert.False(t, changed, "there is nothing to add one to")
}

func TestFunctionsOfCalls(t *testing.T) {
	run := loadRow(t, `  - {defect: d, breaks: T-1-01, set: {result.n: 'unique(answered(earlier, "invoke").map(c, c.result), "n")'}}`).Run()
	one := defect.Answer{Result: map[string]any{"n": "1"}}
	run.Answer("invoke", nil, defect.Answer{Error: map[string]any{"number": 404}})
	run.Answer("invoke", nil, one)
	first, _ := run.Answer("replay", nil, one)
	assert.JSONEq(t, `{"n":[{"n":[]}]}`, encoded(t, first.Result), "only the call with a result counts")
	second, _ := run.Answer("invoke", nil, one)
	assert.JSONEq(t, `{"n":[{"n":[]}]}`, encoded(t, second.Result), "the call of another operation does not count")
	third, _ := run.Answer("invoke", nil, one)
	assert.JSONEq(t, `{"n":[{"n":[]},{"n":[{"n":[]}]}]}`, encoded(t, third.Result))
	fourth, _ := run.Answer("invoke", nil, one)
	assert.Len(t, fourth.Result.(map[string]any)["n"], 3)
}

func TestGroups(t *testing.T) {
	all, err := defect.Load("defects.yaml", []byte(header+`
  - in: event
    if: it.id == victim
    role: echo
    noun: an event
    prefix: event
    members: {some_id: {breaks: T-1-01, shape: text}, other: {breaks: T-1-01, shape: text, optional: true}}
    defects:
      - {defect: own, breaks: T-1-01, summary: S., if: it.id == "b", remove: [id], strict: true, actors: [clock], also: {T-1-01: why}}
`), defect.Scope(), []string{"T-1-01"}, map[string]string{"victim": "c"})
	require.NoError(t, err)
	var names []string
	for _, d := range all {
		names = append(names, d.Name+": "+d.Summary)
		assert.Equal(t, "echo", d.Marks.Role)
	}
	assert.Equal(t, []string{"event-some-id-missing: Omits some_id from an event.",
		"event-some-id-number: Uses the number 7 as some_id of an event.",
		"event-other-number: Uses the number 7 as other of an event.", "own: S."}, names)
	assert.Equal(t, defect.Marks{
		Role: "echo", Strict: true, Actors: []string{"clock"}, Also: []defect.Also{{ID: "T-1-01", Reason: "why"}},
	}, all[3].Marks)
	answer, changed := all[1].Run().Answer("replay", nil, defect.Answer{Result: decoded(t, `{"events":[{"id":"a"},{"id":"c"}]}`)})
	assert.True(t, changed)
	assert.JSONEq(t, `{"events":[{"id":"a"},{"id":"c","some_id":7}]}`, encoded(t, answer.Result))
}

func TestLoadNamesWhatIsWrong(t *testing.T) {
	for row, want := range map[string]string{
		"  - {defect: d, breaks: T-1-02, lose: true}":                            "there is no requirement T-1-02",
		"  - {defect: d, breaks: T-1-01, in: evnt, drop: true}":                  "there is no place evnt",
		"  - {defect: d, breaks: T-1-01, drop: true}":                            "need in: the place of an object",
		"  - {defect: d, breaks: T-1-01}":                                        "a defect needs an edit",
		"  - {defect: d, breaks: T-1-01, let: {victim: '1'}, lose: true}":        "there is a variable victim already",
		"  - {defect: d, breaks: T-1-01, set: {x: '1'}}":                         "a path begins with result or error",
		"  - {defect: d, breaks: T-1-01, set: {'result[it': '1'}}":               "is no path",
		"  - {defect: d, breaks: T-1-01, set: {'result[it ==]': '1'}}":           "defects.yaml:9:",
		"  - {prefix: p, noun: n, members: {m: {breaks: T-1-01, shape: round}}}": `there is no shape "round"`,
	} {
		_, err := defect.Load("defects.yaml", []byte(header+row), defect.Scope(), []string{"T-1-01"}, nil)
		require.ErrorContains(t, err, want)
	}
}

func loadRow(t *testing.T, row string) *defect.Defect {
	t.Helper()
	all, err := defect.Load("defects.yaml", []byte(header+row), defect.Scope(), []string{"T-1-01"}, nil)
	require.NoError(t, err)
	require.Len(t, all, 1)
	return all[0]
}

func decoded(t *testing.T, text string) any {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	require.NoError(t, decoder.Decode(&value))
	return value
}

func encoded(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	require.NoError(t, err)
	return string(text)
}

// TestNamedValues: what let names is computed once for each call that the row concerns, after the names of the group.
func TestNamedValues(t *testing.T) {
	evaluated := 0
	counted := rule.FunctionOf("counted", func(v any) any { evaluated++; return v })
	scope := vocabulary.Scope(append(defect.Functions(), counted)...)
	all, err := defect.Load("d.yaml", []byte(header+`
  - let: {ids: 'counted(answered(earlier, "invoke")).map(c, c.result.id)'}
    in: event
    if: it.id in ids && it.id != last
    set: {x: 'it.id + last'}
    defects:
      - {defect: d, breaks: T-1-01, summary: S., let: {last: 'ids[size(ids) - 1]'}}
`), scope, []string{"T-1-01"}, nil)
	require.NoError(t, err)
	run := all[0].Run()
	events := defect.Answer{Result: decoded(t, `{"events":[{"id":"a"},{"id":"b"},{"id":"c"}]}`)}
	for _, id := range []string{"a", "b"} {
		run.Answer("invoke", nil, defect.Answer{Result: map[string]any{"id": id}})
	}
	assert.Zero(t, evaluated, "the row is not about these calls")
	answer, _ := run.Answer("replay", nil, events)
	assert.JSONEq(t, `{"events":[{"id":"a","x":"ab"},{"id":"b"},{"id":"c"}]}`, encoded(t, answer.Result))
	assert.Equal(t, 1, evaluated, "once for three events")
	run.Answer("invoke", nil, defect.Answer{Result: map[string]any{"id": "c"}})
	answer, _ = run.Answer("replay", nil, events)
	assert.JSONEq(t, `{"events":[{"id":"a","x":"ac"},{"id":"b","x":"bc"},{"id":"c"}]}`, encoded(t, answer.Result))
	assert.Equal(t, 2, evaluated, "once for each call")
}
