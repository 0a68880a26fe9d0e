package chpsuite

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/driver"
)

// Of a large answer the beginning is kept, and the events of ours and a few others
// whole; what tells the others apart is kept of all.
func TestLargeAnswersAreLetGo(t *testing.T) {
	const others = foreignAtMost + 2_000
	var texts []string
	for n := range others {
		texts = append(texts, fmt.Sprintf(`{"event_id":"e%d","event_type":"metered","invocation_id":"other","correlation":{"correlation_id":"c"},"sequence":%d,"payload":{}}`, n, n))
	}
	own := fmt.Sprintf(`{"event_id":"own","event_type":"execution_started","invocation_id":"%s1","correlation":{"correlation_id":"c"},"sequence":%d}`, sender, others)
	whole := `{"correlation_id":"c","events":[` + strings.Join(append(texts, own), ",") + `]}`
	require.Greater(t, len(whole), keptWhole)
	r := replay{query: object{"correlation_id": "c"}, answer: driver.Answer{Result: []byte(whole), Exchange: driver.Exchange{Received: []byte(whole)}}}
	r.read(schemas.Limits{})
	if n := len(r.answer.Exchange.Received); n > 2*keptOfLarger {
		t.Errorf("%d bytes are kept of %d", n, len(whole))
	}
	if want := fmt.Sprintf("(%d bytes in all)", len(whole)); !strings.HasSuffix(string(r.answer.Result), want) {
		t.Errorf("the end of what is kept does not say %s", want)
	}
	require.Len(t, r.events, others+1)
	kept := slices.DeleteFunc(slices.Clone(r.events), func(ev event) bool { return ev.raw == nil })
	require.Len(t, kept, foreignAtMost+1)
	if got := string(kept[foreignAtMost].raw); got != own {
		t.Errorf("our event = %s, want %s", got, own)
	}
	last := r.events[others-1]
	want := event{id: fmt.Sprintf("e%d", others-1), kind: "metered", invocation: "other", correlation: "c", sequence: json.Number(fmt.Sprint(others - 1))}
	if diff := cmp.Diff(want, last, cmp.AllowUnexported(event{})); diff != "" {
		t.Errorf("an event of others (-want +got):\n%s", diff)
	}
	a := &attempt{envelope: envelope{id: sender + "1"}, supplied: "c", replayed: r}
	if got := len(a.near()); got != foreignAtMost+1 {
		t.Errorf("%d events are judged, want those whose members are known", got)
	}
}

// A small answer is kept as it came.
func TestSmallAnswersAreKept(t *testing.T) {
	text := `{"event_id":"one","event_type":"execution_started","sequence":1}`
	whole := `{"correlation_id":"c","events":[` + text + `]}`
	r := replay{query: object{"correlation_id": "c"}, answer: driver.Answer{Result: []byte(whole)}}
	r.read(schemas.Limits{})
	if string(r.answer.Result) != whole || len(r.events) != 1 || string(r.events[0].raw) != text || r.events[0].kept == nil {
		t.Errorf("got %s with %+v, want all of it", r.answer.Result, r.events)
	}
}

// An attempt keeps its own events, and of a large replay few of the others.
func TestKeepTo(t *testing.T) {
	var all []event
	for range foreignAtMost + 50 {
		all = append(all, event{invocation: "other"}, event{invocation: "own"})
	}
	for large, want := range map[bool]int{true: foreignAtMost + foreignAtMost + 50, false: len(all)} {
		r := replay{events: all, large: large}
		r.keepTo("own")
		if len(r.events) != want {
			t.Errorf("large %t: %d events are kept, want %d", large, len(r.events), want)
		}
	}
}
