package live

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/admission"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/verdict"
)

// counting is a session that counts the calls it receives.
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

// gated returns a gate of a protocol whose params are the id itself.
func gated(opts Options) (*Gate, *counting) {
	read := func(op driver.Operation) string {
		var id string
		_ = json.Unmarshal(op.Params, &id)
		return id
	}
	opts.Reader = admission.PublishedReader()
	under := &counting{}
	return NewGate(under, Protocol{
		Roles:    []Role{{Capability: "conformance.echo"}},
		Fixtures: []string{"conformance.pair"},
		Uses: map[string]func(driver.Operation) Use{
			"invoke": func(op driver.Operation) Use { return Use{Invokes: true, ID: read(op)} },
			"edit":   func(op driver.Operation) Use { return Use{Edits: []string{read(op)}} },
			"hook": func(op driver.Operation) Use {
				return Use{Invokes: true, ID: "get_item", Also: []string{read(op)}}
			},
		},
	}, opts), under
}

func TestGate(t *testing.T) {
	listed := []Candidate{
		{ID: "get_item", Version: "1"}, {ID: "delete_item", Version: "1"}, {ID: "conformance.echo", Version: "1"}, {ID: "conformance.pair"},
		{ID: "conformance.delete_everything"}, {ID: "send_mail"}, {ID: "wipe", Named: true},
		{ID: "task", Forbidden: "it can be called as a task alone"},
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
		opts Options
		op   string
		want []string // the calls that reach the target
	}{
		"safe":            {Options{}, "invoke", append(safe, "capconform-1", "get_ite", "")},
		"none":            {Options{Policy: InvokeNone}, "invoke", nil},
		"all":             {Options{Policy: InvokeAll}, "invoke", slices.DeleteFunc(append(slices.Clone(all), "capconform-1", "get_ite", "delete_item.capconform", "DELETE_ITEM", "delete_item ", "delete_ite", ""), func(id string) bool { return id == "task" })},
		"named":           {Options{Admitted: []string{"send_mail"}}, "invoke", append(safe, "send_mail", "capconform-1", "get_ite", "")},
		"edits":           {Options{}, "edit", []string{"conformance.echo", "conformance.pair", "wipe", "capconform-1", "get_ite", ""}},
		"further ones":    {Options{}, "hook", append(safe, "capconform-1", "get_ite", "")},
		"edits with none": {Options{Policy: InvokeNone}, "edit", nil},
	} {
		t.Run(name, func(t *testing.T) {
			gate, under := gated(tt.opts)
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
				_, err := gate.Call(t.Context(), driver.Operation{Name: tt.op, Params: jsonvalue.Encode(id)})
				if open := (*verdict.Inconclusive)(nil); err != nil && !errors.As(err, &open) {
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

// A copy runs the code of its original.
func TestCopiesNeedAdmissionOfOriginal(t *testing.T) {
	gate, under := gated(Options{})
	gate.Offer(Candidate{ID: "get_item"})
	gate.Offer(Candidate{ID: "delete_item"})
	gate.Copy("copy-1", "get_item")
	gate.Copy("copy-2", "delete_item")
	gate.Copy("copy-3", "copy-2")
	for _, id := range []string{"copy-1", "copy-2", "copy-3"} {
		for _, op := range []string{"edit", "invoke", "hook"} {
			_, _ = gate.Call(t.Context(), driver.Operation{Name: op, Params: jsonvalue.Encode(id)})
		}
	}
	require.Equal(t, []string{"copy-1", "copy-1", "copy-1"}, under.calls)
	invoked, left := gate.Tally()
	require.Equal(t, 1, invoked[0].Copies)
	require.Equal(t, 1, invoked[0].Calls, "the call with a hook")
	require.Equal(t, "delete_item", left[0].Capability)
}

// While init examines a target, nothing is invoked, whatever the policy is.
func TestSealedGateInvokesNothing(t *testing.T) {
	gate, under := gated(Options{Policy: InvokeAll})
	gate.blocked = true
	gate.Offer(Candidate{ID: "get_item"})
	for _, op := range []string{"edit", "invoke"} {
		if _, err := gate.Call(t.Context(), driver.Operation{Name: op, Params: jsonvalue.Encode("get_item")}); err == nil {
			t.Errorf("%s was sent", op)
		}
	}
	require.Empty(t, under.calls)
}
