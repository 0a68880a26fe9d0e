package suites

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/recording"
	"github.com/capconform/capconform/suites/transcript"
)

// entriesOf runs a toy suite and returns the entries of its record.
func entriesOf(t *testing.T, subject *Subject, opts Options, words ...string) []record.Entry {
	t.Helper()
	opts.Record = record.NewWriter(nil)
	t.Cleanup(func() { require.NoError(t, opts.Record.Close()) })
	_, err := Run(t.Context(), []*Suite{newToy().suite(t, scenarios(words...))}, subject, opts)
	require.NoError(t, err)
	var out bytes.Buffer
	_, err = opts.Record.Save(&out, record.Header{})
	require.NoError(t, err)
	read, err := record.Read(&out)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, read.Close()) })
	var all []record.Entry
	for e, err := range read.Entries() {
		require.NoError(t, err)
		all = append(all, e)
	}
	return all
}

// A record contains exactly the calls that the target received.
func TestRecordContainsEveryCall(t *testing.T) {
	var calls atomic.Int64
	subject := answering(func(int64) []byte {
		calls.Add(1)
		return []byte(`{"jsonrpc":"2.0","id":1,"result":{"ok":true}}`)
	})
	entries := entriesOf(t, subject, Options{Explicit: true}, "call", "nothing", "call")
	var got []string
	for _, e := range entries {
		got = append(got, fmt.Sprintf("%s %s %s %s %s %s", e.Suite, e.Stimulus, e.About["requirement"], e.Operation, e.Sent.JSON, e.Received.JSON))
	}
	want := []string{` probe  ping {} {"ok":true}`, `toy scenario TOY-A-01 ping {} {"ok":true}`, `toy scenario TOY-A-03 ping {} {"ok":true}`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	if n := int(calls.Load()); n != len(entries) {
		t.Errorf("the target received %d calls, the record has %d", n, len(entries))
	}
}

func TestRecordDistinguishesOutcomes(t *testing.T) {
	replies := map[int64]string{
		2: `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no","data":{"code":"NOT_FOUND"}}}`,
		3: `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"unknown"}}`,
		4: `{"jsonrpc":"2.0","id":1}`,
	}
	subject := answering(func(n int64) []byte {
		if reply, ok := replies[n]; ok {
			return []byte(reply)
		}
		return pong(n)
	})
	var got []string
	for _, e := range entriesOf(t, subject, Options{Explicit: true}, "call", "call", "call", "call") {
		fault := ""
		if e.Error != nil {
			fault = e.Error.Code
		}
		got = append(got, string(e.Outcome)+" "+fault)
		if e.Begun >= e.Done {
			t.Errorf("entry begun at %d is done at %d", e.Begun, e.Done)
		}
	}
	if diff := cmp.Diff([]string{"returned ", "refused NOT_FOUND", "not-provided ", "malformed ", "returned "}, got); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
}

// If the connection of a stimulus is closed, the stimulus repeats the call once. If that call fails too, the record
// contains both outcomes.
func TestRecordLinksRetries(t *testing.T) {
	for name, test := range map[string]struct {
		closed int64 // the number of calls after the probe whose connection is closed
		want   []string
	}{
		"never": {0, []string{"probe returned []", "one returned []", "one performed []"}},
		"once":  {1, []string{"probe returned []", "one lost []", "one returned [retry-of]", "one performed []"}},
		"twice": {2, []string{"probe returned []", "one lost []", "one lost [retry-of]", "one not-performed []"}},
	} {
		t.Run(name, func(t *testing.T) {
			subject := answering(func(n int64) []byte {
				if n > 1 && n <= 1+test.closed {
					return nil
				}
				return pong(n)
			})
			var got []string
			for _, e := range entriesOf(t, subject, Options{Explicit: true}, "act") {
				links := []string{}
				for _, link := range e.Links {
					links = append(links, string(link.Relation))
				}
				got = append(got, fmt.Sprintf("%s %s %v", e.Stimulus, e.Outcome, links))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
		})
	}
}

// lossy is a session that loses every call.
type lossy struct{ driver.Session }

func (lossy) Call(_ context.Context, op driver.Operation) (driver.Answer, error) {
	exchange := driver.Begin(op, nil).Complete([]byte("half"), driver.Secrets{})
	return driver.Answer{}, exchange.Fail(driver.ErrTimeout, "", driver.Secrets{})
}

// lossyTarget opens sessions that lose every call.
type lossyTarget struct{ driver.Driver }

func (lossyTarget) Open(context.Context) (driver.Session, error) { return lossy{}, nil }

func TestRecordContainsLostCalls(t *testing.T) {
	w := record.NewWriter(nil)
	defer w.Close() // nothing is spooled
	session, err := recording.NewDriver(lossyTarget{}, recording.NewJournal(w, nil)).Open(t.Context())
	require.NoError(t, err)
	_, err = session.Call(t.Context(), ping)
	require.ErrorIs(t, err, driver.ErrTimeout)
	var out bytes.Buffer
	_, err = w.Save(&out, record.Header{})
	require.NoError(t, err)
	read, err := record.Read(&out)
	require.NoError(t, err)
	defer read.Close() // nothing is spooled
	require.Equal(t, 1, read.Len())
	for e, err := range read.Entries() {
		require.NoError(t, err)
		if e.Outcome != record.Lost || string(e.Received.Bytes) != "half" ||
			e.Error.Message != driver.ErrTimeout.Error() {
			t.Errorf("entry of a lost call = %+v, received %q", e, e.Received.Bytes)
		}
		failed := (&caseResult{testCase: &Case{}, err: transcript.LostCall(e)}).failure(nil)
		require.Equal(t, "an answer to "+ping.Name, failed.Want)
		require.Len(t, failed.Exchanges, 1, "the call without an answer is shown")
		require.Equal(t, "half", failed.Exchanges[0].Received.Text)
	}
}

// The known packages of an index that a run was given are available when its record is judged.
func TestRecordContainsKnownPackages(t *testing.T) {
	known := []Package{
		{CapURI: "did:nuwa:cap:note@1.0.0", CID: "bafy"},
		{CapURI: "did:nuwa:cap:note@1.1.0", Semver: "1.1.0", SHA256: "00"},
	}
	subject := answering(func(int64) []byte { return nil })
	subject.Known = known
	text, err := json.Marshal(describe(subject, driver.Info{}, Options{}))
	require.NoError(t, err)
	var read record.Header
	require.NoError(t, json.Unmarshal(text, &read))
	if diff := cmp.Diff(known, recordedSubject(read).Known); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
