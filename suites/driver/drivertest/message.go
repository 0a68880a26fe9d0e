package drivertest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
)

// testMessages tests that a driver which carries whole messages sends them unchanged and returns what arrives, whatever
// the id is.
func testMessages(t *testing.T, s Subject) {
	session := open(t, s, Options{})
	if !session.Info().Messages {
		t.Skip("the driver carries no messages")
	}
	const body = `{"jsonrpc": "2.0", "method": "none", "id": `
	for _, id := range []string{`"a"`, "null", "7001", "1"} { // 1 is also an id of the driver
		answer, err := call(session, driver.Operation{Name: "message", Message: true, Body: []byte(body + id + "}")})
		require.NoError(t, err)
		require.Equal(t, driver.Returned, answer.Outcome, answer.Defect)
		assert.Contains(t, string(answer.Result), `"id":`+id)
		assert.Contains(t, string(answer.Result), "-32601")
		assert.Equal(t, body+id+"}", string(answer.Exchange.Sent))
		assert.Equal(t, "message", answer.Exchange.Operation)
	}
	answer, err := call(session, driver.Operation{
		Name: "message", Message: true, Quiet: true,
		Body: []byte(`{"jsonrpc": "2.0", "method": "none"}`),
	})
	require.NoError(t, err)
	assert.Equal(t, driver.Returned, answer.Outcome, answer.Defect)
	assert.Empty(t, answer.Result)
	answer, err = call(session, script(Script{Reply: okReply}))
	require.NoError(t, err)
	assert.Equal(t, driver.Returned, answer.Outcome, "a call after messages is answered")

	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	cancel()
	_, err = session.Call(ctx, driver.Operation{Name: "message", Message: true, Body: []byte(body + "2}")})
	require.ErrorIs(t, err, driver.ErrCancelled)
}
