package suites

import (
	"bytes"
	"context"
	"encoding/json"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/features"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/transcript"
	"github.com/capconform/capconform/suites/verdict"
)

// recordedToy is a suite whose judgements read entries. An answer is an object; a judgement requires that a member of
// each answer is "good".
type recordedToy struct {
	toy

	mu      sync.Mutex
	entries []record.Entry
}

const recordedFeature = `Feature: Toy

  @TOY-A-01
  Scenario: Every a is good
    Then every a is good

  @TOY-A-02
  Scenario: Every b is good
    Then every b is good

  @TOY-A-03
  Scenario: The first two are asked for
    When two are asked for
    Then every c is good
`

var (
	everyMember = regexp.MustCompile(`^every ([a-z]) is good$`)
	twoAsked    = regexp.MustCompile(`^two are asked for$`)
)

func (t *recordedToy) Add(e record.Entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.entries = append(t.entries, e)
}

func (t *recordedToy) PerformAll(ctx context.Context, sc *Scenario) {
	_ = sc.Perform(ctx, "two", pings(2))
	_ = sc.Perform(ctx, "one-more", pings(1))
	_ = sc.Perform(
		ctx,
		"never",
		func(context.Context, *Laboratory) *Unperformed {
			return NewUnperformed(verdict.Undecided("nobody can"))
		},
	)
}

// Settle repeats the calls that are in doubt.
func (t *recordedToy) Settle(ctx context.Context, sc *Scenario, what []verdict.Settle) {
	for _, one := range what {
		_ = sc.Perform(ctx, "settle", func(ctx context.Context, l *Laboratory) *Unperformed {
			_, _, err := l.Do(ctx, Call{Operation: ping, Links: []record.Link{{Relation: record.Confirms, To: one.Of}}})
			return NewUnperformed(err)
		})
	}
}

func pings(n int) Stimulus {
	return func(ctx context.Context, l *Laboratory) *Unperformed {
		for range n {
			if _, _, err := l.Do(ctx, Call{Operation: ping, About: map[string]string{"of": "toy"}}); err != nil {
				return NewUnperformed(err)
			}
		}
		return nil
	}
}

func (t *recordedToy) Steps(voc Vocabulary, sc *Scenario) {
	voc.Step(twoAsked, func(ctx context.Context) error { return sc.Perform(ctx, "two", pings(2)) })
	voc.Step(everyMember, func(ctx context.Context, name string) error {
		return sc.Judge(ctx, func() verdict.Verdict { return t.good(name) })
	})
}

func (t *recordedToy) good(name string) verdict.Verdict {
	t.mu.Lock()
	defer t.mu.Unlock()
	var v verdict.Verdict
	for _, e := range t.entries {
		answer, err := transcript.AnswerOf(e)
		if err != nil || e.Operation == "" {
			continue
		}
		var members map[string]string
		if json.Unmarshal(answer.Result, &members) != nil {
			continue
		}
		v.Judged++
		b := verdict.Breach{
			Message: name + " is " + members[name],
			Want:    "good",
			Got:     members[name],
			Entries: []record.Tick{e.Begun},
		}
		switch {
		case members[name] == "" || members[name] == "good":
		case members[name] == "odd" && len(e.Links) == 0:
			v.Doubts = append(
				v.Doubts,
				verdict.Doubt{Breach: b, Settle: verdict.Settle{Stimulus: "settle", Of: e.Begun}},
			)
		default:
			v.Breaches = append(v.Breaches, b)
		}
	}
	for _, e := range t.entries {
		for _, link := range e.Links { // a repeated call settles the doubt: the new answer counts
			for i, d := range v.Doubts {
				if d.Settle.Of == link.To {
					v.Doubts = append(v.Doubts[:i], v.Doubts[i+1:]...)
					break
				}
			}
		}
	}
	return v
}

