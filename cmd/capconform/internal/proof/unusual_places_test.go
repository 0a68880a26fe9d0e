package proof

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/record"
)

// recordedRun runs CHP against the reference once and returns the entries of the record.
func recordedRun(t *testing.T, s *suites.Suite) (record.Header, []record.Entry) {
	t.Helper()
	host, err := reference.New(reference.Options{Suites: []string{"chp"}})
	require.NoError(t, err)
	writer := record.NewWriter(nil)
	defer writer.Close() // it was saved
	subject := &suites.Subject{Driver: inproc.New("chp", host.Handle), Restarter: host.Restarter(), Invoke: live.InvokeSafe, Seed: seed, Options: map[string]string{}}
	_, err = suites.Run(t.Context(), []*suites.Suite{s}, subject, suites.Options{Explicit: true, Concurrency: 1, Record: writer})
	require.NoError(t, err)
	var text bytes.Buffer
	header := writer.Described()
	header.Suites = []record.Suite{{Suite: "chp"}}
	_, err = writer.Save(&text, header)
	require.NoError(t, err)
	read, err := record.Read(&text)
	require.NoError(t, err)
	t.Cleanup(func() { _ = read.Close() })
	var all []record.Entry
	for e, err := range read.Entries() {
		require.NoError(t, err)
		all = append(all, e)
	}
	return read.Header, all
}

// judgedAgain judges entries as the record of a run, and returns the requirements that fail.
func judgedAgain(t *testing.T, s *suites.Suite, h record.Header, all []record.Entry) []string {
	t.Helper()
	writer := record.NewWriter(nil)
	defer writer.Close() // it was saved
	for _, e := range all {
		if e.Sent != nil {
			text, err := e.Sent.Text()
			require.NoError(t, err)
			e.Sent = record.NewBody(text)
		}
		if e.Received != nil {
			text, err := e.Received.Text()
			require.NoError(t, err)
			e.Received = record.NewBody(text)
		}
		require.NoError(t, writer.Append(e))
	}
	var text bytes.Buffer
	_, err := writer.Save(&text, h)
	require.NoError(t, err)
	read, err := record.Read(&text)
	require.NoError(t, err)
	defer read.Close() // it was only read
	report, err := suites.Judge(t.Context(), []*suites.Suite{s}, read, suites.Options{Explicit: true, Concurrency: 1})
	require.NoError(t, err)
	var failed []string
	for _, q := range report.Suites[0].Requirements {
		if q.Status == reports.Failed {
			failed = append(failed, q.ID)
		}
	}
	return failed
}

// place is an entry that no scenario examines in particular.
type place struct {
	name string
	is   func(e record.Entry, nth int) bool
}

func ofStimulus(stimulus, operation string, which func(sent string, nth int) bool) func(record.Entry, int) bool {
	return func(e record.Entry, nth int) bool {
		if e.Stimulus != stimulus || e.Operation != operation || e.Outcome != record.Returned {
			return false
		}
		sent, err := e.Sent.Text()
		return err == nil && which(string(sent), nth)
	}
}

func holding(text string) func(string, int) bool {
	return func(sent string, _ int) bool { return strings.Contains(sent, text) }
}

func nthOf(n int) func(string, int) bool { return func(_ string, nth int) bool { return nth == n } }

// replayPlaces are replays other than the one that follows an invocation.
var replayPlaces = []place{
	{"the tenth replay", ofStimulus("repeated-replay", "chp.replay", nthOf(9))},
	{"a replay with a limit", ofStimulus("replay-queries", "chp.replay", holding(`"limit":3`))},
	{"a replay since a sequence", ofStimulus("replay-queries", "chp.replay", func(sent string, _ int) bool {
		return strings.Contains(sent, "since") && !strings.Contains(sent, "limit") && !strings.Contains(sent, "include")
	})},
	{"a replay with payloads", ofStimulus("replay-queries", "chp.replay", holding(`"include_payloads":true`))},
	{"a long replay", ofStimulus("shared-correlation-id", "chp.replay", nthOf(0))},
	{"a later replay", ofStimulus("later-replay", "chp.replay", nthOf(8))},
	{"a replay of a concurrent caller", ofStimulus("concurrent-callers", "chp.replay", nthOf(5))},
	{"a replay of a long payload", ofStimulus("long-payload", "chp.replay", nthOf(1))},
}

