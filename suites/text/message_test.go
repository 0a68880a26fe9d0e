package text_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/text"
)

// messageFiles are the edits that make a text about whole messages of the small text.
func messageFiles(stimuli, must string) map[string]string {
	return map[string]string{
		"protocol.yaml": "suite: count\noperations:\n  wire: {message: true}\n  count.reset: {}\nkinds:\n  exchange: {of: wire}\n",
		"stimuli.yaml":  stimuli,
		"rules.yaml": "- sentence: it holds\n  each: exchange\n  if: exchange.stimulus == \"s\"\n  must: |\n    " + must +
			"\n  message: it does not hold\n  got: exchange.answer\n",
		"features/count.feature":    "Feature: Counting\n\n  @COUNT-1-01\n  Scenario: It holds\n    Then it holds\n",
		"schemas/count.schema.json": "{}",
	}
}

// messages are the messages that a host received. The calls of a host may overlap.
type messages struct {
	mu   sync.Mutex
	seen []string
}

func (m *messages) add(message []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen = append(m.seen, string(message))
}

func (m *messages) all() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.seen)
}

// wire answers whole messages: those with an id by an error, others by nothing, and the text "dumb" by silence.
func wire(seen *messages) *suites.Subject {
	deadlines := driver.Deadlines{Call: 200 * time.Millisecond}
	return &suites.Subject{Deadlines: deadlines,
		Driver: inproc.NewWith("wire", func(ctx context.Context, message []byte) []byte {
			seen.add(message)
			var request struct{ ID json.RawMessage }
			switch err := json.Unmarshal(message, &request); {
			case strings.Contains(string(message), "dumb"):
				<-ctx.Done()
				return nil
			case err != nil:
				return []byte("no JSON")
			case request.ID == nil:
				return nil
			}
			return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, request.ID)
		}, driver.Limits{}, deadlines)}
}

func TestMessagesAreJudged(t *testing.T) {
	for name, c := range map[string]struct{ stimulus, must, want string }{
		"answered": {`send: {id: '"a"'}`,
			`exchange.answered && exchange.outcome == "returned" && exchange.result.id == exchange.sent.id`, "passed"},
		"silent": {`send: {a: "1"}`, `!exchange.answered && exchange.outcome == "silent" && exchange.result == null`,
			"passed"},
		"no JSON": {`send: '"{broken"'`, `exchange.outcome == "malformed" && exchange.sent == "{broken"`, "passed"},
		"ignored": {`send: '["dumb"]'`, `!exchange.answered && exchange.outcome == "silent"`, "passed"},
		"broken":  {`send: {id: "7"}`, `exchange.result.id == 8`, "failed"},
	} {
		t.Run(name, func(t *testing.T) {
			var seen messages
			dir := folder(t, messageFiles("- stimulus: s\n  "+c.stimulus+"\n", c.must))
			got := statuses(t, dir, wire(&seen))["COUNT-1-01"]
			assert.Truef(t, strings.HasPrefix(got, c.want), "%s, want %s", got, c.want)
			assert.GreaterOrEqual(t, len(seen.all()), 2, "the probe and the message")
		})
	}
}

func TestMessagesDoNothingWithoutPermission(t *testing.T) {
	for _, method := range []string{"count.reset", "count.next", "delete.everything"} {
		var seen messages
		dir := folder(t, messageFiles("- stimulus: s\n  send: {method: '\""+method+"\"', id: '1'}\n", "exchange.answered"))
		got := statuses(t, dir, wire(&seen))["COUNT-1-01"]
		assert.Truef(t, strings.HasPrefix(got, "inconclusive: "+method+" was not invoked"), "%s: %s", method, got)
		for _, message := range seen.all() {
			assert.NotContains(t, message, method)
		}
	}
}

func TestOperationsThatCarryMessages(t *testing.T) {
	for operations, want := range map[string]string{
		"a: {message: true, http: GET /a}":       "an operation that carries messages has no http",
		"a: {message: true}, b: {message: true}": "two operations carry messages: a and b",
		"a: {message: maybe}":                    "protocol.yaml:2:",
		"a: {request: true, params: x}":          "an operation that carries messages has no params",
		"a: {request: true}":                     "no operation has reads: true",
	} {
		edit := messageFiles("", "exchange.answered")
		edit["protocol.yaml"] = "suite: count\noperations: {" + operations + "}\nkinds: {exchange: {of: a}}\n"
		_, err := text.Load(folder(t, edit), nil)
		require.ErrorContains(t, err, want)
	}
}