// recordedSuite returns the suite, with a new reading for each run.
func recordedSuite(t *testing.T) *Suite {
	t.Helper()
	f, err := parseFeature(features.File{Name: "toy/all.feature", Text: []byte(recordedFeature)})
	require.NoError(t, err)
	requirement := func(id string, yields ...string) spec.Requirement {
		return spec.Requirement{ID: id, Level: spec.Must, Actor: "host", Check: spec.Live, YieldsTo: yields}
	}
	return &Suite{
		Definition: Definition{Name: "toy", Probes: []driver.Operation{ping},
			Examine: func(context.Context, *Subject, *live.Gate) (Examination, error) {
				return &recordedToy{toy: toy{profile: Profile{Actors: []string{"host"}}}}, nil
			}},
		Catalogue: &spec.Catalogue{Suite: "toy", Version: "1", Requirements: []spec.Requirement{
			requirement("TOY-A-01"), requirement("TOY-A-02", "TOY-A-01"), requirement("TOY-A-03"),
		}},
		features: []*feature{f},
	}
}

// saying answers the nth call with the nth text; the first call is the probe.
func saying(texts ...string) *Subject {
	return answering(func(n int64) []byte {
		text := `{}`
		if int(n) > 1 && int(n)-2 < len(texts) {
			text = texts[n-2]
		}
		return []byte(`{"jsonrpc":"2.0","id":1,"result":` + text + `}`)
	})
}

// runRecorded runs the suite, also judges its record, and fails the test if the two differ.
func runRecorded(t *testing.T, subject *Subject, sel Selection) *reports.Report {
	t.Helper()
	s := recordedSuite(t)
	opts := Options{Explicit: true, Selection: sel, Record: record.NewWriter(nil)}
	t.Cleanup(func() { require.NoError(t, opts.Record.Close()) })
	report, err := Run(t.Context(), []*Suite{s}, subject, opts)
	require.NoError(t, err)
	h := opts.Record.Described()
	h.Suites = []record.Suite{{Suite: "toy", SpecVersion: "1"}}
	var out bytes.Buffer
	_, err = opts.Record.Save(&out, h)
	require.NoError(t, err)
	recorded, err := record.Read(&out)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, recorded.Close()) })
	again, err := Judge(t.Context(), []*Suite{s}, recorded, Options{Selection: RecordedSelection(recorded.Header)})
	require.NoError(t, err)
	if diff := cmp.Diff(outcomesOf(report), outcomesOf(again)); diff != "" {
		t.Errorf("judged from the record (-run +judge):\n%s", diff)
	}
	return report
}

// outcomesOf returns the status, reason and failure of each requirement, without times.
func outcomesOf(r *reports.Report) map[string][]string {
	all := map[string][]string{}
	for _, s := range r.Suites {
		for _, q := range s.Requirements {
			lines := []string{string(q.Status), q.Reason}
			for _, sc := range q.Scenarios {
				if f := sc.Failure; f != nil {
					lines = append(lines, f.Message, f.Want, f.Got)
					for _, k := range f.Kinds {
						lines = append(lines, k.Message, string(rune('0'+k.Count)))
					}
					for _, e := range f.Exchanges {
						lines = append(lines, e.Operation) // the run has the message, the record its result
					}
				}
			}
			all[q.ID] = lines
		}
	}
	return all
}

func TestUniversalJudgementsSeeEveryStimulus(t *testing.T) {
	report := runRecorded(t, saying(`{"a":"good"}`, `{"a":"good"}`, `{"a":"bad"}`), Selection{})
	want := map[string]reports.Status{"TOY-A-01": reports.Failed, "TOY-A-02": reports.Passed, "TOY-A-03": reports.Passed}
	if diff := cmp.Diff(want, statusesOf(report)); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
}

func TestFailureListsItsKinds(t *testing.T) {
	report := runRecorded(t, saying(`{"a":"bad"}`, `{"a":"worse"}`, `{"a":"worse"}`), Selection{})
	f := report.Suites[0].Requirements[0].Scenarios[0].Failure
	require.NotNil(t, f)
	want := []reports.FailureKind{
		{Message: "a is worse", Count: 2, Want: "good", Got: "worse"},
		{Message: "a is bad", Count: 1, Want: "good", Got: "bad"},
	}
	if diff := cmp.Diff(want, f.Kinds); diff != "" {
		t.Errorf("kinds (-want +got):\n%s", diff)
	}
	require.Equal(t, "a is worse", f.Message)
	require.Len(t, f.Exchanges, 1)
}

