package drivertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/capconform/capconform/suites/driver"
)

// Options are the properties that a test requires of the driver.
type Options struct {
	Limits    driver.Limits
	Deadlines driver.Deadlines
}

// Subject is a driver under test.
type Subject struct {
	// Open returns a driver that reaches its own scripted Host. Servers that it starts end with
	// the test.
	Open func(t *testing.T, options Options) driver.Driver
	// Whole reports that a reply arrives complete or not at all: partial and endless replies are
	// impossible.
	Whole bool
	// Secret is a value that the driver was given as a secret; empty if the driver takes none.
	Secret string
}

// Run tests that a driver conforms to the contract.
func Run(t *testing.T, subject Subject) {
	tests := []struct {
		name string
		run  func(*testing.T, Subject)
	}{
		{"answers", testAnswers}, {"exchange", testExchange}, {"fresh sessions", testFreshSessions},
		{"contexts", testContexts}, {"not at once", testConcurrency}, {"close", testClose},
		{"limits", testLimits}, {"hostile", testHostile}, {"lasting", testLasting}, {"secrets", testSecrets},
		{"messages", testMessages},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			leftBefore := goleak.IgnoreCurrent()
			childrenBefore := children()
			t.Run("run", func(t *testing.T) { test.run(t, subject) })
			goleak.VerifyNone(t, leftBefore)
			if diff := cmp.Diff(childrenBefore, children()); diff != "" {
				t.Errorf("children (-before +after):\n%s", diff)
			}
		})
	}
}

func open(t *testing.T, s Subject, options Options) driver.Session {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	session, err := s.Open(t, options).Open(ctx)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// script returns an operation that makes the host perform a script.
func script(s Script) driver.Operation {
	params, _ := json.Marshal(s) // strings and numbers can't fail
	return driver.Operation{Name: Method, Params: params}
}

func call(session driver.Session, op driver.Operation) (driver.Answer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	return session.Call(ctx, op)
}

const (
	okReply   = `{"jsonrpc":"2.0","id":$ID,"result":{"n": 1.0, "s":"x"}}`
	bigNumber = `{"n":123456789012345678901234567890e400}`
)

func testAnswers(t *testing.T, s Subject) {
	session := open(t, s, Options{})
	tests := map[string]struct {
		op     driver.Operation
		want   driver.Answer
		defect string
	}{
		"result": {op: script(Script{Reply: okReply}), want: driver.Answer{Result: []byte(`{"n": 1.0, "s":"x"}`)}},
		"big numbers": {op: script(Script{Reply: `{"jsonrpc":"2.0","id":$ID,"result":` + bigNumber + `}`}),
			want: driver.Answer{Result: []byte(bigNumber)}},
		"duplicate below": {op: script(Script{Reply: `{"jsonrpc":"2.0","id":$ID,"result":{"a":1,"a":2}}`}),
			want: driver.Answer{Result: []byte(`{"a":1,"a":2}`)}},
		"refused": {op: script(Script{Reply: `{"jsonrpc":"2.0","id":$ID,` +
			`"error":{"code":-32000,"message":"no","data":{"code":"NOT_FOUND"}}}`}),
			want: driver.Answer{Outcome: driver.Refused, Error: &driver.ProtocolError{Code: "NOT_FOUND", Message: "no"}}},
		"not provided": {op: driver.Operation{Name: "test.absent"}, want: driver.Answer{Outcome: driver.NotProvided}},
		"no version":   {op: script(Script{Reply: `{"id":$ID,"result":{}}`}), defect: "jsonrpc"},
		"both": {op: script(Script{Reply: `{"jsonrpc":"2.0","id":$ID,"result":{},"error":{"code":1}}`}),
			defect: "both"},
		"neither":   {op: script(Script{Reply: `{"jsonrpc":"2.0","id":$ID}`}), defect: "neither"},
		"string id": {op: script(Script{Reply: `{"jsonrpc":"2.0","id":"$ID","result":{}}`}), defect: "id is a string"},
		"null id":   {op: script(Script{Reply: `{"jsonrpc":"2.0","id":null,"result":{}}`}), defect: "id is null"},
		"no id":     {op: script(Script{Reply: `{"jsonrpc":"2.0","result":{}}`}), defect: "id is missing"},
		"other id":  {op: script(Script{Reply: `{"jsonrpc":"2.0","id":4711000,"result":{}}`}), defect: "id is not"},
		"batch":     {op: script(Script{Reply: `[{"jsonrpc":"2.0","id":$ID,"result":{}}]`}), defect: "array"},
		"bad error": {op: script(Script{Reply: `{"jsonrpc":"2.0","id":$ID,"error":"no"}`}), defect: "error is a string"},
		"bad UTF-8": {op: script(Script{Reply: `{"jsonrpc":"2.0","id":$ID,"result":{"s":"$BAD"}}`}), defect: "UTF-8"},
		"NaN":       {op: script(Script{Reply: `{"jsonrpc":"2.0","id":$ID,"result":{"n":NaN}}`}), defect: "not JSON"},
		"duplicate": {op: script(Script{Reply: `{"jsonrpc":"2.0","id":$ID,"result":{},"result":{}}`}), defect: "duplicated"},
		"echo": {op: script(Script{Reply: `{"jsonrpc":"2.0","id":$ID,"method":"$METHOD","params":{}}`}),
			defect: "request"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := call(session, test.op)
			require.NoError(t, err)
			if test.defect != "" {
				if got.Outcome != driver.Malformed || !strings.Contains(got.Defect, test.defect) {
					t.Errorf("got %v %q, want malformed and %q", got.Outcome, got.Defect, test.defect)
				}
				return
			}
			if diff := cmp.Diff(seen(test.want), seen(got)); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
		})
	}
}

