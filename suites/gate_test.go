package suites

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/admission"
	"github.com/capconform/capconform/suites/driver"
)

// counting is a session that counts what reaches it.
type counting struct {
	driver.Session
	calls []string
}

func (c *counting) Call(_ context.Context, op driver.Operation) (driver.Answer, error) {
	var id string
	_ = json.Unmarshal(op.Params, &id)
	c.calls = append(c.calls, id)
	return driver.Answer{}, nil
}

// gated gives a gate of a protocol whose params are the id itself.
func gated(subject *Subject) (*Gate, *counting) {
	read := func(op driver.Operation) string {
		var id string
		_ = json.Unmarshal(op.Params, &id)
		return id
	}
	under := &counting{}
	return newGate(under, &Definition{
		Roles:    []Role{{Capability: "conformance.echo"}},
		Fixtures: []string{"conformance.pair"},
		Invokes: map[string]func(driver.Operation) Use{
			"invoke": func(op driver.Operation) Use { return Use{Invokes: true, ID: read(op)} },
			"edit":   func(op driver.Operation) Use { return Use{Edits: []string{read(op)}} },
			"hook":   func(op driver.Operation) Use { return Use{Invokes: true, ID: "get_item", Also: []string{read(op)}} },
		},
	}, subject, admission.PublishedReader()), under
}

func TestGate(t *testing.T) {
	listed := []Candidate{
		{ID: "get_item", Version: "1"}, {ID: "delete_item", Version: "1"}, {ID: "conformance.echo", Version: "1"}, {ID: "conformance.pair"},
		{ID: "conformance.delete_everything"}, {ID: "send_mail"}, {ID: "wipe", Named: true}, {ID: "task", Barred: "it can be called as a task alone"},
		{ID: "get_twice", Version: "1"}, {ID: "get_twice", Version: "1", Members: map[string]any{"side_effects": true}},
		{ID: "get_news", Version: "1"}, {ID: "get_news", Version: "2", Members: map[string]any{"risk": "high"}},
	}
	all := []string{}
	for _, c := range listed {
		all = append(all, c.ID)
	}
	safe := []string{"conformance.echo", "conformance.pair", "get_item", "wipe"}
	unlisted := []string{"capconform-1", "get_ite", "delete_item.capconform", "DELETE_ITEM", "delete_item ", "delete_ite", "*", "nobody", ""}
	for name, tt := range map[string]struct {
		subject Subject
		op      string
		want    []string // of what is tried, what reaches the target
	}{
		"safe":            {Subject{}, "invoke", append(safe, "capconform-1", "get_ite", "")},
		"none":            {Subject{Invoke: InvokeNone}, "invoke", nil},
		"all":             {Subject{Invoke: InvokeAll}, "invoke", slices.DeleteFunc(append(slices.Clone(all), "capconform-1", "get_ite", "delete_item.capconform", "DELETE_ITEM", "delete_item ", "delete_ite", ""), func(id string) bool { return id == "task" })},
		"named":           {Subject{Admitted: []string{"send_mail"}}, "invoke", append(safe, "send_mail", "capconform-1", "get_ite", "")},
		"edits":           {Subject{}, "edit", []string{"conformance.echo", "conformance.pair", "wipe", "capconform-1", "get_ite", ""}},
		"further ones":    {Subject{}, "hook", append(safe, "capconform-1", "get_ite", "")},
		"edits with none": {Subject{Invoke: InvokeNone}, "edit", nil},
	} {
		t.Run(name, func(t *testing.T) {
			gate, under := gated(&tt.subject)
			for _, c := range listed {
				gate.Offer(c)
			}
			for _, id := range unlisted {
				if id != "nobody" {
					gate.Invent(id)
				}
			}
			tried := append(slices.Clone(all), unlisted...)
			for _, id := range slices.Compact(tried) {
				_, err := gate.Call(t.Context(), driver.Operation{Name: tt.op, Params: Encode(id)})
				if open := (*Inconclusive)(nil); err != nil && !errors.As(err, &open) {
					t.Errorf("%q: %v", id, err)
				}
			}
			slices.Sort(tt.want)
			slices.Sort(under.calls)
			if diff := cmp.Diff(slices.Compact(tt.want), slices.Compact(under.calls)); diff != "" {
				t.Errorf("calls that reach the target (-want +got):\n%s", diff)
			}
		})
	}
}

