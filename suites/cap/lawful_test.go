package capsuite

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/live"
)

// scripted is a source of one scripted capability and a plain one.
type scripted struct {
	manifest map[string]any
	answer   func(call int, params map[string]any) map[string]any // for the scripted capability, counted from 1
	gone     int                                                  // the call from which on it is missing; 0 for never
	calls    int
	turn     sync.Mutex // a run calls concurrently
}

const plainManifest = `{"capability_id":"plain","version":"1.0.0","kind":"tool","name":"","description":"","output_schema":{},
	"input_schema":{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}}`

func success() map[string]any {
	return map[string]any{"ok": true, "output": map[string]any{}, "duration_ms": 0}
}

func failure(code, message string) map[string]any {
	return map[string]any{"ok": false, "error": map[string]any{"code": code, "message": message}, "duration_ms": 0}
}

// serve answers one JSON-RPC message after another.
func (s *scripted) serve(t *testing.T) inproc.Handler {
	var other map[string]any
	require.NoError(t, json.Unmarshal([]byte(plainManifest), &other))
	return func(_ context.Context, request []byte) []byte {
		var call struct {
			ID     json.Number    `json:"id"`
			Method string         `json:"method"`
			Params map[string]any `json:"params"`
		}
		if err := json.Unmarshal(request, &call); err != nil {
			return nil
		}
		s.turn.Lock()
		defer s.turn.Unlock()
		reply := map[string]any{"jsonrpc": "2.0", "id": call.ID}
		present := []any{other}
		if s.gone == 0 || s.calls < s.gone {
			present = append(present, s.manifest)
		}
		asked := call.Params
		if call.Method == history.OpInvoke {
			asked, _ = call.Params[history.MemberRef].(map[string]any)
		}
		found := slices.IndexFunc(present, func(m any) bool {
			c, _ := m.(map[string]any)
			return asked[history.MemberID] == c[history.MemberID] &&
				asked[history.MemberVersion] == c[history.MemberVersion]
		})
		switch {
		case call.Method == history.OpList:
			reply["result"] = present
		case call.Method == history.OpDescribe && found >= 0:
			reply["result"] = present[found]
		case call.Method == history.OpDescribe:
			reply["error"] = map[string]any{"code": -32000, "message": "unknown",
				"data": map[string]any{"code": history.NotFound}}
		case found < 0:
			reply["result"] = failure(history.NotFound, "")
		case found == 0:
			reply["result"] = s.plain(call.Params[history.MemberInvoked])
		default:
			s.calls++
			reply["result"] = s.answer(s.calls, call.Params)
		}
		text, err := json.Marshal(reply)
		if err != nil {
			return nil
		}
		return text
	}
}

func (s *scripted) plain(input any) map[string]any {
	members, _ := input.(map[string]any)
	if _, ok := members["a"].(string); !ok {
		return failure(history.InvalidInput, "")
	}
	return success()
}

// failures returns the requirements that a run reports as failed, or as an error of the harness.
func (s *scripted) failures(t *testing.T) []string {
	t.Helper()
	return append(s.ended(t, reports.Failed), s.ended(t, reports.Error)...)
}

