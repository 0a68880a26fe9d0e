package live

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/admission"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/verdict"
)

// TestForeignCalls: the gate sends a call from a document only if every interpretation of it is admitted by the
// policy.
func TestForeignCalls(t *testing.T) {
	id := func(op driver.Operation) string {
		var params struct{ ID string }
		_ = json.Unmarshal(op.Params, &params)
		return params.ID
	}
	protocol := Protocol{
		Uses: map[string]func(driver.Operation) Use{
			"invoke": func(op driver.Operation) Use { return Use{Invokes: true, ID: id(op)} },
			"create": func(op driver.Operation) Use { return Use{Edits: []string{id(op)}} },
		},
		Changes: []string{"install"},
	}
	for name, test := range map[string]struct {
		op   driver.Operation
		sent bool
	}{
		"an admitted capability":        {driver.Operation{Name: "invoke", Params: []byte(`{"id":"get_item","input":{"a":1}}`)}, true},
		"an invented id":                {driver.Operation{Name: "invoke", Params: []byte(`{"id":"capconform-1"}`)}, true},
		"no capability":                 {driver.Operation{Name: "invoke", Params: []byte(`{"input":{}}`)}, true},
		"a read":                        {driver.Operation{Name: "list", Params: []byte(`{}`)}, true},
		"an excluded capability":        {driver.Operation{Name: "invoke", Params: []byte(`{"id":"delete_item"}`)}, false},
		"two names":                     {driver.Operation{Name: "invoke", Params: []byte(`{"id":"delete_item","id":"get_item"}`)}, false},
		"two names in another case":     {driver.Operation{Name: "invoke", Params: []byte(`{"id":"delete_item","ID":"get_item"}`)}, false},
		"another member":                {driver.Operation{Name: "invoke", Params: []byte(`{"id":"get_item","tool":"delete_item"}`)}, false},
		"another case of the id":        {driver.Operation{Name: "invoke", Params: []byte(`{"tool":"Delete-Item"}`)}, false},
		"a list of ids":                 {driver.Operation{Name: "invoke", Params: []byte(`{"id":["delete_item"]}`)}, false},
		"the name of a member":          {driver.Operation{Name: "invoke", Params: []byte(`{"call":{"delete_item":{}}}`)}, false},
		"a text for lenient parsers":    {driver.Operation{Name: "invoke", Params: []byte(`{"id":"delete_item","x":NaN}`)}, false},
		"a body that is sent unchanged": {driver.Operation{Name: "invoke", Body: []byte(`{"tool":"delete_item"}`)}, false},
		"a body that is not JSON":       {driver.Operation{Name: "invoke", Body: []byte(`{tool: delete_item}`)}, false},
		"a registration":                {driver.Operation{Name: "create", Params: []byte(`{"id":"capconform.new"}`)}, false},
		"an operation that changes":     {driver.Operation{Name: "install", Params: []byte(`{"cid":"x"}`)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			under := &counting{}
			gate := NewGate(under, protocol, Options{Reader: admission.PublishedReader(), Foreign: true})
			gate.Offer(Candidate{ID: "get_item"})
			gate.Offer(Candidate{ID: "delete_item"})
			_, err := gate.Call(t.Context(), test.op)
			open := (*verdict.Inconclusive)(nil)
			require.Equal(t, !test.sent, errors.As(err, &open), "%v", err)
			require.Equal(t, test.sent, len(under.calls) == 1)
		})
	}
	under := &counting{}
	own := NewGate(under, protocol, Options{Reader: admission.PublishedReader()})
	_, err := own.Call(t.Context(), driver.Operation{Name: "install"})
	require.NoError(t, err, "calls of the harness itself are sent")
}
