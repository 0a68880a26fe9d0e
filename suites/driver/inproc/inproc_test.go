package inproc_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/inproc"
)

func BenchmarkCall(b *testing.B) {
	result := []byte(`{"jsonrpc":"2.0","id":1,"result":{"status":"ok","output":{"message":"hi"}}}`)
	d := inproc.New("bench", func(_ context.Context, _ []byte) []byte { return result })
	op := driver.Operation{Name: "capability.invoke", Params: []byte(`{"ref":{"capability_id":"a","version":"1.0.0"},"input":{}}`)}
	for b.Loop() {
		s, err := d.Open(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		if a, err := s.Call(context.Background(), op); err != nil || a.Outcome != driver.Returned {
			b.Fatal(a, err)
		}
		_ = s.Close()
	}
}

// TestHandlersThatMisbehave checks defects of handlers that no other transport can have.
func TestHandlersThatMisbehave(t *testing.T) {
	released := make(chan struct{})
	t.Cleanup(func() { close(released) })
	tests := map[string]struct {
		handler func(context.Context, []byte) []byte
		want    error
	}{
		"ignores its context": {func(context.Context, []byte) []byte { <-released; return nil }, driver.ErrTimeout},
		"panics":              {func(context.Context, []byte) []byte { panic("oh") }, driver.ErrClosed},
		"returns nothing":     {func(context.Context, []byte) []byte { return nil }, driver.ErrClosed},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			session, err := inproc.NewWith("x", test.handler, driver.Limits{}, driver.Deadlines{Call: 100 * time.Millisecond}).Open(t.Context())
			require.NoError(t, err)
			defer session.Close()
			if _, err = session.Call(t.Context(), driver.Operation{Name: "x"}); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
}

func TestEmptyReplyIsMalformed(t *testing.T) {
	session, err := inproc.New("x", func(context.Context, []byte) []byte { return []byte{} }).Open(t.Context())
	require.NoError(t, err)
	got, err := session.Call(t.Context(), driver.Operation{Name: "x"})
	require.NoError(t, err)
	if got.Outcome != driver.Malformed {
		t.Errorf("got %v", got.Outcome)
	}
}
