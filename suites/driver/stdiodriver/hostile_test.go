package stdiodriver_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/stdiodriver"
)

func sh(t *testing.T, script string, handshake ...time.Duration) driver.Session {
	t.Helper()
	session, err := stdiodriver.New(stdiodriver.Config{
		Command: []string{"sh", "-c", script}, Limits: driver.Limits{Message: 1 << 20, Total: 4 << 20},
		Deadlines: driver.Deadlines{Handshake: append(handshake, 0)[0]},
	}).Open(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// TestChildren checks the results of consecutive calls for children of all kinds.
func TestChildren(t *testing.T) {
	answer := func(id int) string {
		return fmt.Sprintf(`read -r line; echo '{"jsonrpc":"2.0","id":%d,"result":{}}'; `, id)
	}
	const hold = "cat >/dev/null"
	tests := map[string]struct {
		script string
		want   []string
	}{
		"false":             {"echo why >&2; exit 7", []string{"target unreachable: the child ended before its first answer (exit status 7)\ncommand: it\nstderr:\n  why"}},
		"yes":               {"yes", []string{"target unreachable: the child floods its output with messages that answer nothing\ncommand: it\nstderr: nothing"}},
		"yes, later":        {answer(1) + "exec yes", []string{"returned ", "answer exceeds a limit of capconform: the child floods its output with messages that answer nothing"}},
		"cat":               {"cat", []string{"malformed the request itself was returned", "malformed the request itself was returned"}},
		"closes its output": {"exec >&-; exec sleep 600", []string{"target unreachable: the child closed its output\ncommand: it\nstderr: nothing"}},
		"dies later":        {answer(1) + "read -r line; exit 3", []string{"returned ", "connection closed before the answer: the child ended (exit status 3)"}},
		"killed":            {answer(1) + "read -r line; kill -9 $$", []string{"returned ", "connection closed before the answer: the child ended (signal: killed)"}},
		"ignores signals":   {"trap '' TERM INT HUP; " + answer(1) + "while :; do sleep 600; done", []string{"returned "}},
		"forks away":        {"setsid sleep 600 & " + answer(1) + "sleep 600 & " + hold, []string{"returned "}},
		"floods stderr":     {"head -c 20000000 /dev/zero >&2; " + answer(1) + hold, []string{"returned "}},
		"CRLF and BOM":      {`read -r line; printf '\357\273\277{"jsonrpc":"2.0","id":1,"result":{}}\r\n'; ` + hold, []string{"returned "}},
		"no line end":       {`read -r line; printf '{"jsonrpc":"2.0","id":1,"result":{}}'`, []string{"returned "}},
		"empty lines":       {`read -r line; printf '\n\r\n{"jsonrpc":"2.0","id":1,"result":{}}\n'; ` + hold, []string{"returned "}},
		"logs on stdout":    {"echo starting; echo '[INFO] up'; echo '{\"level\":\"info\"}'; " + answer(1) + hold, []string{"returned "}},
		"notifications":     {`echo '{"jsonrpc":"2.0","method":"log","params":{}}'; ` + answer(1) + hold, []string{"returned "}},
		"{}":                {"read -r line; echo '{}'; " + hold, []string{"malformed id is missing"}},
		"NaN":               {`read -r line; echo '{"jsonrpc":"2.0","result":NaN,"id":1}'; ` + hold, []string{"malformed the message is not JSON: invalid character 'N' at start of value at byte 26"}},
		"same id for all":   {answer(1) + answer(1), []string{"returned ", "malformed id is that of an earlier request"}},
		"answers twice":     {`read -r line; echo '{"jsonrpc":"2.0","id":1,"result":{}}'; read -r line; echo '{"jsonrpc":"2.0","id":1,"result":{}}'; echo '{"jsonrpc":"2.0","id":2,"result":{}}'; ` + hold, []string{"returned ", "returned "}},
		"a long line":       {`read -r line; head -c 3000000 /dev/zero | tr '\0' x; echo; ` + answer(2) + hold, []string{"answer exceeds a limit of capconform: a line of more than 1 MiB", "returned "}},
		"an endless line":   {`read -r line; tr '\0' '{' </dev/zero`, []string{"answer exceeds a limit of capconform: a line of more than 1 MiB"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			session := sh(t, test.script)
			var got []string
			for range test.want {
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				answer, err := session.Call(ctx, driver.Operation{Name: "x"})
				cancel()
				if err != nil {
					got = append(got, strings.ReplaceAll(err.Error(), driver.ShellQuote("sh", "-c", test.script), "it"))
					continue
				}
				got = append(got, fmt.Sprint(answer.Outcome, " ", answer.Defect))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSilentChild(t *testing.T) {
	_, err := sh(t, "cat >/dev/null", 300*time.Millisecond).Call(t.Context(), driver.Operation{Name: "x"})
	require.ErrorIs(t, err, driver.ErrUnreachable)
	if diff := cmp.Diff("target unreachable: no answer within 300ms of the first request\ncommand: sh -c 'cat >/dev/null'\nstderr: nothing", err.Error()); diff != "" {
		t.Errorf("error (-want +got):\n%s", diff)
	}
}

func TestRequestsOfTheHost(t *testing.T) {
	// The child sends a request with the id of our request, and answers with the reply that it received.
	session := sh(t, `read -r line; echo '{"jsonrpc":"2.0","id":1,"method":"roots/list"}'; read -r reply
		printf '{"jsonrpc":"2.0","id":1,"result":%s}\n' "$reply"; cat >/dev/null`)
	got, err := session.Call(t.Context(), driver.Operation{Name: "x"})
	require.NoError(t, err)
	want := `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"method not found"}}`
	if diff := cmp.Diff(want, string(got.Result)); diff != "" {
		t.Errorf("the reply to the host (-want +got):\n%s", diff)
	}
}

func TestWarnings(t *testing.T) {
	session := sh(t, `echo starting; echo '{"level":"info"}'; for i in $(seq 30); do echo "line $i"; done; read -r line; echo '{"jsonrpc":"2.0","id":1,"result":{}}'
		read -r line; echo '{"jsonrpc":"2.0","id":1,"result":{}}'; echo '{"jsonrpc":"2.0","id":2,"result":{}}'; cat >/dev/null`)
	for range 2 {
		_, err := session.Call(t.Context(), driver.Operation{Name: "x"})
		require.NoError(t, err)
	}
	got := session.Info()
	if diff := cmp.Diff([]string{`a message that answers no call: "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"`}, got.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(driver.Noise{Lines: 32, First: "starting"}, got.Noise); diff != "" {
		t.Errorf("noise (-want +got):\n%s", diff)
	}
}

func TestLateAnswersAreNotAttributedToNextCall(t *testing.T) {
	session := sh(t, `read -r a; read -r b; echo '{"jsonrpc":"2.0","id":1,"result":{"late":true}}'; echo '{"jsonrpc":"2.0","id":2,"result":{"late":false}}'
		read -r c; echo '{"jsonrpc":"2.0","id":1,"result":{"late":true}}'; cat >/dev/null`)
	soon, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := session.Call(soon, driver.Operation{Name: "x"}); !errors.Is(err, driver.ErrTimeout) {
		t.Fatalf("got %v, want ErrTimeout", err)
	}
	got, err := session.Call(t.Context(), driver.Operation{Name: "x"})
	require.NoError(t, err)
	if string(got.Result) != `{"late":false}` || len(session.Info().Warnings) != 0 {
		t.Errorf("got %s, warnings %q", got.Result, session.Info().Warnings)
	}
	soon, cancel = context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if got, err := session.Call(soon, driver.Operation{Name: "x"}); !errors.Is(err, driver.ErrTimeout) {
		t.Errorf("a late answer during a call: got %v, %v, want ErrTimeout", got, err)
	}
}

func TestPartialAnswer(t *testing.T) {
	session := sh(t, `read -r a; printf '{"jsonrpc":"2.0","id":1,"result":{"half'`)
	_, err := session.Call(t.Context(), driver.Operation{Name: "x"})
	var failed *driver.CallError
	require.ErrorAs(t, err, &failed)
	if diff := cmp.Diff(`{"jsonrpc":"2.0","id":1,"result":{"half`, string(failed.Exchange.Received)); diff != "" {
		t.Errorf("received (-want +got):\n%s", diff)
	}
}

// TestChildThatDoesNotRead: a child that does not read receives no more than the capacity of a pipe.
func TestChildThatDoesNotRead(t *testing.T) {
	session := sh(t, "exec sleep 600")
	big := driver.Operation{Name: "x", Params: []byte(`{"x":"` + strings.Repeat("x", 1<<20) + `"}`)}
	soon, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := session.Call(soon, big); !errors.Is(err, driver.ErrTimeout) {
		t.Errorf("got %v, want ErrTimeout", err)
	}
	if _, err := session.Call(t.Context(), driver.Operation{Name: "x"}); !errors.Is(err, driver.ErrClosed) {
		t.Errorf("after half a request: got %v, want ErrClosed", err)
	}
}

// TestGigabyteLine uses the default limits: reading stops long before the end.
func TestGigabyteLine(t *testing.T) {
	session, err := stdiodriver.New(stdiodriver.Config{
		Command: []string{"sh", "-c", `read -r line; printf '{"jsonrpc":"2.0","id":1,"result":"'; head -c 1073741824 /dev/zero | tr '\0' x; echo '"}'`},
	}).Open(t.Context())
	require.NoError(t, err)
	defer session.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = session.Call(t.Context(), driver.Operation{Name: "x"})
	runtime.ReadMemStats(&after)
	if !errors.Is(err, driver.ErrTooLarge) {
		t.Errorf("got %v, want ErrTooLarge", err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 128<<20 {
		t.Errorf("%d bytes were allocated for a limit of 8 MiB", used)
	}
}
