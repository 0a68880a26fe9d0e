package chpsuite

import (
	"errors"
	"fmt"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/chp/judge"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

func TestRulesCompile(t *testing.T) {
	all, err := rules()
	require.NoError(t, err)
	require.NotEmpty(t, all.Rules)
	require.NoError(t, all.Check())
}

// judged returns the verdict of the rule with a sentence.
func judged(t *testing.T, h *history.History, sentence string) verdict.Verdict {
	t.Helper()
	all, err := rules()
	require.NoError(t, err)
	for _, r := range all.Rules {
		words := regexp.MustCompile("^" + r.Expression() + "$").FindStringSubmatch(sentence)
		if words != nil {
			j := judge.New(h)
			j.Missing, j.NotReady = func(string, string) error { return nil }, func() error { return nil }
			return r.Judge(j.View(), words[1:])
		}
	}
	require.Fail(t, "no rule has the sentence", sentence)
	return verdict.Verdict{}
}

// One denial does not show that a code is stable: only the same denial, requested again, can.
func TestStableCodeRequiresRepeatedDenial(t *testing.T) {
	denied := func(begun record.Tick, id, code string) record.Entry {
		sent := fmt.Appendf(nil, `{"invocation_id":%q,"capability_id":"a","mode":"sync","correlation":{"correlation_id":"c"}}`, id)
		got := fmt.Appendf(nil,
			`{"invocation_id":%q,"outcome":"denied","success":false,"correlation":{"correlation_id":"c"},"denial":{"code":%q,"message":"no"}}`,
			id, code)
		return record.Entry{
			Begun: begun, Done: begun + 1, Stimulus: history.Ordinary, Operation: history.OpInvoke, Outcome: record.Returned,
			Sent: record.NewBody(sent), Received: record.NewBody(got),
		}
	}
	for _, c := range []struct {
		name             string
		codes            []string
		judged           int
		undecided, doubt bool
	}{
		{"never", nil, 0, true, false},
		{"once", []string{"blocked"}, 0, true, false},
		{"twice", []string{"blocked", "blocked"}, 1, false, false},
		{"two codes", []string{"blocked", "other"}, 0, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := history.New(8 << 20)
			for i, code := range c.codes {
				h.Add(denied(record.Tick(2*i+1), fmt.Sprint("i", i), code))
			}
			v := judged(t, h, "the same denial has the same code")
			require.Equal(t, c.judged, v.Judged)
			require.Equal(t, c.undecided, v.Open != nil)
			require.Equal(t, c.doubt, len(v.Doubts)+len(v.Breaches) > 0)
		})
	}
}

// A replay without an answer shows nothing about the evidence: a host that throttles, hangs or closes the connection
// does not fail for lack of evidence.
func TestReplayWithoutAnswerIsNoBreach(t *testing.T) {
	type ending int
	const (
		breach ending = iota
		undecided
		lostCall
	)
	result := func(v verdict.Verdict) ending {
		var open *verdict.Inconclusive
		switch {
		case len(v.Breaches) > 0:
			return breach
		case v.Open == nil || errors.As(v.Open, &open):
			return undecided
		}
		return lostCall
	}
	lost := func(kind record.FaultKind) record.Entry {
		return record.Entry{Outcome: record.Lost, Error: &record.Fault{Kind: kind, Message: "x"}}
	}
	empty := record.Entry{Outcome: record.Returned, Received: record.NewBody([]byte(`{"events":[]}`))}
	for _, c := range []struct {
		name   string
		replay record.Entry
		want   ending
	}{
		{"empty", empty, breach}, {"no answer", lost(record.TimedOut), lostCall}, {"closed", lost(record.Closed), lostCall},
	} {
		for name, of := range map[string]struct {
			stimulus string
			sentence string
		}{
			"evidence": {history.Ordinary, "each attempt emits evidence"},
			"found":    {history.Unusual, "each replay returns all evidence of its correlation"},
		} {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				h := history.New(8 << 20)
				h.Add(invocation(1, of.stimulus, "i", "c"))
				h.Add(replayOf(c.replay, 3, "c"))
				h.Add(invocation(5, history.Ordinary, "u", "d"))
				h.Add(replayOf(record.Entry{Outcome: record.Returned, Received: record.NewBody([]byte(
					`{"events":[{"event_id":"e","event_type":"execution_completed","invocation_id":"u","correlation":{"correlation_id":"d"}}]}`))}, 7, "d"))
				if v := judged(t, h, of.sentence); result(v) != c.want {
					t.Errorf("verdict = %d (%+v), want %d", result(v), v, c.want)
				}
			})
		}
	}
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
		if got := judged(t, h, "each later replay contains the events of an earlier one"); len(got.Breaches) != want {
			t.Errorf("%d invocations between: %d breaches, want %d: %+v", between, len(got.Breaches), want, got)
		}
	}
}
