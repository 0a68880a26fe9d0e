package capsuite

import (
	"context"
	"encoding/json"
	"maps"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/live"
)

const keepSchema = `{"type":"object","additionalProperties":false,"required":["word"],"properties":{"word":{"type":"string","minLength":1,"maxLength":9},"times":{"type":"integer","minimum":1,"maximum":4}}}`

// source is a small source of capabilities. Tests may replace its invoke.
type source struct {
	manifests []map[string]any
	invoke    func(asking) map[string]any
	refuse    func() map[string]any              // the answer to an invalid input; nil closes the connection
	limit     func(method string) map[string]any // the members of a reply instead of an answer, or nil
}

// asking is one invocation, and the place of a ticket in it.
type asking struct {
	id, version string
	input       map[string]any
	ticket      string // "", "beside", "ref" or "input"
}

func newSource(t *testing.T) *source {
	t.Helper()
	manifest := func(id, version, input string, more map[string]any) map[string]any {
		var schema any
		require.NoError(t, json.Unmarshal([]byte(input), &schema))
		m := map[string]any{history.MemberID: id, history.MemberVersion: version, history.MemberKind: history.KindTool,
			history.MemberName: id, history.MemberDescription: "", history.MemberInput: schema,
			history.MemberOutput: map[string]any{"type": "object"}}
		for name, value := range more {
			m[name] = value
		}
		return m
	}
	forbidden := map[string]any{history.MemberPermissions: []any{"conformance.forbidden"}}
	return &source{
		manifests: []map[string]any{
			manifest("word.keep", "1.0.0", keepSchema, map[string]any{"ticket": "violet",
				history.MemberOutput: map[string]any{"type": "object", "required": []any{"word"}}}),
			manifest("word.count", "1.0.0", keepSchema, nil),
			manifest("conformance.restricted", "1.0.0", `{"type":"object","additionalProperties":false}`, forbidden),
		},
		invoke: validInvoke,
		refuse: func() map[string]any { return failing(history.InvalidInput, "") },
	}
}

// add lists one more capability with only the required members.
func (s *source) add(id, kind string) {
	s.manifests = append(s.manifests, map[string]any{history.MemberID: id, history.MemberVersion: "1.0.0",
		history.MemberKind: kind, history.MemberName: "", history.MemberDescription: "",
		history.MemberInput: map[string]any{}, history.MemberOutput: map[string]any{}})
}

func succeeding(output map[string]any) map[string]any {
	return map[string]any{"ok": true, "output": output, "duration_ms": 1}
}

func failing(code, message string) map[string]any {
	return map[string]any{"ok": false, "error": map[string]any{"code": code, "message": message}, "duration_ms": 1}
}

// validInvoke is called only for valid inputs of listed pairs.
func validInvoke(c asking) map[string]any {
	if c.id == "conformance.restricted" {
		return failing(history.PermissionDenied, "")
	}
	return succeeding(map[string]any{"word": c.input["word"]})
}

func (s *source) find(id, version any) map[string]any {
	for _, m := range s.manifests {
		if m[history.MemberID] == id && m[history.MemberVersion] == version {
			return m
		}
	}
	return nil
}

// Handle answers one message.
func (s *source) Handle(_ context.Context, request []byte) []byte {
	var message struct {
		ID     json.RawMessage
		Method string
		Params map[string]any
	}
	if json.Unmarshal(request, &message) != nil {
		return nil
	}
	reply := map[string]any{"jsonrpc": "2.0", "id": message.ID}
	if s.limit != nil {
		if limited := s.limit(message.Method); limited != nil {
			maps.Copy(reply, limited)
			return jsonvalue.Encode(reply)
		}
	}
	switch message.Method {
	case history.OpList:
		reply["result"] = s.manifests
	case history.OpDescribe:
		if m := s.find(message.Params[history.MemberID], message.Params[history.MemberVersion]); m != nil {
			reply["result"] = m
		} else {
			reply["error"] = map[string]any{"code": -32000, "message": "", "data": map[string]any{"code": history.NotFound}}
		}
	case history.OpInvoke:
		result := s.answer(message.Params)
		if result == nil {
			return nil
		}
		reply["result"] = result
	default:
		reply["error"] = map[string]any{"code": -32601, "message": ""}
	}
	return jsonvalue.Encode(reply)
}

