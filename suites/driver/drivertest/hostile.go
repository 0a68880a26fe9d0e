package drivertest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
)

func testLimits(t *testing.T, s Subject) {
	session := open(t, s, Options{Limits: driver.Limits{Message: 10_000, Total: 100_000}})
	element := `"$FILL"`
	list := func(elements int) string {
		return `{"jsonrpc":"2.0","id":$ID,"result":{"items":[` + strings.Repeat(element+",", elements-1) + element + `]}}`
	}
	tests := map[string]struct {
		reply string
		fill  int
		list  bool
		fails bool
	}{
		"a message":              {list(1), 3_000, false, false},
		"a long message":         {list(1), 12_000, false, true},
		"a long list":            {list(8), 5_000, true, false},
		"a long list, no list":   {list(8), 5_000, false, true},
		"a long list as a whole": {list(8), 5_000, true, true},
		"a long element":         {list(2), 12_000, true, true},
		"a list beyond the most": {list(30), 5_000, true, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			op := script(Script{Reply: test.reply, Fill: test.fill})
			op.List, op.Single = test.list, test.list && name != "a long list as a whole"
			got, err := call(session, op)
			if test.fails {
				checkFailure(t, err, driver.ErrTooLarge)
				return
			}
			require.NoError(t, err)
			if got.Outcome != driver.Returned || len(got.Result) < test.fill {
				t.Errorf("got %v, a result of %d bytes", got.Outcome, len(got.Result))
			}
		})
	}
	got, err := call(session, script(Script{Reply: okReply}))
	require.NoError(t, err)
	if diff := cmp.Diff(driver.Returned, got.Outcome); diff != "" {
		t.Errorf("after all this (-want +got):\n%s", diff)
	}
}

func testHostile(t *testing.T, s Subject) {
	const begin = `{"jsonrpc":"2.0","id":$ID,"result":"`
	tests := map[string]struct {
		script Script
		whole  bool // possible for a host whose replies arrive complete or not at all
		want   error
	}{
		"10,000 levels": {Script{Reply: `{"jsonrpc":"2.0","id":$ID,"result":{"deep":$DEEP}}`, Levels: 10_000},
			true, driver.ErrTooLarge},
		"100,000 levels": {Script{Reply: `{"jsonrpc":"2.0","id":$ID,"result":{"deep":$DEEP}}`, Levels: 100_000},
			true, driver.ErrTooLarge},
		"endless":       {Script{Reply: begin, Endless: true}, false, driver.ErrTooLarge},
		"a byte a time": {Script{Reply: begin + strings.Repeat("x", 1000), Drip: true}, false, driver.ErrTimeout},
		"breaks off":    {Script{Reply: begin, Close: true}, false, driver.ErrClosed},
		"hangs up":      {Script{Close: true}, true, driver.ErrClosed},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if s.Whole && !test.whole {
				t.Skip("replies come as a whole")
			}
			session := open(t, s, Options{Limits: driver.Limits{Message: 1 << 20, Total: 2 << 20}})
			_, err := call(session, script(Script{Reply: okReply}))
			require.NoError(t, err)
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			if errors.Is(test.want, driver.ErrTimeout) {
				ctx, cancel = context.WithTimeout(ctx, time.Second)
				defer cancel()
			}
			_, err = session.Call(ctx, script(test.script))
			failed := checkFailure(t, err, test.want)
			if size := len(failed.Exchange.Received); size > 2<<20 {
				t.Errorf("%d bytes were kept", size)
			}
		})
	}
}

func testLasting(t *testing.T, s Subject) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	session, err := driver.Reopening(s.Open(t, Options{})).Open(ctx)
	require.NoError(t, err)
	defer session.Close()
	for range 2 {
		got, err := session.Call(ctx, script(Script{Reply: okReply}))
		require.NoError(t, err)
		if got.Outcome != driver.Returned {
			t.Errorf("got %v", got)
		}
		_, err = session.Call(ctx, script(Script{Close: true}))
		checkFailure(t, err, driver.ErrClosed)
	}
}

func testSecrets(t *testing.T, s Subject) {
	if s.Secret == "" {
		t.Skip("the driver takes no secrets")
	}
	session := open(t, s, Options{})
	reply := `{"jsonrpc":"2.0","id":$ID,"result":{"leaked":"` + s.Secret + `"}}`
	got, err := call(session, script(Script{Reply: reply}))
	require.NoError(t, err)
	e := got.Exchange
	for what, text := range map[string]string{"sent": string(e.Sent), "params": string(e.Params),
		"received": string(e.Received), "repeat": e.Repeat()} {
		if text == "" || strings.Contains(text, s.Secret) {
			t.Errorf("%s shows the secret or nothing: %s", what, text)
		}
	}
	if !strings.Contains(string(got.Result), s.Secret) || !strings.Contains(e.Repeat(), "$") {
		t.Errorf("result %s\nrepeat %s", got.Result, e.Repeat())
	}
}

// children returns the child processes of this process, if the system lists them.
func children() []string {
	files, _ := filepath.Glob("/proc/self/task/*/children")
	var pids []string
	for _, file := range files {
		text, _ := os.ReadFile(file)
		pids = append(pids, strings.Fields(string(text))...)
	}
	return pids
}
