package suites

import (
	"strings"
	"testing"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
)

// The decoder accepts every answer that the drivers accept: a suite never reports a limit of the harness as a defect
// of the target.
func TestAnswersAcceptedByDriversCanBeDecoded(t *testing.T) {
	limits := driver.Limits{}.WithDefaults()
	nested := func(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }
	items := func(n int) string { return "[" + strings.Repeat("1,", n-2) + "1]" }
	for what, text := range map[string]string{
		"nesting":     nested(limits.Depth),
		"values":      items(limits.Values),
		"digits":      "[" + strings.Repeat("9", 1000) + "]",
		"exponent":    "[1e400,1e-400]",
		"more levels": nested(limits.Depth + 1),
		"more values": items(limits.Values + 1),
		"more digits": "[" + strings.Repeat("9", 1001) + "]",
		"beyond":      "[1e401]",
	} {
		_, refused := jsonrpc.Within(limits, driver.Operation{List: true}, driver.Answer{Result: []byte(text)})
		_, err := schemas.Decode([]byte(text), schemas.Limits{})
		if (refused == nil) != (err == nil) {
			t.Errorf("%s: the driver returned %v, the decoder %v", what, refused, err)
		}
	}
}
