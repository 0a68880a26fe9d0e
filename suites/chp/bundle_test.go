package chpsuite_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/text"
)

const (
	ofMembers = "CHP-HASH-02 the hash of an event is not that of its members"
	ofPrefix  = "CHP-HASH-03 the first event follows another, which was removed or moved"
	ofOrder   = "CHP-HASH-03 an event does not follow the event before it"
	ofRoot    = "CHP-HASH-13 the root hash is not that of the events"
	ofPayload = "CHP-DISC-01 a payload does not fit its commitment"
	ofSecond  = "CHP-DISC-01 the hash of an event is not that of its members and its commitment"
)

// examined are the requirements that a bundle with all its members decides.
var examined = []string{"CHP-HASH-01", "CHP-HASH-02", "CHP-HASH-03", "CHP-HASH-04", "CHP-HASH-05", "CHP-SIGN-02", "CHP-DISC-01"}

// breaches judges a bundle, and returns the requirement, the message and the place of each breach: of an event in the
// bundle, or -1.
func breaches(t *testing.T, s *suites.Suite, bundle map[string]any, events []any) []string {
	t.Helper()
	delete(bundle, "events")
	head, _ := strings.CutSuffix(string(jsonvalue.Encode(bundle)), "}")
	lines := []string{}
	for _, event := range events {
		lines = append(lines, string(jsonvalue.Encode(event)))
	}
	file := filepath.Join(t.TempDir(), "acme.bundle.json")
	written := head + `,"events":[` + "\n" + strings.Join(lines, ",\n") + "]}\n" // an event in each line from the second
	require.NoError(t, os.WriteFile(file, []byte(written), 0o600))
	read, err := document.Load(t.Context(), file, document.Limits{}.WithDefaults())
	require.NoError(t, err)
	require.True(t, s.Recognises(read))
	report, err := suites.Lint(t.Context(), []*suites.Suite{s}, &suites.Subject{Documents: []suites.Document{*read}},
		suites.Options{Explicit: true})
	require.NoError(t, err)
	var found []string
	for _, q := range report.Suites[0].Requirements {
		require.NotEqual(t, reports.Error, q.Status, q.Reason)
		if slices.Contains(examined, q.ID) {
			require.Contains(t, []reports.Status{reports.Passed, reports.Failed}, q.Status, "%s: %s", q.ID, q.Reason)
		}
		for _, scenario := range q.Scenarios {
			if scenario.Failure == nil {
				continue
			}
			for _, f := range scenario.Failure.Findings {
				found = append(found, fmt.Sprintf("%s %s at %d", q.ID, f.Message, f.Line-2))
			}
		}
	}
	slices.Sort(found)
	return found
}

// The bundle was made by json.dumps of Python. Each edit of a chain of 20 events is found at its place.
func TestBundles(t *testing.T) {
	own, err := text.LoadFrom("0.2", nil, os.DirFS("0.2"))
	require.NoError(t, err)
	s, err := suites.New(own.Definition())
	require.NoError(t, err)
	file, err := os.ReadFile("testdata/acme.bundle.json")
	require.NoError(t, err)
	at := func(message string, place int) string { return fmt.Sprintf("%s at %d", message, place) }
	judge := func(edit func([]any) []any) []string {
		bundle := schemas.ReadObject(file)
		return breaches(t, s, bundle, edit(bundle["events"].([]any)))
	}
	require.Empty(t, judge(func(events []any) []any { return events }))
	for name, id := range map[string]string{
		"canonicalization": "CHP-HASH-04", "host_id": "CHP-SIGN-02", "protocol_version": "CHP-SIGN-02", "created_at": "CHP-SIGN-02",
		"assurance": "CHP-SIGN-02",
	} {
		bundle := schemas.ReadObject(file)
		delete(bundle, name)
		want := fmt.Sprintf("%s a bundle: %s is missing at -1", id, name)
		assert.Equal(t, []string{want}, breaches(t, s, bundle, bundle["events"].([]any)))
	}
	assert.Equal(t, []string{"CHP-HASH-01 an event of a bundle lacks a hash, or has one of another form at 4"}, judge(func(events []any) []any {
		delete(events[4].(map[string]any), "content_hash")
		return events
	}))

	for place := range 20 {
		for _, name := range []string{"event_id", "event_type", "invocation_id", "capability_id", "host_id", "timestamp"} {
			found := judge(func(events []any) []any {
				event := events[place].(map[string]any)
				event[name] = strings.ToUpper(event[name].(string)[:1]) + "x" + event[name].(string)[1:]
				return events
			})
			want := ofMembers
			if place == 8 || place == 13 {
				want = ofSecond
			}
			assert.Equal(t, []string{at(want, place)}, found, name)
		}
		found := judge(func(events []any) []any { return slices.Delete(events, place, place+1) })
		want := []string{at(ofRoot, -1)}
		switch place {
		case 0:
			want = append(want, at(ofPrefix, 0))
		case 19: // what was cut off at the end, only the root shows
		default:
			want = append(want, at(ofOrder, place))
		}
		slices.Sort(want)
		assert.Equal(t, want, found, "without %d", place)
	}
	assert.Equal(t, []string{at(ofOrder, 4), at(ofOrder, 5), at(ofOrder, 6),
		at(ofRoot, -1)}, judge(func(events []any) []any {
		events[4], events[5] = events[5], events[4]
		return events
	}))
	assert.Equal(t, []string{at(ofOrder, 6), at(ofRoot, -1)}, judge(func(events []any) []any {
		return slices.Insert(events, 6, any(maps.Clone(events[5].(map[string]any))))
	}))
	assert.Equal(t, []string{at(ofPayload, 8)}, judge(func(events []any) []any {
		events[8].(map[string]any)["payload"] = map[string]any{"text": "another"}
		return events
	}))
	assert.Equal(t, []string{"CHP-HASH-05 a payload has a number with a fraction or an exponent at 3"},
		judge(func(events []any) []any {
			events[3].(map[string]any)["payload"] = map[string]any{"score": 0.5}
			return events
		}))
}
