package chphost_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference/chphost"
)

// reopened starts a host on an evidence file, and returns the sequences and types of the events of a correlation
// after one more invocation.
func reopened(t *testing.T, path, id string) []string {
	t.Helper()
	journal, err := chphost.OpenJournal(path)
	require.NoError(t, err)
	defer func() { require.NoError(t, journal.Close()) }()
	host, err := chphost.Profile(chphost.NewStore(journal))
	require.NoError(t, err)
	_, err = call(t, host.Invoke, strings.Replace(envelope(id, "conformance.echo", `{}`), "corr-"+id, "corr", 1))
	require.NoError(t, err)
	replay, err := call(t, host.Replay, `{"correlation_id":"corr"}`)
	require.NoError(t, err)
	var events []string
	for _, element := range replay["events"].([]any) {
		event := element.(map[string]any)
		events = append(events, fmt.Sprint(event["sequence"], event["event_type"], event["invocation_id"]))
	}
	return events
}

func TestEvidenceSurvivesRestartAndTornLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "evidence.jsonl")
	reopened(t, path, "1")
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(string(whole), "\n"))
	require.NoError(t, os.WriteFile(path, append(whole, `{"event_id":"torn","sequence":3,"corr`...), 0o600))
	want := []string{"1execution_startedinv-1", "2execution_completedinv-1", "3execution_startedinv-2",
		"4execution_completedinv-2"}
	if diff := cmp.Diff(want, reopened(t, path, "2")); diff != "" {
		t.Errorf("after the restart (-want +got)\n%s", diff)
	}
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	if !strings.HasPrefix(string(after), string(whole)) || strings.Contains(string(after), "torn") ||
		strings.Count(string(after), "\n") != 4 {
		t.Errorf("the file was rewritten, or still contains the torn line:\n%s", after)
	}
}

func TestInvalidEvidenceFileIsRefused(t *testing.T) {
	for name, text := range map[string]string{"no JSON": "x\n",
		"no sequence": `{"correlation":{"correlation_id":"a"}}` + "\n", "no correlation": `{"sequence":1}` + "\n",
		"text without a line break": "notes of mine", "an object without a line break": `{"mine":1}`} {
		path := filepath.Join(t.TempDir(), "evidence.jsonl")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		if _, err := chphost.OpenJournal(path); err == nil || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%s: want an error that names line 1, got %v", name, err)
		}
		if kept, err := os.ReadFile(path); err != nil || string(kept) != text {
			t.Errorf("%s: the file was changed to %q (%v)", name, kept, err)
		}
	}
	if _, err := chphost.OpenJournal(t.TempDir()); err == nil {
		t.Error("a folder was opened")
	}
}

// Without stored evidence the host must not return a result.
func TestInvocationWithoutStoredEvidenceReturnsError(t *testing.T) {
	journal, err := chphost.OpenJournal(filepath.Join(t.TempDir(), "evidence.jsonl"))
	require.NoError(t, err)
	host, err := chphost.Profile(chphost.NewStore(journal))
	require.NoError(t, err)
	require.NoError(t, journal.Close())
	if result, err := call(t, host.Invoke, envelope("1", "conformance.echo", `{}`)); err == nil {
		t.Errorf("the invocation returned %v", result)
	}
	if got := eventsOf(t, host, "corr-1"); len(got) != 0 {
		t.Errorf("the replay returned %v", got)
	}
}
