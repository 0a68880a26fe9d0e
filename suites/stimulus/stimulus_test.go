package stimulus_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/stimulus"
	"github.com/capconform/capconform/suites/verdict"
)

// world has the numbers that the stimuli of the test send.
type world struct{ numbers []any }

func vocabulary() *rule.Vocabulary {
	return rule.NewVocabulary([]*rule.Kind{rule.NewKind(rule.Run, func(w *world) []*world { return []*world{w} },
		func(*world) []record.Tick { return nil },
		rule.Value("numbers", func(w *world) any { return w.numbers }),
		rule.Value("unknown", func(*world) any { return &rule.Gap{Reason: verdict.Undecided("nobody knows")} }))})
}

// target records what is called.
type target struct {
	view *rule.View

	mu      sync.Mutex
	calls   []string
	refuses bool
}

func (p *target) View() *rule.View { return p.view }

func (p *target) Call(_ context.Context, c stimulus.Call) (any, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.refuses {
		return nil, errors.New("not admitted")
	}
	params, err := json.Marshal(c.Params)
	if err != nil {
		return nil, err
	}
	if c.Message != nil {
		params = c.Message
	}
	if c.Quiet {
		params = append(params, " quietly"...)
	}
	about, err := json.Marshal(c.About)
	p.calls = append(p.calls, c.Operation+" "+string(params)+" "+string(about))
	return map[string]any{"result": map[string]any{"n": json.Number("7")}}, err
}

func TestStimuli(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
		err        string // of loading or performing
	}{
		{"nested loops",
			"- {stimulus: s, for: {a: run.numbers, b: '[a, a * 10]'}, if: b != 2, call: op, params: {x: [a, b]}, about: {b: string(b)}}",
			[]string{`op {"x":[1,1]} {"b":"1"}`, `op {"x":[1,10]} {"b":"10"}`, `op {"x":[2,20]} {"b":"20"}`}, ""},
		{"steps", "- {stimulus: s, steps: [{call: op, as: first}, {call: other, params: {n: first.result.n + 1}}]}",
			[]string{`op {} {}`, `other {"n":8} {}`}, ""},
		{"times", "- {stimulus: s, times: 2, call: op, params: {i: index}}", []string{`op {"i":0} {}`, `op {"i":1} {}`}, ""},
		{"params as a whole", "- {stimulus: s, call: op, params: '{\"a\": {\"b\": null}}'}",
			[]string{`op {"a":{"b":null}} {}`}, ""},
		{"nothing to send", "- {stimulus: s, for: {a: '[]'}, call: op, otherwise: no number}", nil, "no number"},
		{"not known", "- {stimulus: s, call: op, params: {x: run.unknown}}", nil, "nobody knows"},
		{"a value as a message",
			"- {stimulus: s, for: {a: run.numbers}, send: {id: a, list: ['null', '\"x\"']}, about: {a: string(a)}}",
			[]string{`message {"id":1,"list":[null,"x"]} {"a":"1"}`, `message {"id":2,"list":[null,"x"]} {"a":"2"}`}, ""},
		{"a text as a message", "- {stimulus: s, send: '\"{broken\"', quiet: true}", []string{`message {broken quietly {}`},
			""},
		{"messages as steps",
			"- {stimulus: s, steps: [{call: op, as: first}, {send: first.result.n}, {send: 'null', quiet: true}]}",
			[]string{`op {} {}`, `message 7 {}`, `message null quietly {}`}, ""},
		{"call and message", "- {stimulus: s, call: op, send: '1'}", nil,
			"stimuli.yaml:1:33: a step has either call with params, or send"},
		{"steps and message", "- {stimulus: s, send: '1', steps: []}", nil, "a stimulus has either call, send or steps"},
		{"message as a call", "- {stimulus: s, call: message}", nil, "there is no operation message"},
		{"quiet call", "- {stimulus: s, call: op, quiet: true}", nil, "stimuli.yaml:1:34: quiet is for send"},
		{"unknown operation", "- {stimulus: s, call: ope}", nil, "stimuli.yaml:1:23: there is no operation ope; there is op"},
		{"unknown variable", "- {stimulus: s, call: op, params: {x: nowhere}}", nil,
			"stimuli.yaml:1:39: there is no variable or function nowhere"},
		{"later variable", "- {stimulus: s, steps: [{call: op, params: {x: last}, as: last}]}", nil,
			"there is no variable or function last"},
		{"too often", "- {stimulus: s, times: 5000, call: op}", nil, "stimuli.yaml:1:24: expected a number from 1 to 1000"},
		{"no list", "- {stimulus: s, for: {a: '7'}, call: op}", nil, "a is not a list"},
		{"endless",
			"- {stimulus: s, for: {a: '[1,2,3,4,5,6,7,8,9,10].map(x, run.numbers.map(y, x + y)).map(z, z.map(w, w))'}, call: op, times: 300}", nil, "makes more than 2000 calls"},
		{"twice", "- {stimulus: s, call: op}\n- {stimulus: s, call: op}", nil,
			"stimuli.yaml:2:3: the stimulus s is there twice"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := vocabulary()
			scope := v.Scope()
			all, err := stimulus.Load("stimuli.yaml", []byte(c.text), scope,
				stimulus.Operations{Called: []string{"op", "other"}, Message: "message"})
			p := &target{view: rule.NewView(v, &world{[]any{json.Number("1"), json.Number("2")}}, &reading.Reading{}, nil)}
			if err == nil {
				err = all[0].Perform(t.Context(), p)
			}
			if c.err != "" {
				require.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want, p.calls)
		})
	}
}

func TestMessagesNeedAnOperation(t *testing.T) {
	scope := vocabulary().Scope()
	_, err := stimulus.Load("stimuli.yaml", []byte("- {stimulus: s, send: '1'}"), scope,
		stimulus.Operations{Called: []string{"op"}})
	require.EqualError(t, err,
		"stimuli.yaml:1:23: no operation carries messages: protocol.yaml needs one with message: true")
}

func TestConcurrentStimuli(t *testing.T) {
	v := vocabulary()
	scope := v.Scope()
	all, err := stimulus.Load("stimuli.yaml", []byte("- {stimulus: s, concurrently: 8, call: op, params: {i: index}}"),
		scope, stimulus.Operations{Called: []string{"op"}})
	require.NoError(t, err)
	p := &target{view: rule.NewView(v, &world{}, &reading.Reading{}, nil)}
	require.NoError(t, all[0].Perform(t.Context(), p))
	assert.Len(t, p.calls, 8)
	seen := map[string]bool{}
	for _, call := range p.calls {
		seen[call] = true
	}
	assert.Len(t, seen, 8, "each caller has its own index")
	p = &target{view: p.view, refuses: true}
	require.EqualError(t, all[0].Perform(t.Context(), p), "not admitted")
}