// seen is the part of an answer that is the same on all transports.
func seen(a driver.Answer) string {
	code := ""
	if a.Error != nil {
		code = a.Error.Code
	}
	return fmt.Sprintf("%v %s %s %s", a.Outcome, a.Result, code, a.Defect)
}

func testExchange(t *testing.T, s Subject) {
	session := open(t, s, Options{})
	for _, op := range []driver.Operation{
		script(Script{Reply: okReply}),
		script(Script{Reply: `{"jsonrpc":"2.0","id":$ID,"x":"n\": 1.0, \"s\""}`}), {Name: "test.absent"},
	} {
		got, err := call(session, op)
		require.NoError(t, err)
		e := got.Exchange
		if e.Operation != op.Name || e.Started.IsZero() || e.Took <= 0 {
			t.Errorf("exchange of %q started %v took %v", e.Operation, e.Started, e.Took)
		}
		if op.Params != nil &&
			(!strings.Contains(string(e.Sent), "$ID") || !strings.Contains(string(e.Received), "n\\\": 1.0") &&
				!strings.Contains(string(e.Received), `"n": 1.0`)) {
			t.Errorf("sent %q\nreceived %q", e.Sent, e.Received)
		}
	}
}

func testFreshSessions(t *testing.T, s Subject) {
	d := s.Open(t, Options{})
	if d.Target().Driver == "" || d.Target().Address == "" {
		t.Errorf("target %+v", d.Target())
	}
	for range 2 {
		session, err := d.Open(context.Background())
		require.NoError(t, err)
		got, err := call(session, script(Script{Reply: okReply}))
		require.NoError(t, err)
		if got.Outcome != driver.Returned || session.Info().Binding == "" || session.Info().Protocol == "" {
			t.Errorf("answer %v, info %+v", got, session.Info())
		}
		require.NoError(t, session.Close())
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if session, err := d.Open(ended); !errors.Is(err, driver.ErrCancelled) {
		t.Errorf("Open in a cancelled context: %v, %v", session, err)
	}
}

func testContexts(t *testing.T, s Subject) {
	session := open(t, s, Options{Deadlines: driver.Deadlines{Call: 100 * time.Millisecond}})
	silent := script(Script{Silent: true})
	_, err := session.Call(context.Background(), silent)
	checkFailure(t, err, driver.ErrTimeout)

	soon, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	_, err = session.Call(soon, silent)
	checkFailure(t, err, driver.ErrTimeout)

	stopped, stop := context.WithTimeout(context.Background(), 20*time.Second)
	time.AfterFunc(50*time.Millisecond, stop)
	_, err = session.Call(stopped, silent)
	checkFailure(t, err, driver.ErrCancelled)
	_, err = session.Call(stopped, script(Script{Reply: okReply}))
	checkFailure(t, err, driver.ErrCancelled)

	got, err := call(session, script(Script{Reply: okReply}))
	require.NoError(t, err)
	if got.Outcome != driver.Returned {
		t.Errorf("after calls that were given up: %v", got)
	}
}

// checkFailure checks the kind of an error, and that its exchange shows what was sent.
func checkFailure(t *testing.T, err error, want error) *driver.CallError {
	t.Helper()
	var failed *driver.CallError
	if !errors.As(err, &failed) || !errors.Is(err, want) {
		t.Fatalf("got %v, want a CallError that wraps %v", err, want)
	}
	if failed.Exchange.Operation != Method || failed.Exchange.Sent == nil {
		t.Errorf("the exchange of the error does not tell what was sent: %+v", failed.Exchange)
	}
	if params := string(failed.Exchange.Params); !strings.HasPrefix(params, `{`) || strings.Contains(params, Method) {
		t.Errorf("the exchange of the error does not tell the params of the operation: %s", params)
	}
	return failed
}

func testConcurrency(t *testing.T, s Subject) {
	session := open(t, s, Options{})
	const calls = 20
	var wait sync.WaitGroup
	results := make([]string, calls)
	for i := range calls {
		// The first call is answered last: each reply is held until the next call arrives.
		op := Script{Reply: fmt.Sprintf(`{"jsonrpc":"2.0","id":$ID,"result":{"n":%d}}`, i), Hold: fmt.Sprint(i + 1)}
		if i == calls-1 {
			op.Hold = "start"
		}
		wait.Go(func() {
			got, err := call(session, script(op))
			results[i] = fmt.Sprintf("%s %v", got.Result, err)
			if i > 0 && err == nil {
				_, err = call(session, script(Script{Reply: okReply, Release: fmt.Sprint(i)}))
			}
			if err != nil {
				t.Errorf("call %d: %v", i, err)
			}
		})
	}
	_, err := call(session, script(Script{Reply: okReply, Release: "start"}))
	require.NoError(t, err)
	wait.Wait()
	for i, got := range results {
		if diff := cmp.Diff(fmt.Sprintf(`{"n":%d} <nil>`, i), got); diff != "" {
			t.Errorf("call %d (-want +got):\n%s", i, diff)
		}
	}
}

func testClose(t *testing.T, s Subject) {
	session := open(t, s, Options{})
	failed := make(chan error, 1)
	go func() {
		_, err := session.Call(context.Background(), script(Script{Silent: true}))
		failed <- err
	}()
	_, err := call(session, script(Script{Reply: okReply}))
	require.NoError(t, err)
	require.NoError(t, session.Close())
	require.NoError(t, session.Close())
	select {
	case err := <-failed:
		checkFailure(t, err, driver.ErrClosed)
	case <-time.After(5 * time.Second):
		t.Error("a call under way did not end with the session")
	}
	_, err = call(session, script(Script{Reply: okReply}))
	checkFailure(t, err, driver.ErrClosed)
}
