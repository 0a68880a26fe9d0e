package driver_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/inproc"
)

// A long buffer is not copied repeatedly while it grows, and does not retain unnecessary capacity.
func TestBuffersGrowOnce(t *testing.T) {
	const limit = 64 << 20
	var buffer []byte
	rooms := map[int]bool{}
	for len(buffer) < 8<<20 {
		buffer = append(driver.Grow(buffer, 64<<10, limit), make([]byte, 64<<10)...)
		if cap(buffer) > 2<<20 {
			rooms[cap(buffer)] = true
		}
	}
	if len(rooms) != 1 || cap(buffer) < limit {
		t.Errorf("the buffer grew through the capacities %v, want one", rooms)
	}
	if fitted := driver.Fitted(buffer); len(fitted) != len(buffer) || cap(fitted) > 2*len(buffer) {
		t.Errorf("%d bytes have the capacity %d", len(fitted), cap(fitted))
	}
	short := driver.Grow(nil, 10, limit)
	if cap(short) > 1<<20 || cap(driver.Grow(nil, 10, 5)) < 10 {
		t.Errorf("a short buffer has the capacity %d", cap(short))
	}
}

func TestSizesAreHumanReadable(t *testing.T) {
	for bytes, want := range map[int64]string{8 << 20: "8 MiB", 1 << 30: "1 GiB", 64 << 10: "64 KiB", 8<<20 + 1: "8388609 bytes", 100: "100 bytes"} {
		if diff := cmp.Diff(want, driver.Size(bytes)); diff != "" {
			t.Errorf("%d (-want +got):\n%s", bytes, diff)
		}
	}
}

// For a long answer, an exchange stores the beginning, the length and the digest; secrets are masked before it is
// truncated.
func TestLongAnswersAreTruncated(t *testing.T) {
	secrets := driver.Secrets{}.With("hunter2-hunter2")
	text := strings.Repeat("x", 32<<10-4) + "hunter2-hunter2" + strings.Repeat("y", 1<<20)
	masked := strings.ReplaceAll(text, "hunter2-hunter2", driver.Masked)
	sum := sha256.Sum256([]byte(masked))
	e := driver.Begin(driver.Operation{Name: "a"}, nil).Complete([]byte(text), secrets)
	want := driver.Exchange{Length: len(masked), Digest: hex.EncodeToString(sum[:])}
	if diff := cmp.Diff(want, driver.Exchange{Length: e.Length, Digest: e.Digest}); diff != "" {
		t.Errorf("length and digest (-want +got):\n%s", diff)
	}
	if len(e.Received) == 0 || cap(e.Received) > 64<<10 || !strings.HasPrefix(masked, string(e.Received)) ||
		strings.Contains(string(e.Received), "hunt") {
		t.Errorf("%d bytes are stored, with the capacity %d", len(e.Received), cap(e.Received))
	}
	short := driver.Begin(driver.Operation{Name: "a"}, nil).Complete([]byte("short"), secrets)
	if string(short.Received) != "short" || short.Length != 0 || short.Digest != "" {
		t.Errorf("a short answer is stored as %+v", short)
	}
}

// Calls fail only while earlier answers fill the memory.
func TestCallsFailWhenMemoryIsExhausted(t *testing.T) {
	host := inproc.New("small", func(context.Context, []byte) []byte { return []byte(`{"jsonrpc":"2.0","id":1,"result":{}}`) })
	kept := make([]byte, 32<<20)
	for _, test := range []struct {
		memory int64
		fails  bool
	}{{0, false}, {16 << 20, true}, {1 << 40, false}} {
		session, err := driver.ReopeningWithin(host, driver.Limits{Memory: test.memory}).Open(t.Context())
		require.NoError(t, err)
		_, err = session.Call(t.Context(), driver.Operation{Name: "a"})
		if got := errors.Is(err, driver.ErrTooLarge); got != test.fails || err != nil && !test.fails {
			t.Errorf("with %d: %v", test.memory, err)
		}
		require.NoError(t, session.Close())
	}
	runtime.KeepAlive(kept)
}