func (s *source) answer(params map[string]any) map[string]any {
	asked, _ := params[history.MemberRef].(map[string]any)
	m := s.find(asked[history.MemberID], asked[history.MemberVersion])
	if m == nil {
		return failing(history.NotFound, "")
	}
	input, _ := params[history.MemberInvoked].(map[string]any)
	c := asking{id: m[history.MemberID].(string), version: m[history.MemberVersion].(string), input: input}
	for place, members := range map[string]map[string]any{"beside": params, "ref": asked, "input": input} {
		if members["ticket"] == "violet" {
			c.ticket = place
		}
	}
	if c.ticket == "input" {
		delete(input, "ticket") // the host removes it before it validates
	}
	schema, err := schemas.Compile(jsonvalue.Encode(m[history.MemberInput]), schemas.Options{})
	if err != nil {
		return failing(history.ExecutionFailed, err.Error())
	}
	var value any = input
	if input == nil {
		value = params[history.MemberInvoked]
	}
	decoded, err := schemas.Decode(jsonvalue.Encode(value), schemas.Limits{})
	if err != nil || schema.Validate(decoded) != nil {
		return s.refuse()
	}
	return s.invoke(c)
}

// failed returns the requirements that a run of the source reports as failed or as an error.
func failed(t *testing.T, s *source, only ...string) []string {
	t.Helper()
	var ids []string
	for _, q := range examined(t, s, only...).Suites[0].Requirements {
		if q.Status == reports.Failed || q.Status == reports.Error {
			ids = append(ids, q.ID)
		}
	}
	return ids
}

func examined(t *testing.T, s *source, only ...string) *reports.Report {
	t.Helper()
	return examinedWithin(t, s, driver.Deadlines{}, only...)
}

func examinedWithin(t *testing.T, s *source, deadlines driver.Deadlines, only ...string) *reports.Report {
	t.Helper()
	suite, err := suites.New(Definition())
	require.NoError(t, err)
	subject := &suites.Subject{Driver: inproc.New("source", s.Handle), Invoke: live.InvokeAll,
		Deadlines: deadlines.WithDefaults(), Limits: driver.Limits{}.WithDefaults()}
	report, err := suites.Run(t.Context(), []*suites.Suite{suite}, subject,
		suites.Options{Explicit: true, Selection: suites.Selection{Requirements: only}})
	require.NoError(t, err)
	return report
}

// limitCase is a change of the answers to valid inputs.
type limitCase struct {
	invoke func(asking) map[string]any
	want   []string
	second bool // the restricted capability also has another version
}

// refusingIf answers some valid inputs like answer.
func refusingIf(when func(asking) bool, answer func() map[string]any) func(asking) map[string]any {
	return func(c asking) map[string]any {
		if when(c) {
			return answer()
		}
		return validInvoke(c)
	}
}

func limitCases() map[string]limitCase {
	invalid := func() map[string]any { return failing(history.InvalidInput, "") }
	word := func(c asking) string { word, _ := c.input["word"].(string); return word }
	onlyWith := func(place string) func(asking) map[string]any {
		return refusingIf(func(c asking) bool { return c.id == "word.keep" && c.ticket != place },
			func() map[string]any { return failing(history.ExecutionFailed, "no") })
	}
	return map[string]limitCase{
		"valid": {validInvoke, nil, true},
		"the longest string refused": {refusingIf(func(c asking) bool { return len(word(c)) >= 9 }, invalid),
			[]string{"CAP-ERR-02"}, false},
		"bytes counted as characters": {refusingIf(func(c asking) bool { return len(word(c)) >= 10 }, invalid),
			[]string{"CAP-ERR-02"}, false},
		"the largest number refused": {refusingIf(func(c asking) bool { return c.input["times"] == 4.0 }, invalid),
			[]string{"CAP-ERR-02"}, false},
		"output loses characters outside ASCII": {refusingIf(func(c asking) bool {
			return c.id == "word.keep" && len(word(c)) != utf8.RuneCountInString(word(c))
		}, func() map[string]any { return succeeding(nil) }), []string{"CAP-INV-04"}, false},
		"custom member required next to the reference": {onlyWith("beside"), []string{"CAP-MAN-06"}, false},
		"custom member required in the reference":      {onlyWith("ref"), []string{"CAP-MAN-06"}, false},
		"custom member required in the input":          {onlyWith("input"), []string{"CAP-MAN-06"}, false},
		"a failure that names a custom member": {refusingIf(func(c asking) bool { return c.id == "word.keep" },
			func() map[string]any { return failing(history.ExecutionFailed, "no ticket is left for this train") }),
			nil, false},
		"permission checked for only one version": {refusingIf(func(c asking) bool { return c.version == "2.0.0" },
			func() map[string]any { return succeeding(map[string]any{}) }), []string{"CAP-ERR-03"}, true},
		"denial without a duration": {func(c asking) map[string]any {
			result := validInvoke(c)
			if result["ok"] == false {
				delete(result, "duration_ms")
			}
			return result
		}, []string{"CAP-INV-01"}, false},
	}
}