// edited returns the entries with one changed answer.
func edited(t *testing.T, all []record.Entry, at place, edit func(members map[string]any) bool) []record.Entry {
	t.Helper()
	nth := map[string]int{}
	for i, e := range all {
		key := e.Stimulus + e.Operation
		n := nth[key]
		nth[key]++
		if !at.is(e, n) {
			continue
		}
		text, err := e.Received.Text()
		require.NoError(t, err)
		var members map[string]any
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		require.NoError(t, decoder.Decode(&members))
		if !edit(members) {
			continue
		}
		changed, err := json.Marshal(members)
		require.NoError(t, err)
		e.Received = record.NewBody(changed)
		edition := slices.Clone(all)
		edition[i] = e
		return edition
	}
	require.Fail(t, "no such place", at.name)
	return nil
}

// lostMembers are the members of an event, each with the requirement that its absence breaks.
var lostMembers = map[string]string{
	"event_id": "CHP-6-03", "event_type": "CHP-6-04", "invocation_id": "CHP-6-05", "capability_id": "CHP-6-06", "host_id": "CHP-6-07",
	"correlation": "CHP-7-03", "timestamp": "CHP-6-08", "sequence": "CHP-6-09", "redacted": "CHP-6-11", "assurance": "CHP-6-12",
}

// invocationPlaces are invocations other than the ordinary ones.
var invocationPlaces = []place{
	{"the second invocation with one correlation id", ofStimulus("used-correlation-id", "chp.invoke", nthOf(1))},
	{"a concurrent invocation", ofStimulus("concurrent-callers", "chp.invoke", nthOf(4))},
	{"an invocation that shares a correlation id", ofStimulus("shared-correlation-id", "chp.invoke", nthOf(7))},
	{"a marked payload", ofStimulus("marked-payload", "chp.invoke", nthOf(5))},
	{"a control", ofStimulus("later-replay", "chp.invoke", nthOf(2))},
	{"an invalid payload", ofStimulus("unsound-payload", "chp.invoke", nthOf(9))},
	{"an unusual id", ofStimulus("unusual-correlation-id", "chp.invoke", nthOf(6))},
}

// unusualCase is one edit of a recorded run, and the one requirement that it breaks.
type unusualCase struct {
	name string
	at   place
	edit func(map[string]any) bool
	want string
}

func unusualCases() []unusualCase {
	lastEvent := func(edit func(map[string]any)) func(map[string]any) bool {
		return func(members map[string]any) bool {
			events, _ := members["events"].([]any)
			if len(events) == 0 {
				return false
			}
			edit(events[len(events)-1].(map[string]any))
			return true
		}
	}
	without := func(name string) func(map[string]any) { return func(members map[string]any) { delete(members, name) } }
	whole := func(edit func(map[string]any)) func(map[string]any) bool {
		return func(members map[string]any) bool { edit(members); return true }
	}
	var all []unusualCase
	for i, p := range replayPlaces {
		for k, name := range slices.Sorted(maps.Keys(lostMembers)) {
			if (i+k)%3 == 0 { // each member in several places, within the time of a test
				all = append(all, unusualCase{"event without " + name + " in " + p.name, p, lastEvent(without(name)), lostMembers[name]})
			}
		}
		head := []string{"CHP-10-06 correlation_id", "CHP-10-07 events", "CHP-10-08 event_count", "CHP-10-09 replayed_at"}[i%4]
		id, name, _ := strings.Cut(head, " ")
		all = append(all, unusualCase{"no " + name + " in " + p.name, p, whole(without(name)), id})
	}
	for i, p := range invocationPlaces {
		for k, c := range []unusualCase{
			{"no correlation", p, whole(without("correlation")), "CHP-7-04"},
			{"no outcome", p, whole(func(r map[string]any) { r["outcome"] = "done" }), "CHP-8-01"},
			{"the id of another envelope", p, whole(func(r map[string]any) { r["invocation_id"] = "capconform-another" }), "CHP-5-01"},
		} {
			if (i+k)%2 == 0 {
				c.name += " in " + p.name
				all = append(all, c)
			}
		}
	}
	return all
}

// A violation of a requirement on every event, result or replay is found wherever it occurs: in a long, a limited or
// the tenth replay, in the second call, with concurrent callers, in a control. Nothing else fails.
func TestBreachesAreFoundInUnusualPlaces(t *testing.T) {
	t.Parallel()
	s := chpOnWire(t)
	h, all := recordedRun(t, s)
	require.Empty(t, judgedAgain(t, s, h, all))
	for i, c := range unusualCases() {
		if quick() && i%5 != 0 {
			continue // .ci/run tries these
		}
		got := slices.DeleteFunc(judgedAgain(t, s, h, edited(t, all, c.at, c.edit)), func(id string) bool {
			req, _ := s.Catalogue.Lookup(id)
			return len(req.SumOf) > 0
		})
		if !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s: %v failed, want only %s", c.name, got, c.want)
		}
	}
}
