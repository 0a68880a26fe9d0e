package suites

import (
	"context"
	"errors"
	"slices"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/verdict"
)

// open returns the cases that are run, including those that are not reported.
func (p *plan) open() []*Case {
	return slices.DeleteFunc(slices.Concat(p.cases, p.silent), func(c *Case) bool {
		_, settled := p.settled[c]
		return settled
	})
}

// executed returns the number of planned scenarios that have a result.
func (p *plan) executed(results []*caseResult) int {
	n := 0
	for _, result := range results {
		if !slices.Contains(p.silent, result.testCase) {
			n++
		}
	}
	return n
}

// settle returns the results of the scenarios with a condition that the subject does not meet.
func (r *run) settle(p *plan) []*caseResult {
	var results []*caseResult
	for _, c := range p.cases {
		st, ok := p.settled[c]
		if !ok {
			continue
		}
		results = append(results, &caseResult{testCase: c, status: st.status, err: errors.New(st.reason)})
		if r.progress != nil {
			r.progress(Event{Suite: r.suite.Name, Case: c, Status: st.status})
		}
	}
	return results
}

// result returns the result of the suite, with one status for each requirement in the order of the
// catalogue.
func (r *run) result(p *plan, results []*caseResult, repeat func(string) string) reports.Suite {
	profile := r.examination.Profile()
	out := reports.Suite{
		Suite: r.suite.Name, SpecVersion: r.suite.Catalogue.Version, Edition: r.suite.Catalogue.Edition,
		TextDigest: r.suite.TextDigest(),
		Declared:   declared(profile.Declared), Binding: profile.Binding, Mappings: profile.Mappings,
		Plan: reports.Plan{Planned: len(p.cases), Executed: p.executed(results)},
	}
	out.Actors, out.LeftOut = p.actors, p.leftOut
	if r.session != nil {
		info := r.session.Info()
		out.Negotiated = info.Negotiated
		if out.Binding == "" {
			out.Binding = info.Binding
		}
	}
	byCase := map[*Case]*caseResult{}
	for _, result := range results {
		byCase[result.testCase] = result
	}
	for _, req := range r.suite.Catalogue.Requirements {
		q := reports.Requirement{ID: req.ID, Level: string(req.Level), Section: req.Section, Summary: req.Summary}
		if st, outside := p.standings[req.ID]; outside {
			q.Status, q.Reason = st.status, st.reason
		}
		for _, c := range p.cases {
			if c.Requirement == req.ID && byCase[c] != nil {
				q.Scenarios = append(q.Scenarios, byCase[c].report(repeat))
			}
		}
		if len(q.Scenarios) > 0 {
			conclude(&q, profile.Provided[req.ID])
		}
		out.Requirements = append(out.Requirements, q)
	}
	sumUp(out.Requirements, r.suite.Catalogue, p.standings)
	return out
}

// conclude sets the status of a requirement to the worst status of its scenarios. The status is
// provided if they passed and an adapter or a mapping meets the requirement in place of the target.
func conclude(q *reports.Requirement, provided string) {
	statuses := make([]reports.Status, 0, len(q.Scenarios))
	for _, sc := range q.Scenarios {
		statuses = append(statuses, sc.Status)
	}
	q.Status = reports.Worst(statuses...)
	for _, sc := range q.Scenarios {
		if sc.Status == q.Status {
			q.Reason = sc.Reason
			break
		}
	}
	if q.Status == reports.Passed && provided != "" {
		q.Status, q.Reason = reports.Provided, provided
	}
}

// sumUp sets the status of each sum to the worst status of its parts, unless the sum is outside the
// plan.
func sumUp(all []reports.Requirement, catalogue *spec.Catalogue, outside map[string]standing) {
	status := map[string]reports.Status{}
	for _, q := range all {
		status[q.ID] = q.Status
	}
	for i := range all {
		req, _ := catalogue.Lookup(all[i].ID)
		if _, out := outside[req.ID]; out || len(req.SumOf) == 0 {
			continue
		}
		all[i].SumUp(req.SumOf, status)
	}
}

// report returns the scenario of the report document for the result.
func (result *caseResult) report(repeat func(string) string) reports.Scenario {
	sc := reports.Scenario{Name: result.testCase.Name, Status: result.status,
		DurationMS: result.took.Milliseconds(), Remarks: result.remarks}
	if result.provided != "" && result.status == reports.Passed {
		sc.Status, sc.Reason = reports.Provided, result.provided
	}
	if result.err != nil {
		sc.Reason = result.err.Error()
	}
	if result.status == reports.Error {
		sc.Fault = result.fault()
	}
	if result.status == reports.Failed || result.status == reports.Error {
		sc.Failure = result.failure(repeat)
	}
	return sc
}

func (result *caseResult) fault() reports.Fault {
	var limit *verdict.LimitError
	switch {
	case result.harness:
		return reports.HarnessFault
	case errors.Is(result.err, driver.ErrUnreachable), errors.Is(result.err, driver.ErrClosed),
		errors.Is(result.err, verdict.ErrTargetDied):
		return reports.TargetFault
	case errors.Is(result.err, driver.ErrTooLarge), errors.As(result.err, &limit):
		return reports.LimitFault
	case errors.Is(result.err, driver.ErrTimeout):
		return reports.DeadlineFault
	default:
		return reports.InterruptedFault
	}
}

func (result *caseResult) failure(repeat func(string) string) *reports.Failure {
	f := &reports.Failure{Message: result.err.Error(), Step: result.step}
	var v *verdict.Violation
	var lost *driver.CallError
	switch {
	case errors.As(result.err, &v):
		f.Message, f.Want, f.Got, f.Hint, f.Findings = v.Message, v.Want, v.Got, v.Hint, v.Findings
	case errors.Is(result.err, context.Canceled):
		f.Message = "interrupted"
	case errors.As(result.err, &lost):
		f.Message, f.Want, f.Got = lost.Kind.Error(), "an answer to "+lost.Exchange.Operation, result.err.Error()
	}
	if len(result.kinds) > 1 || len(result.kinds) == 1 && result.kinds[0].Count > 1 {
		f.Kinds = result.kinds
	}
	shown := result.exchanges
	if len(shown) == 0 && lost != nil && lost.Exchange.Operation != "" {
		shown = []driver.Exchange{lost.Exchange}
	}
	for _, e := range shown {
		f.Exchanges = append(f.Exchanges, result.exchange(e))
	}
	if repeat != nil {
		f.Repeat = repeat(result.testCase.Requirement)
	}
	return f
}

// exchange returns a call in the form of the report.
func (result *caseResult) exchange(e driver.Exchange) reports.Exchange {
	shown := reports.Exchange{
		Operation: e.Operation, Sent: reports.NewPayload(e.Sent), Received: reports.NewPayload(e.Received),
		AtMS: max(0, e.Started.Sub(result.began).Milliseconds()),
	}
	if e.Digest != "" {
		shown.Received = reports.CutPayload(e.Received, e.Length, e.Digest)
	}
	if e.Repeat != nil {
		shown.Repeat = e.Repeat()
	}
	if e.Params != nil {
		params := reports.NewPayload(e.Params)
		shown.Params = &params
	}
	return shown
}