// ended returns the requirements to which a run of a new source assigns a status.
func (s *scripted) ended(t *testing.T, status reports.Status) []string {
	t.Helper()
	s.calls = 0
	suite, err := suites.New(Definition())
	require.NoError(t, err)
	report, err := suites.Run(t.Context(), []*suites.Suite{suite},
		&suites.Subject{Driver: inproc.New("scripted", s.serve(t)), Invoke: live.InvokeAll, Seed: 1},
		suites.Options{Explicit: true})
	require.NoError(t, err)
	var ids []string
	for _, r := range report.Suites[0].Requirements {
		if r.Status == status {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// scriptedTool returns a manifest with changed members.
func scriptedTool(t *testing.T, changed string) map[string]any {
	t.Helper()
	var m map[string]any
	require.NoError(t, json.Unmarshal([]byte(strings.Replace(plainManifest, "plain", "other", 1)), &m))
	require.NoError(t, json.Unmarshal([]byte(changed), &m))
	return m
}

// Nesting that is too deep for the harness is not a fault of the source.
func TestDeepOutputIsNoFailure(t *testing.T) {
	deep := any(nil)
	for range 300 {
		deep = map[string]any{"d": deep}
	}
	source := &scripted{manifest: scriptedTool(t, `{}`), answer: func(_ int, params map[string]any) map[string]any {
		result := (&scripted{}).plain(params[history.MemberInvoked])
		if result["ok"] == true {
			result["output"] = deep
		}
		return result
	}}
	if failed := source.ended(t, reports.Failed); len(failed) > 0 {
		t.Errorf("reported as failed: %v", failed)
	}
	if limited := source.ended(t, reports.Error); !slices.Contains(limited, "CAP-INV-01") {
		t.Errorf("the limit is reported only for %v", limited)
	}
}

// lawfulCase is a source with a changed manifest and scripted answers, with the requirements that fail.
type lawfulCase struct {
	changed string
	answer  func(call int, params map[string]any) map[string]any
	gone    int
	want    []string
}

func lawfulCases() map[string]lawfulCase {
	always := func(result map[string]any) func(int, map[string]any) map[string]any {
		return func(int, map[string]any) map[string]any { return result }
	}
	validating := func(result map[string]any) func(int, map[string]any) map[string]any {
		return func(_ int, params map[string]any) map[string]any {
			if refused := (&scripted{}).plain(params[history.MemberInvoked]); refused["ok"] == false {
				return refused
			}
			return result
		}
	}
	const format = `{"input_schema":{"type":"object","required":["a"],"properties":{"a":{"type":"string","format":"iban"}}}}`
	return map[string]lawfulCase{
		"a failure whose text has a custom member's name": {`{"risk":"low","":1}`,
			validating(failure(history.ExecutionFailed, "no risk is known")), 0, nil},
		"a denial whose text has a custom member's name": {`{"tier":"gold"}`,
			always(failure(history.PermissionDenied, "the tier is too low")), 0, nil},
		"fails only on the first call": {`{"risk":"low"}`, func(call int, params map[string]any) map[string]any {
			if call == 1 {
				return failure(history.ExecutionFailed, "try again")
			}
			return (&scripted{}).plain(params[history.MemberInvoked])
		}, 0, nil},
		"fails on every other call": {`{"risk":"low"}`, func(call int, params map[string]any) map[string]any {
			if call%2 == 1 {
				return failure(history.ExecutionFailed, "try again")
			}
			return (&scripted{}).plain(params[history.MemberInvoked])
		}, 0, nil},
		"a custom member is required": {`{"risk":"low"}`, func(_ int, params map[string]any) map[string]any {
			if params["risk"] != "low" {
				return failure(history.PermissionDenied, "")
			}
			return success()
		}, 0, []string{"CAP-MAN-06"}},
		"a format known only to the source": {format, always(failure(history.InvalidInput, "no IBAN")), 0, nil},
		"a failure without validation": {`{}`, always(failure(history.ExecutionFailed, "no network")), 0,
			[]string{"CAP-INV-03"}},
		"a valid input": {`{}`, always(failure(history.InvalidInput, "no")), 0, []string{"CAP-ERR-02"}},
		"a skill with a private format": {strings.Replace(format, "{",
			`{"kind":"skill","prompt_template":"p","resources":[],"required_permissions":[],`, 1),
			always(failure(history.InvalidInput, "no IBAN")), 0, nil},
		"a custom member named reduction": {`{"kind":"skill","prompt_template":"p","resources":[],"required_permissions":[],"reduction":{"decibel":20}}`, validating(failure(history.ExecutionFailed, "")), 0, nil},
		"a reduction of nothing":          {`{"kind":"skill","prompt_template":"p","resources":[],"required_permissions":[],"conformance.reduction":{"tools":[]}}`, validating(failure(history.ExecutionFailed, "")), 0, []string{"CAP-GRAN-05"}},
		"removed": {`{}`, func(_ int, params map[string]any) map[string]any {
			return (&scripted{}).plain(params[history.MemberInvoked])
		}, 3, nil},
		"not found after an invalid input": {`{}`, func(_ int, params map[string]any) map[string]any {
			if result := (&scripted{}).plain(params[history.MemberInvoked]); result["ok"] == true {
				return result
			}
			return failure(history.NotFound, "")
		}, 0, []string{"CAP-INV-03"}},
		"transport as a topic":                  {`{"description":"Public transport: bus/tram lines. SSE: text/event-stream, stdio = stdin/stdout."}`, validating(failure(history.ExecutionFailed, "")), 0, nil},
		"a path and a flag far from each other": {`{"description":"The command is in https://example.com/docs. Whoever wants the flag of other servers writes --stdio"}`, validating(failure(history.ExecutionFailed, "")), 0, nil},
		"a command of a server": {`{"description":"See https://example.com/docs, and node server.py --stdio"}`,
			validating(failure(history.ExecutionFailed, "")), 0, []string{"CAP-MCP-03"}},
		"transport as a mechanism": {`{"description":"Mixes. Transport: /usr/bin/mixer"}`,
			validating(failure(history.ExecutionFailed, "")), 0, []string{"CAP-MCP-03"}},
	}
}

// Conforming sources that once failed wrongly, each with a similar broken source that must still fail.
func TestLawfulSourcesHaveNoFailures(t *testing.T) {
	for name, test := range lawfulCases() {
		t.Run(name, func(t *testing.T) {
			source := &scripted{manifest: scriptedTool(t, test.changed), answer: test.answer, gone: test.gone}
			if diff := cmp.Diff(test.want, source.failures(t)); diff != "" {
				t.Errorf("failed (-want +got):\n%s", diff)
			}
		})
	}
}

// A source without output schemas has no outputs that could be invalid, and is not incomplete for that reason:
// declaring an output schema is a SHOULD.
func TestMissingOutputSchemasAreNotInconclusive(t *testing.T) {
	s := newSource(t)
	for _, m := range s.manifests {
		delete(m, history.MemberOutput)
	}
	got, reason := statusOf(t, s, "CAP-INV-04")
	if got != reports.NotApplicable || !strings.Contains(reason, "no capability declares an output schema") {
		t.Errorf("CAP-INV-04 is %s: %s", got, reason)
	}
}
