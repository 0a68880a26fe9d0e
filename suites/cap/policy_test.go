package capsuite

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/live"
)

// turning is a source whose capability declares a side effect in the answers of one operation, from a certain call
// on.
type turning struct {
	*source
	method string
	from   int

	calls   int
	late    []string // the ids of invocations after the declaration was read
	showing bool
}

const turningID = "word.list"

func (s *turning) handle(ctx context.Context, request []byte) []byte {
	var message struct {
		Method string
		Params struct {
			ID  string      `json:"capability_id"`
			Ref history.Ref `json:"ref"`
		}
	}
	_ = json.Unmarshal(request, &message)
	if message.Method == s.method && (message.Params.ID == "" || message.Params.ID == turningID) {
		s.calls++
	}
	if message.Method == history.OpInvoke && s.showing {
		s.late = append(s.late, message.Params.Ref.ID)
	}
	if message.Method != s.method || s.calls < s.from {
		return s.Handle(ctx, request)
	}
	s.showing = true
	kept := s.manifests
	defer func() { s.manifests = kept }()
	s.manifests = slices.Clone(kept)
	for i, m := range s.manifests {
		if m[history.MemberID] == turningID {
			s.manifests[i] = maps.Clone(m)
			s.manifests[i]["side_effects"] = []any{"disk"}
		}
	}
	return s.Handle(ctx, request)
}

// TestLaterDeclarationsCount: the gate refuses a capability after the first manifest that declares an effect, whether
// it was listed or described.
func TestLaterDeclarationsCount(t *testing.T) {
	for name, s := range map[string]*turning{
		"described":    {method: history.OpDescribe, from: 1},
		"listed":       {method: history.OpList, from: 1},
		"listed again": {method: history.OpList, from: 3},
	} {
		t.Run(name, func(t *testing.T) {
			s.source = newSource(t)
			s.manifests = append(s.manifests, maps.Clone(s.manifests[1]), maps.Clone(s.manifests[1]))
			s.manifests[3][history.MemberID], s.manifests[4][history.MemberID] = turningID, "word.get"
			ran(t, s.handle)
			require.True(t, s.showing)
			require.NotContains(t, s.late, turningID)
			if name != "listed again" { // at the end of the run
				require.Contains(t, s.late, "word.get", "the other capability is still invoked")
			}
		})
	}
}

// TestRefusalsNeedAControl: a source that refuses everything shows no validation, even if one of its capabilities
// could play the role fails.
func TestRefusalsNeedAControl(t *testing.T) {
	for _, code := range []string{history.ExecutionFailed, history.PermissionDenied, history.InvalidInput} {
		s := newSource(t)
		s.add("conformance.fail", history.KindTool)
		s.manifests[3][history.MemberInput] = s.manifests[1][history.MemberInput]
		s.invoke = func(asking) map[string]any { return failing(code, "rate limit exceeded") }
		s.refuse = func() map[string]any { return failing(code, "rate limit exceeded") }
		for _, q := range examined(t, s, "CAP-INV-02", "CAP-INV-03").Suites[0].Requirements {
			if strings.HasPrefix(q.ID, "CAP-INV-0") && (q.Status == reports.Passed) {
				t.Errorf("%s: %s passed", code, q.ID)
			}
		}
	}
}

// ran examines a handler under the default policy.
func ran(t *testing.T, handler inproc.Handler) *reports.Report {
	t.Helper()
	suite, err := suites.New(Definition())
	require.NoError(t, err)
	subject := &suites.Subject{Driver: inproc.New("source", handler), Invoke: live.InvokeSafe}
	report, err := suites.Run(t.Context(), []*suites.Suite{suite}, subject, suites.Options{Explicit: true})
	require.NoError(t, err)
	return report
}

// TestToolsDeclareBesideAnnotations: the policy reads every member of a tool of a plain MCP server, although the
// manifest that the adapter generates contains only some.
func TestToolsDeclareBesideAnnotations(t *testing.T) {
	tool := func(name string, more map[string]any) map[string]any {
		m := map[string]any{"name": name, "inputSchema": map[string]any{"type": "object"}}
		maps.Copy(m, more)
		return m
	}
	hint := map[string]any{"readOnlyHint": true}
	serve := func(_ context.Context, request []byte) []byte {
		var message struct {
			ID     json.RawMessage
			Method string
			Params struct{ Name string }
		}
		_ = json.Unmarshal(request, &message)
		reply := map[string]any{"jsonrpc": "2.0", "id": message.ID}
		switch message.Method {
		case mcpList:
			reply["result"] = map[string]any{"tools": []any{
				tool("get_item", map[string]any{"_meta": map[string]any{"x": map[string]any{"sideEffects": true}}}),
				tool("list_items", map[string]any{"annotations": hint, "requiresApproval": true}),
				tool("show_item", map[string]any{"annotations": hint, "_meta": map[string]any{"icon": "x"}}),
			}}
		case mcpCall:
			if name := message.Params.Name; name != "show_item" {
				t.Errorf("%s was called", name)
			}
			reply["result"] = map[string]any{"content": []any{}}
		default:
			reply["error"] = map[string]any{"code": -32601, "message": ""}
		}
		return jsonvalue.Encode(reply)
	}
	suite, err := suites.New(Definition())
	require.NoError(t, err)
	subject := &suites.Subject{Driver: plain{inproc.New("server", serve)}, Invoke: live.InvokeSafe}
	report, err := suites.Run(t.Context(), []*suites.Suite{suite}, subject, suites.Options{Explicit: true})
	require.NoError(t, err)
	require.Len(t, report.Suites[0].Invoked, 1)
	require.Equal(t, "show_item", report.Suites[0].Invoked[0].Capability)
}

// plain presents a handler as a plain MCP server.
type plain struct{ driver.Driver }

type plainSession struct{ driver.Session }

func (p plain) Open(ctx context.Context) (driver.Session, error) {
	s, err := p.Driver.Open(ctx)
	return plainSession{s}, err
}

func (plainSession) Info() driver.Info { return driver.Info{Protocol: "mcp", Version: "1.0.0"} }