// A copy runs the code of what it is a copy of.
func TestCopiesPassTheGateOfTheirOrigin(t *testing.T) {
	gate, under := gated(&Subject{})
	gate.Offer(Candidate{ID: "get_item"})
	gate.Offer(Candidate{ID: "delete_item"})
	gate.Copy("copy-1", "get_item")
	gate.Copy("copy-2", "delete_item")
	gate.Copy("copy-3", "copy-2")
	for _, id := range []string{"copy-1", "copy-2", "copy-3"} {
		for _, op := range []string{"edit", "invoke", "hook"} {
			_, _ = gate.Call(t.Context(), driver.Operation{Name: op, Params: Encode(id)})
		}
	}
	require.Equal(t, []string{"copy-1", "copy-1", "copy-1"}, under.calls)
	invoked, left := gate.tally()
	require.Equal(t, 1, invoked[0].Copies)
	require.Equal(t, 1, invoked[0].Calls, "the call with a hook")
	require.Equal(t, "delete_item", left[0].Capability)
}

// While init looks at a target, nothing is invoked whatever the policy.
func TestASealedGateInvokesNothing(t *testing.T) {
	gate, under := gated(&Subject{Invoke: InvokeAll})
	gate.sealed = true
	gate.Offer(Candidate{ID: "get_item"})
	for _, op := range []string{"edit", "invoke"} {
		if _, err := gate.Call(t.Context(), driver.Operation{Name: op, Params: Encode("get_item")}); err == nil {
			t.Errorf("%s is sent", op)
		}
	}
	require.Empty(t, under.calls)
}

func TestInvokeFlagIsReadBack(t *testing.T) {
	for _, id := range []string{"git_pull", "a b", "a,b", `a"b`, "a'b", "$(reboot)", "`x`", "all", "none", "safe", " lead", "-x", "größe", "a;b", "--"} {
		flag := InvokeFlag(id)
		value, quoted := strings.CutPrefix(flag, "--invoke ")
		require.True(t, quoted, id)
		if strings.HasPrefix(value, "'") { // as a shell reads it
			value = strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(value, "'"), "'"), `'\''`, "'")
		}
		policy, names, err := ReadInvoke([]string{value})
		require.NoError(t, err, id)
		require.Equal(t, InvokeSafe, policy, id)
		require.Equal(t, []string{id}, names, flag)
	}
	for _, id := range []string{"", " ", "a\nb", "a\x1b[2Jb", "a\u202eb", "\x00"} {
		require.Empty(t, InvokeFlag(id), "%q", id)
	}
}

func TestReadInvoke(t *testing.T) {
	for _, tt := range []struct {
		values []string
		policy InvokePolicy
		names  []string
		wrong  bool
	}{
		{nil, InvokeSafe, nil, false},
		{[]string{"all"}, InvokeAll, nil, false},
		{[]string{"none"}, InvokeNone, nil, false},
		{[]string{"a,b", "c"}, InvokeSafe, []string{"a", "b", "c"}, false},
		{[]string{"safe", "a"}, InvokeSafe, []string{"a"}, false},
		{[]string{"none", "a"}, "", nil, true},
		{[]string{"all", "none"}, "", nil, true},
		{[]string{`"a`}, "", nil, true},
		{[]string{""}, "", nil, true},
	} {
		policy, names, err := ReadInvoke(tt.values)
		if (err != nil) != tt.wrong || policy != tt.policy || !slices.Equal(names, tt.names) {
			t.Errorf("%q: got %q %q %v", tt.values, policy, names, err)
		}
	}
}
