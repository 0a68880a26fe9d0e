package chpsuite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/capconform/capconform/suites/driver"
)

func TestLargeAnswersAreLetGo(t *testing.T) {
	text := `{"event_id":"one","event_type":"execution_started","sequence":1}`
	whole := `{"correlation_id":"c","events":[` + text + `],"filler":"` + strings.Repeat("x", keptWhole) + `"}`
	r := replay{answer: driver.Answer{Result: []byte(whole), Exchange: driver.Exchange{Received: []byte(whole)}}}
	at := strings.Index(whole, text)
	raw := r.answer.Result[at : at+len(text)]
	r.events = []event{readEvent(raw, readObject(raw))}
	r.lighten()
	if n := len(r.answer.Exchange.Received); n > 2*keptOfLarger {
		t.Errorf("%d bytes are kept of %d", n, len(whole))
	}
	if want := fmt.Sprintf("(%d bytes in all)", len(whole)); !strings.HasSuffix(string(r.answer.Result), want) {
		t.Errorf("the end of what is kept does not say %s", want)
	}
	if got := string(r.events[0].raw); got != text {
		t.Errorf("the event = %s, want %s", got, text)
	}
	small := replay{answer: driver.Answer{Result: []byte(text)}}
	if small.lighten(); string(small.answer.Result) != text {
		t.Errorf("a small answer = %s, want it whole", small.answer.Result)
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
