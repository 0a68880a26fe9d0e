package live

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/admission"
	"github.com/capconform/capconform/suites/driver"
)

// showing is a session that answers every call with the same text.
type showing struct {
	driver.Session
	text string
}

func (s showing) Call(context.Context, driver.Operation) (driver.Answer, error) {
	return driver.Answer{Outcome: driver.Returned, Result: []byte(s.text)}, nil
}

// insisting is a session that sends each call two more times.
type insisting struct{ driver.Session }

func (insisting) Call(ctx context.Context, _ driver.Operation) (driver.Answer, error) {
	driver.Resent(ctx)
	driver.Resent(ctx)
	return driver.Answer{}, &driver.CallError{Kind: driver.ErrThrottled}
}

// TestResentCallsCount: the report states how often a target was called, including repetitions that it requested.
func TestResentCallsCount(t *testing.T) {
	gate := NewGate(insisting{}, Protocol{Uses: map[string]func(driver.Operation) Use{
		"invoke": func(driver.Operation) Use { return Use{Invokes: true, ID: "get_item"} },
	}}, Options{Reader: admission.PublishedReader()})
	gate.Offer(Candidate{ID: "get_item"})
	_, err := gate.Call(t.Context(), driver.Operation{Name: "invoke"})
	require.ErrorIs(t, err, driver.ErrThrottled)
	require.Equal(t, 3, gate.Invocations())
}

// TestReview: declarations of a listed capability in a later answer count.
func TestReview(t *testing.T) {
	const effect = `{"capability_id":"get_item","version":"1","description":"Gets it.","side_effects":["disk"]}`
	for name, test := range map[string]struct {
		text     string
		policy   InvokePolicy
		names    []string
		excluded bool
	}{
		"a descriptor":              {effect, InvokeSafe, nil, true},
		"a list":                    {`[` + effect + `]`, InvokeSafe, nil, true},
		"a list in an object":       {`{"capabilities":[{"id":"other"},` + effect + `]}`, InvokeSafe, nil, true},
		"the same as before":        {`{"id":"get_item","version":"1","description":"Gets it."}`, InvokeSafe, nil, false},
		"another version":           {`{"id":"get_item","version":"2","side_effects":["disk"]}`, InvokeSafe, nil, false},
		"of an unlisted capability": {`{"id":"get_other","version":"1","side_effects":["disk"]}`, InvokeSafe, nil, false},
		"of a named capability":     {effect, InvokeSafe, []string{"get_item"}, false},
		"with the policy all":       {effect, InvokeAll, nil, false},
		"no JSON":                   {`{`, InvokeSafe, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			gate := NewGate(showing{text: test.text}, Protocol{Shows: []string{"get"}},
				Options{Policy: test.policy, Admitted: test.names, Reader: admission.PublishedReader()})
			gate.Offer(Candidate{ID: "get_item", Version: "1", Description: "Gets it."})
			_, err := gate.Call(t.Context(), driver.Operation{Name: "other"})
			require.NoError(t, err)
			require.Empty(t, gate.ReasonAgainst("get_item", "1"), "other operations show nothing")
			_, err = gate.Call(t.Context(), driver.Operation{Name: "get"})
			require.NoError(t, err)
			require.Equal(t, test.excluded, gate.ReasonAgainst("get_item", "1") != "")
		})
	}
}
