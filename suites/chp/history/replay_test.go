package history

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/record"
)

// replayed returns the replay of an answer.
func replayed(t *testing.T, whole string) *Replay {
	t.Helper()
	h := New(8 << 20)
	h.Add(record.Entry{
		Begun: 1, Done: 2, Operation: OpReplay, Outcome: record.Returned,
		Sent: record.NewBody([]byte(`{"correlation_id":"c"}`)), Received: record.NewBody([]byte(whole)),
	})
	r := h.Replay(1)
	require.NotNil(t, r)
	return r
}

// Of a large answer, only the events of our invocations and a few others are stored; the order and the number include
// all.
func TestLargeAnswersAreStoredInPart(t *testing.T) {
	const others = maxForeign + 2_000
	var texts []string
	for n := range others {
		texts = append(texts, fmt.Sprintf(`{"event_id":"e%d","event_type":"metered","invocation_id":"other","correlation":{"correlation_id":"c"},"sequence":%d,"payload":{}}`, n, n))
	}
	texts[others-1] = strings.Replace(texts[others-1], fmt.Sprint(others-1), "7", 1) // a duplicate event id
	own := fmt.Sprintf(`{"event_id":"own","event_type":"execution_started","invocation_id":"%s1","correlation":{"correlation_id":"c"},"sequence":%d}`, Sender, 3)
	whole := `{"correlation_id":"c","events":[` + strings.Join(append(texts, own), ",") + `]}`
	require.Greater(t, len(whole), maxWhole)
	r := replayed(t, whole)
	require.Len(t, r.Events, maxForeign+1)
	if got := r.Events[maxForeign].Raw; got != own {
		t.Errorf("the event of the harness = %s, want %s", got, own)
	}
	if r.Page != others+1 || r.DuplicateID != "e7" || r.Fall != fmt.Sprintf("3 after %d", others-1) {
		t.Errorf("page %d, twice %q, fall %q: events that are not stored were not checked", r.Page, r.DuplicateID, r.Fall)
	}
	if r.Events[0].kept != nil {
		t.Error("the events of a large answer are stored decoded")
	}
}

// An event of a small answer is decoded at once, and shared by the replays that contain it.
func TestEventsAreSharedByReplays(t *testing.T) {
	text := `{"event_id":"one","event_type":"execution_started","sequence":1}`
	h := New(8 << 20)
	for begun := record.Tick(1); begun < 5; begun += 2 {
		h.Add(record.Entry{
			Begun: begun, Done: begun + 1, Operation: OpReplay, Outcome: record.Returned,
			Sent:     record.NewBody([]byte(`{"correlation_id":"c"}`)),
			Received: record.NewBody([]byte(`{"events":[` + text + `]}`)),
		})
	}
	first, second := h.Replay(1), h.Replay(3)
	want := &Event{Raw: text, ID: "one", Kind: EventStarted, Sequence: json.Number("1")}
	if diff := cmp.Diff(want, first.Events[0], cmpopts.IgnoreUnexported(Event{})); diff != "" {
		t.Errorf("the event (-want +got):\n%s", diff)
	}
	if first.Events[0] != second.Events[0] {
		t.Error("two replays store the same text twice")
	}
}

// A host with a ring buffer of events may lose those before the events that it showed closely.
func TestCloselyIsBounded(t *testing.T) {
	h := New(8 << 20)
	tick := record.Tick(0)
	invoke := func() (begun, done record.Tick) {
		tick += 2
		h.Add(record.Entry{
			Begun: tick, Done: tick + 1, Operation: OpInvoke, Stimulus: Ordinary, Outcome: record.Returned,
			Sent: record.NewBody(fmt.Appendf(nil, `{"invocation_id":"i%d","correlation":{"correlation_id":"c%d"}}`, tick,
				tick)),
			Received: record.NewBody([]byte(`{"outcome":"success"}`)),
		})
		return tick, tick + 1
	}
	_, done := invoke()
	for range closeInvocations {
		invoke()
	}
	if !h.FollowsClosely(done, tick+2) {
		t.Errorf("a look after %d invocations does not show absence, but should", closeInvocations)
	}
	invoke()
	if h.FollowsClosely(done, tick+2) {
		t.Errorf("a look after %d invocations shows absence", closeInvocations+1)
	}
}

// An event id need only be unique within its host. Two hosts that use an id in one replay are distinguished there,
// and in every other replay of the run.
func TestEventsOfTwoHostsDiffer(t *testing.T) {
	event := func(host, kind string) string {
		return fmt.Sprintf(`{"event_id":"one","event_type":%q,"host_id":%q,"sequence":1}`, kind, host)
	}
	h := New(8 << 20)
	for i, events := range []string{event("a", EventStarted) + "," + event("b", EventCompleted),
		event("b", EventCompleted),
		event("a", EventStarted)} {
		h.Add(record.Entry{
			Begun: record.Tick(2*i + 1), Done: record.Tick(2*i + 2), Operation: OpReplay, Outcome: record.Returned,
			Sent:     record.NewBody([]byte(`{"correlation_id":"c"}`)),
			Received: record.NewBody([]byte(`{"events":[` + events + `]}`)),
		})
	}
	both, ofB, ofA := h.Replay(1), h.Replay(3), h.Replay(5)
	if both.DuplicateID != "" || both.Events[0].ID == both.Events[1].ID {
		t.Errorf("the events of two hosts are one event: %q twice", both.DuplicateID)
	}
	if !both.Holds(ofB.Events[0].ID) || ofB.Events[0].ID == ofA.Events[0].ID || ofA.Events[0].ID != "one" {
		t.Errorf("later replays show the events %q and %q", ofB.Events[0].ID, ofA.Events[0].ID)
	}
}