func TestSourceIsExaminedAtItsLimits(t *testing.T) {
	for name, test := range limitCases() {
		t.Run(name, func(t *testing.T) {
			s := newSource(t)
			s.invoke = test.invoke
			if test.second {
				again := maps.Clone(s.find("conformance.restricted", "1.0.0"))
				again[history.MemberVersion] = "2.0.0"
				s.manifests = append(s.manifests, again)
			}
			if diff := cmp.Diff(test.want, failed(t, s)); diff != "" {
				t.Errorf("broken (-want +got):\n%s", diff)
			}
		})
	}
}

// If nothing works, the code of one failure has the same cause.
func TestRoleIsNotJudgedIfNothingWorks(t *testing.T) {
	s := newSource(t)
	s.add("conformance.fail", history.KindTool)
	s.add("word.brief", history.KindSkill)
	s.invoke = func(asking) map[string]any { return failing(history.NotFound, "") }
	if diff := cmp.Diff([]string{"CAP-REF-01"}, failed(t, s)); diff != "" {
		t.Errorf("broken (-want +got):\n%s", diff)
	}
}

func TestSkillIsComparedWithTools(t *testing.T) {
	bare := func(asking) map[string]any { return map[string]any{"word": "w"} }
	tests := map[string]struct {
		invoke func(asking) map[string]any
		want   []string
	}{
		"bare output everywhere": {bare, []string{"CAP-INV-01"}},
		"bare output of the skill": {func(c asking) map[string]any {
			if c.id == "word.brief" {
				return bare(c)
			}
			return validInvoke(c)
		}, []string{"CAP-GRAN-04", "CAP-INV-01"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := newSource(t)
			s.add("word.brief", history.KindSkill)
			s.invoke = test.invoke
			if diff := cmp.Diff(test.want, failed(t, s)); diff != "" {
				t.Errorf("broken (-want +got):\n%s", diff)
			}
		})
	}
}

// A promise instead of the result, from the capability that exceeds its deadline, is neither a TIMEOUT nor final.
func TestPromiseIsNoTimeout(t *testing.T) {
	s := newSource(t)
	s.add("conformance.slow", history.KindTool)
	s.invoke = func(c asking) map[string]any {
		if c.id == "conformance.slow" {
			return map[string]any{"task_id": "t", "status": "working"}
		}
		return validInvoke(c)
	}
	if diff := cmp.Diff([]string{"CAP-INV-05", "CAP-ERR-05"}, failed(t, s)); diff != "" {
		t.Errorf("broken (-want +got):\n%s", diff)
	}
}

// A source that closes the connection on every invalid input fails that requirement, and the run continues.
func TestClosedConnectionsDoNotEndTheRun(t *testing.T) {
	s := newSource(t)
	closed := 0
	s.refuse = func() map[string]any {
		closed++
		return nil
	}
	for _, id := range []string{"word.a", "word.b", "word.c"} {
		s.add(id, history.KindTool)
		s.manifests[len(s.manifests)-1][history.MemberInput] = s.manifests[0][history.MemberInput]
	}
	if diff := cmp.Diff([]string{"CAP-INV-01", "CAP-INV-03"}, failed(t, s)); diff != "" {
		t.Errorf("broken (-want +got):\n%s", diff)
	}
	if closed == 0 || closed > 2*3 {
		t.Errorf("the connection was closed %d times, want at most twice for each of %d inputs", closed, 3)
	}
}

// A failure of a whole run must occur again when its requirement is examined alone.
func TestCodeOfRoleFailsSeparately(t *testing.T) {
	for _, id := range []string{"conformance.restricted", "conformance.fail", "conformance.slow"} {
		s := newSource(t)
		s.add("conformance.fail", history.KindTool)
		s.add("conformance.slow", history.KindTool)
		s.invoke = func(c asking) map[string]any {
			if c.id == id {
				return failing("ODD", "")
			}
			return validInvoke(c)
		}
		if diff := cmp.Diff([]string{"CAP-ERR-06"}, failed(t, s, "CAP-ERR-06")); diff != "" {
			t.Errorf("broken by a code of %s (-want +got):\n%s", id, diff)
		}
	}
}
