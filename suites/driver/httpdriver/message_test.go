package httpdriver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
)

func TestAnswersToMessages(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		want   driver.Outcome
		result string
		defect string
	}{
		{200, ` {"id":null} `, driver.Returned, `{"id":null}`, ""},
		{400, `{"jsonrpc":"2.0","error":{}}`, driver.Returned, `{"jsonrpc":"2.0","error":{}}`, ""},
		{500, `{"error":{},"id":null}`, driver.Returned, `{"error":{},"id":null}`, ""},
		{404, `[{"jsonrpc":"2.0"}]`, driver.Returned, `[{"jsonrpc":"2.0"}]`, ""},
		{200, `[]`, driver.Returned, `[]`, ""},
		{200, `{"error":"x"}`, driver.Returned, `{"error":"x"}`, ""},
		{204, "", driver.Returned, "", ""},
		{202, "\n", driver.Returned, "", ""},
		{200, "Bad Request", driver.Malformed, "", "the message is not JSON"},
		{400, "Bad Request", driver.Malformed, "", "status 400"},
		{400, "", driver.Malformed, "", "status 400"},
		{400, `{"error":"x"}`, driver.Malformed, "", "status 400, and the body is no message of JSON-RPC"},
		{404, `{"error":"x"}`, driver.NotProvided, "", ""},
		{307, "", driver.Malformed, "", "a redirect"},
	} {
		answer, err := httpdriver.RawAnswer(httpdriver.Response{Status: c.status, Body: []byte(c.body)})
		require.NoError(t, err)
		assert.Equalf(t, c.want, answer.Outcome, "%d %s", c.status, c.body)
		assert.Equalf(t, c.result, string(answer.Result), "%d %s", c.status, c.body)
		if c.defect != "" {
			assert.Containsf(t, answer.Defect, c.defect, "%d %s", c.status, c.body)
		}
	}
}