// Stimuli are performed before most scenarios begin, so the time of an exchange counts from the start of the run.
func TestExchangeTimeCountsFromStartOfRun(t *testing.T) {
	began := time.Now()
	result := &caseResult{began: began, started: began.Add(time.Second)}
	require.Equal(
		t,
		int64(7),
		result.exchange(driver.Exchange{Operation: "ping", Started: began.Add(7 * time.Millisecond)}).AtMS,
	)
	require.Zero(t, result.exchange(driver.Exchange{Operation: "ping"}).AtMS, "an exchange of a record")
}

func TestBreachesYieldEntryByEntry(t *testing.T) {
	one := `{"a":"bad","b":"bad"}`
	for name, test := range map[string]struct {
		answers []string
		sel     Selection
		want    map[string]reports.Status
	}{
		"all of them": {[]string{one}, Selection{}, map[string]reports.Status{"TOY-A-01": reports.Failed, "TOY-A-02": reports.Inconclusive, "TOY-A-03": reports.Passed}},
		"one remains": {[]string{one, `{"b":"bad"}`}, Selection{}, map[string]reports.Status{"TOY-A-01": reports.Failed, "TOY-A-02": reports.Failed, "TOY-A-03": reports.Passed}},
		"not selected": {[]string{one}, Selection{Requirements: []string{"TOY-A-02"}},
			map[string]reports.Status{"TOY-A-01": reports.NotApplicable, "TOY-A-02": reports.Inconclusive, "TOY-A-03": reports.NotApplicable}},
	} {
		t.Run(name, func(t *testing.T) {
			report := runRecorded(t, saying(test.answers...), test.sel)
			if diff := cmp.Diff(test.want, statusesOf(report)); diff != "" {
				t.Errorf("statuses (-want +got):\n%s", diff)
			}
		})
	}
}

// A requirement on an actor that the target file omits is never reported, so a breach is not attributed to it.
func TestBreachesDoNotYieldToOmittedActor(t *testing.T) {
	s := recordedSuite(t)
	s.Catalogue.Requirements[0].Actor = "package"
	report, err := Run(t.Context(), []*Suite{s}, saying(`{"a":"bad","b":"bad"}`), Options{Explicit: true})
	require.NoError(t, err)
	want := map[string]reports.Status{
		"TOY-A-01": reports.NotApplicable, "TOY-A-02": reports.Failed, "TOY-A-03": reports.Passed,
	}
	if diff := cmp.Diff(want, statusesOf(report)); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
}

func TestRepeatedCallSettlesDoubt(t *testing.T) {
	settled := runRecorded(t, saying(`{"a":"odd"}`, `{}`, `{}`, `{"a":"good"}`), Selection{})
	require.Equal(t, reports.Passed, statusesOf(settled)["TOY-A-01"])
	confirmed := runRecorded(t, saying(`{"a":"odd"}`, `{}`, `{}`, `{"a":"bad"}`), Selection{})
	require.Equal(t, reports.Failed, statusesOf(confirmed)["TOY-A-01"])
	open := runRecorded(t, saying(`{"a":"odd"}`, `{"a":"odd"}`), Selection{}) // one settling stimulus for two doubts
	require.Equal(t, reports.Inconclusive, statusesOf(open)["TOY-A-01"])
}

func TestStimulusIsPerformedOnce(t *testing.T) {
	calls := 0
	subject := answering(func(int64) []byte { calls++; return pong(0) })
	_, err := Run(t.Context(), []*Suite{recordedSuite(t)}, subject, Options{Explicit: true})
	require.NoError(t, err)
	require.Equal(t, 1+2+1, calls, "the probe, the stimulus of two calls once, and the stimulus of one call")
}

func TestStimulusCannotReportBreach(t *testing.T) {
	undone := NewUnperformed(&verdict.Violation{Message: "broken"})
	require.NotNil(t, undone)
	var breach *verdict.Violation
	require.NotErrorAs(t, undone.Cause, &breach)
	require.Nil(t, NewUnperformed(nil))
}
