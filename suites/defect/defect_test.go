package defect_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/defect"
	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/rule"
)

func TestEdits(t *testing.T) {
	for _, c := range []struct{ name, row, answer, want string }{
		{"set", "set: {result.a: '1 + 1'}", `{"a":1}`, `{"a":2}`},
		{"set below", "set: {result.a.b: '\"x\"'}", `{"a":{"b":1,"c":2}}`, `{"a":{"b":"x","c":2}}`},
		{"each element", "set: {'result.a[].n': '0'}", `{"a":[{"n":1},{"n":2}]}`, `{"a":[{"n":0},{"n":0}]}`},
		{"last element", "remove: ['result.a[-1]']", `{"a":[1,2,3]}`, `{"a":[1,2]}`},
		{"no such place", "remove: ['result.a[7].n']", `{"a":[1]}`, ""},
		{"remove", "remove: [result.a]", `{"a":1,"b":2}`, `{"b":2}`},
		{"when", "when: call == 8\n  set: {result.a: '1'}", `{"a":2}`, ""},
		{"return", "return: '{\"b\": call}'", `{"a":1}`, `{"b":7}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := load(t, "- defect: d\n  breaks: T-1-01\n  "+c.row)
			var result any
			require.NoError(t, json.Unmarshal([]byte(c.answer), &result))
			view := rule.NewView(vocabulary, nil, &reading.Reading{}, nil)
			answer, changed, err := d.Edit(view, int64(7), defect.Answer{Result: result})
			require.NoError(t, err)
			assert.Equal(t, c.want != "", changed)
			if c.want != "" {
				text, err := json.Marshal(answer.Result)
				require.NoError(t, err)
				assert.JSONEq(t, c.want, string(text))
			}
			original, err := json.Marshal(result)
			require.NoError(t, err)
			assert.JSONEq(t, c.answer, string(original), "the original does not change")
		})
	}
}

var vocabulary = rule.NewVocabulary(nil)

func load(t *testing.T, text string) *defect.Defect {
	t.Helper()
	scope := vocabulary.Scope()
	all, err := defect.Load("defects.yaml", []byte(text), scope, []string{"T-1-01"}, nil)
	require.NoError(t, err)
	require.Len(t, all, 1)
	return all[0]
}

func TestRefusedAndLostAnswers(t *testing.T) {
	view := rule.NewView(vocabulary, nil, &reading.Reading{}, nil)
	answer, changed, err := load(t, "- {defect: d, breaks: T-1-01, refuse: {code: '\"NO\"'}}").Edit(view, int64(1),
		defect.Answer{Result: 1})
	require.NoError(t, err)
	assert.True(t, changed)
	assert.Equal(t, map[string]any{"code": "NO"}, answer.Error)
	answer, _, err = load(t, "- {defect: d, breaks: T-1-01, lose: true}").Edit(view, int64(1), defect.Answer{Result: 1})
	require.NoError(t, err)
	assert.True(t, answer.Lost)
}

func TestNamedEdits(t *testing.T) {
	const text = `
edits: {twice: {set: {result.n: 'was * 2'}}}
defects:
  - {defect: d, breaks: T-1-01, set: {result.n: was + 1}, edits: [%s]}
`
	for _, c := range []struct {
		edits, err string
		want       int64
	}{
		{edits: "twice", want: 7},         // before the edit of the row
		{edits: "itself, twice", want: 8}, // after it
		{edits: "twise", err: "there is no edit twise"},
	} {
		all, err := defect.Load("d.yaml", fmt.Appendf(nil, text, c.edits), vocabulary.Scope(), []string{"T-1-01"}, nil)
		if c.err != "" {
			require.ErrorContains(t, err, c.err)
			continue
		}
		require.NoError(t, err)
		view := rule.NewView(vocabulary, nil, &reading.Reading{}, nil)
		answer, _, err := all[0].Edit(view, int64(1), defect.Answer{Result: map[string]any{"n": int64(3)}})
		require.NoError(t, err)
		assert.EqualValues(t, map[string]any{"n": c.want}, answer.Result, c.edits)
	}
}
