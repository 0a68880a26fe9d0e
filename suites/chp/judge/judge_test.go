package judge_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/chp/judge"
	"github.com/capconform/capconform/suites/record"
)

func compiledForms(t *testing.T) *judge.Forms {
	t.Helper()
	forms, err := judge.CompileForms()
	require.NoError(t, err)
	return forms
}

func invocation(begun record.Tick, stimulus, id, correlation string) record.Entry {
	sent := fmt.Appendf(nil, `{"invocation_id":%q,"capability_id":"a","mode":"sync","correlation":{"correlation_id":%q}}`,
		id, correlation)
	got := fmt.Appendf(nil, `{"invocation_id":%q,"outcome":"success","success":true,"correlation":{"correlation_id":%q}}`,
		id, correlation)
	return record.Entry{
		Begun: begun, Done: begun + 1, Stimulus: stimulus, Operation: history.OpInvoke, Outcome: record.Returned,
		Sent: record.NewBody(sent), Received: record.NewBody(got),
	}
}

func replayOf(e record.Entry, begun record.Tick, correlation string) record.Entry {
	e.Begun, e.Done, e.Operation = begun, begun+1, history.OpReplay
	e.Sent = record.NewBody(fmt.Appendf(nil, `{"correlation_id":%q}`, correlation))
	return e
}

// A host that stores only its last events does not fail for an event that it drops long after it was shown, but for
// one that it drops at once.
func TestAbsenceCountsOnlySoonAfterEvent(t *testing.T) {
	shown := record.Entry{Outcome: record.Returned, Received: record.NewBody([]byte(
		`{"events":[{"event_id":"e","event_type":"execution_completed","invocation_id":"i","correlation":{"correlation_id":"c"}}]}`))}
	gone := record.Entry{Outcome: record.Returned, Received: record.NewBody([]byte(`{"events":[]}`)),
		About: map[string]string{history.AboutStep: history.StepAfter}}
	for between, want := range map[int]int{3: 1, 40: 0} {
		h := history.New(8 << 20)
		h.Add(invocation(1, history.Ordinary, "i", "c"))
		h.Add(replayOf(shown, 3, "c"))
		tick := record.Tick(5)
		for n := range between {
			h.Add(invocation(tick, history.Ordinary, fmt.Sprint("o", n), fmt.Sprint("p", n)))
			tick += 2
		}
		h.Add(replayOf(gone, tick, "c"))
		j := judged(t, h)
		if got := j.Unchanged(); len(got.Breaches) != want {
			t.Errorf("%d invocations between: %d breaches, want %d: %+v", between, len(got.Breaches), want, got)
		}
	}
}

func judged(t *testing.T, h *history.History) *judge.Judge {
	t.Helper()
	j := judge.New(h)
	j.Forms = compiledForms(t)
	return j
}
