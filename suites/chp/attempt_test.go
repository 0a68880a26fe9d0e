package chpsuite

import (
	"errors"
	"testing"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// A replay that brings no answer says nothing of the evidence: whoever throttles,
// hangs or hangs up in the middle of it is not said to keep none.
func TestReplayWithoutAnswerAccusesNobody(t *testing.T) {
	type verdict int
	const (
		breach verdict = iota
		undecided
		lostCall
	)
	told := func(err error) verdict {
		var violation *suites.Violation
		var open *suites.Inconclusive
		switch {
		case errors.As(err, &violation):
			return breach
		case errors.As(err, &open):
			return undecided
		}
		return lostCall
	}
	query := object{"correlation_id": "c"}
	cases := []struct {
		name     string
		replayed replay
		want     verdict
	}{
		{"empty", replay{query: query, answer: driver.Answer{Result: []byte(`{"events":[]}`)}, result: object{}}, breach},
		{"throttled", replay{query: query, err: &driver.CallError{Kind: driver.ErrThrottled}}, undecided},
		{"no answer", replay{query: query, err: &driver.CallError{Kind: driver.ErrTimeout}}, lostCall},
		{"closed", replay{query: query, err: suites.Violated("closed", "an answer", "nothing")}, undecided},
	}
	judges := map[string]func(*world) error{
		"evidence": (*world).attemptsLeaveEvidence, "found": (*world).eachIsFound,
		"made": func(w *world) error { return w.correlationMade(t.Context()) },
	}
	for _, c := range cases {
		for name, judge := range judges {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				result := object{"outcome": outcomeSuccess, "correlation": query}
				a := &attempt{result: result, supplied: "c", replayed: c.replayed}
				usual := &attempt{result: result, supplied: "c", replayed: replay{events: []event{{invocation: "u"}}}}
				a.id, usual.id = "i", "u"
				w := &world{sc: &suites.Scenario{}, attempts: []*attempt{a}, usual: []*attempt{usual}}
				err := judge(w)
				if err == nil && name == "made" && c.want == undecided {
					return // the id is in the result: the rest of the evidence is CHP-10-01's
				}
				if got := told(err); err == nil || got != c.want {
					t.Errorf("verdict = %d (%v), want %d", got, err, c.want)
				}
			})
		}
	}
}
