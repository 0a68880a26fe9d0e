package lines_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/lines"
)

// exchange begins an exchange; the channel receives the lines, or the error.
func exchange(ctx context.Context, c *lines.Conn, line string, quiet bool) <-chan string {
	result := make(chan string, 1)
	go func() {
		got, failed := c.Exchange(ctx, []byte(line), quiet)
		if failed != nil {
			result <- failed.Kind.Error()
			return
		}
		var all []string
		for _, one := range got {
			all = append(all, strings.TrimSpace(string(one)))
		}
		result <- strings.Join(all, " ")
	}()
	return result
}

func TestExchanges(t *testing.T) {
	for name, reading := range ways {
		t.Run(name, func(t *testing.T) {
			conn, other := connect(t, reading)
			for _, answer := range []string{`{"id":"a","result":1}`, `[]`, `[{"id":1}]`, `{"id":null,"error":{}}`, `{broken`} {
				got := exchange(t.Context(), conn, "[broken", false)
				assert.Equal(t, "[broken", other.receive(t))
				other.send(t, "%s\n", answer)
				requireResult(t, "one line", got, answer)
			}
			got := exchange(t.Context(), conn, "[]", false)
			other.receive(t)
			other.send(t,
				"a log line\n{\"jsonrpc\":\"2.0\",\"method\":\"notice\"}\n{\"id\":1,\"result\":1}\n{\"id\":2,\"result\":2}\n")
			requireResult(t, "two lines", got, `{"id":1,"result":1} {"id":2,"result":2}`)

			got = exchange(t.Context(), conn, "{}", true)
			other.receive(t)
			requireResult(t, "no line", got, "")

			short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			got = exchange(short, conn, "{}", false)
			other.receive(t)
			requireResult(t, "no line in time", got, driver.ErrTimeout.Error())
		})
	}
}

func TestExchangesDoNotTakeRepliesToCalls(t *testing.T) {
	for name, reading := range ways {
		t.Run(name, func(t *testing.T) {
			conn, other := connect(t, reading)
			call := ask(t.Context(), conn, 7)
			other.receive(t)
			got := exchange(t.Context(), conn, "{}", false)
			other.receive(t)
			other.send(t, answer+"%s\n", 7, 70, `{"id":"a","result":1}`)
			requireResult(t, "the call", call, "70")
			requireResult(t, "the exchange", got, `{"id":"a","result":1}`)
		})
	}
}

func TestExchangesEndWithTheConnection(t *testing.T) {
	conn, other := connect(t, interruptible)
	got := exchange(t.Context(), conn, "{}", false)
	other.receive(t)
	require.NoError(t, other.out.Close())
	requireResult(t, "in progress", got, driver.ErrClosed.Error())
	requireResult(t, "later", exchange(t.Context(), conn, "{}", true), driver.ErrClosed.Error())
}
