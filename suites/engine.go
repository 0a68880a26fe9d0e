package suites

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/admission"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/grace"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/recording"
	"github.com/capconform/capconform/suites/verdict"
)

// Run examines a live subject with each suite. The report contains all results, even if the run was
// interrupted or the target stopped answering. The report is nil if there is nothing to report; the
// error is then a *UsageError, ErrCredentials or another error. If the target does not answer, Run
// returns both a report without suites that states this and an error that wraps
// driver.ErrUnreachable, driver.ErrCancelled or verdict.ErrTargetDied.
func Run(ctx context.Context, all []*Suite, subject *Subject, opts Options) (*reports.Report, error) {
	if err := opts.Selection.Check(all); err != nil {
		return nil, err
	}
	subject.Deadlines = subject.Deadlines.WithDefaults()
	subject.Limits = subject.Limits.WithDefaults()
	report := newReport(all, subject, opts)
	journal := recording.NewJournal(opts.Record, namesOf(all))
	journal.Plain = opts.Plain
	counted := &tally{}
	journal.Observe = counted.note
	opened, err := driver.ReopeningWithin(recording.NewDriver(subject.Driver, journal), subject.Limits).Open(ctx)
	if err != nil {
		return unreached(ctx, report, err)
	}
	session := &origin{Session: opened}
	defer session.Close() // the session is not used again, so its error does not matter
	report.Notes = append(report.Notes, otherRevisions(all, session.Info().Negotiated)...)
	if all = InRevision(all, session.Info().Negotiated); opts.Selection.Check(all) != nil {
		return nil, opts.Selection.Check(all)
	}
	period, release := grace.Begin(ctx)
	defer release()
	found, err := grace.Within(ctx, period,
		func() (probeResults, error) { return probe(ctx, all, session, subject, opts) })
	if err != nil {
		return unreached(ctx, report, err)
	}
	if all, err = found.inSpoken(all, opts); err != nil {
		return nil, err
	}
	report.Harness.CatalogueDigest, report.Harness.FeaturesDigest = catalogueDigests(all)
	if err := found.unusable(session.Info(), opened); err != nil {
		return unreached(ctx, report, err)
	}
	found.addTo(report, all)
	e := &engine{
		subject: subject, session: session, origin: session, opts: opts, mode: Live,
		gates: map[string]*live.Gate{}, grace: period, journal: journal,
	}
	reader := admission.PublishedReader()
	begin := func(s *Suite) (Examination, error) { return e.discover(ctx, report, s, reader) }
	err = examine(ctx, report, suitesSpoken(all, found.spoken), begin, e)
	if lost := (*driver.CallError)(nil); errors.As(err, &lost) {
		return unreached(ctx, report, unanswered(err, verdict.ErrTargetDied))
	}
	addPeer(report, subject, session.Info())
	addHealth(report, counted, session.Info(), opened)
	report.Notes = append(report.Notes, session.Info().Warnings...)
	if opts.Record != nil {
		opts.Record.Describe(describe(subject, session.Info(), opts))
	}
	return finish(ctx, report), err
}

// addPeer adds what a session revealed about the subject to the report.
func addPeer(report *reports.Report, subject *Subject, info driver.Info) {
	report.Subject.Driver = subject.Driver.Target().Driver // the driver "auto" is resolved only now
	report.Subject.Version = firstOf(subject.Version, info.Version)
	if subject.Name == "" {
		report.Subject.Name = firstOf(info.Name, report.Subject.Target)
	}
}

// endingsOf returns how often a target ended during calls, and the error of the last such call.
func endingsOf(opened driver.Session) (times int, last error) {
	if lasting, is := opened.(*driver.Reopened); is {
		return lasting.Endings()
	}
	return 0, nil
}

// Lint examines documents with each suite that has an Inspect function. The error is a *UsageError
// or an error of a suite.
func Lint(ctx context.Context, all []*Suite, subject *Subject, opts Options) (*reports.Report, error) {
	if err := opts.Selection.Check(all); err != nil {
		return nil, err
	}
	var readers []*Suite
	for _, s := range all {
		if s.Inspect != nil {
			readers = append(readers, s)
		}
	}
	report := newReport(readers, subject, opts)
	begin := func(s *Suite) (Examination, error) { return s.Inspect(subject) }
	period, release := grace.Begin(ctx)
	defer release()
	err := examine(ctx, report, readers, begin, &engine{subject: subject, opts: opts, mode: Documents, grace: period})
	if len(subject.Documents) == 0 && len(subject.Unread) > 0 { // no requirement can report this
		report.Run.Stopped = &reports.Stop{Fault: reports.LimitFault, Reason: subject.Unread[0]}
	}
	return finish(ctx, report), err
}

// engine contains the values that the suites of one run share.
type engine struct {
	began    time.Time
	subject  *Subject
	session  driver.Session
	origin   *origin // nil for documents
	opts     Options
	mode     Mode
	gates    map[string]*live.Gate // by suite: the gate of its calls
	grace    grace.Period
	journal  *recording.Journal // nil for documents
	recorded *recordedRun       // nil if a target or documents are examined
}

// discover performs the discovery of a suite on the target.
func (e *engine) discover(
	ctx context.Context, report *reports.Report, s *Suite, reader *admission.Reader,
) (Examination, error) {
	gate := gateOf(&s.Definition, e.session, e.subject, reader, e.journal)
	e.gates[s.Name] = gate
	discovery := recording.Label{Suite: s.Name, Stimulus: recording.Discovery}
	exam, err := s.Examine(recording.Labelled(ctx, discovery), e.subject, gate)
	if cause := context.Cause(ctx); err == nil && cause != nil { // its information may be incomplete
		closeExamination(report, exam)
		err = &driver.CallError{Kind: driver.ErrCancelled, Detail: cause.Error()}
	}
	if err == nil {
		e.journal.Read(s.Name, exam)
	}
	return exam, err
}

func newReport(all []*Suite, subject *Subject, opts Options) *reports.Report {
	r := &reports.Report{Subject: reports.Subject{Name: subject.Name, Version: subject.Version, Driver: "documents"}}
	if subject.Driver != nil {
		target := subject.Driver.Target()
		r.Subject.Driver, r.Subject.Target = target.Driver, target.Address
	}
	r.Harness.CatalogueDigest, r.Harness.FeaturesDigest = catalogueDigests(all)
	id, err := uuid.NewV7()
	if err != nil {
		id = uuid.New()
	}
	r.Run = reports.Run{
		ID: id.String(), StartedAt: time.Now().UTC(), Seed: subject.Seed,
		Partial: opts.Selection.Partial(), Strict: opts.Strict,
	}
	return r
}

// unreached ends a run in which the target did not answer.
func unreached(ctx context.Context, report *reports.Report, err error) (*reports.Report, error) {
	lost := (*driver.CallError)(nil)
	switch {
	case errors.As(err, &lost) && requiresCredentials(lost.Exchange): // during a handshake
		return nil, credentialsError(lost.Exchange)
	case ctx.Err() != nil: // whatever the result, the run was cancelled
		err = fmt.Errorf("%w: %w", driver.ErrCancelled, err)
	case errors.Is(err, driver.ErrUnreachable), errors.Is(err, verdict.ErrTargetDied):
		report.Run.Stopped = &reports.Stop{Fault: reports.TargetFault, Reason: err.Error()}
	default:
		return nil, err
	}
	if report.Subject.Name == "" {
		report.Subject.Name = report.Subject.Target
	}
	return finish(ctx, report), err
}

func finish(ctx context.Context, report *reports.Report) *reports.Report {
	cause := context.Cause(ctx)
	report.Run.Interrupted = cause != nil
	report.Run.DurationMS = time.Since(report.Run.StartedAt).Milliseconds()
	report.Settle()
	return report
}

// job is a suite with its examination and its plan.
type job struct {
	suite *Suite
	exam  Examination
	plan  *plan
}

// runOf returns the run of a suite.
func (e *engine) runOf(j job, all []job) *run {
	r := &run{
		shared: shared{
			suiteName: j.suite.Name, examination: j.exam, session: e.sessionOf(j.suite, j.exam), origin: e.origin,
			journal: e.journal, recorded: e.recorded,
		},
		began: e.began, suite: j.suite, subject: e.subject, progress: e.opts.Progress, grace: e.grace,
		silent: map[*Case]bool{},
	}
	for _, other := range all {
		if other.suite != j.suite {
			r.others = append(r.others, otherSuite{other.exam, e.sessionOf(other.suite, other.exam)})
		}
	}
	for _, c := range j.plan.silent {
		r.silent[c] = true
	}
	return r
}

// examine runs the suites one after the other. Their context ends early if the target stops
// answering, or at the first failure with --fail-fast.
func examine(
	ctx context.Context, report *reports.Report, all []*Suite, begin func(*Suite) (Examination, error), e *engine,
) error {
	e.began = report.Run.StartedAt
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	jobs, err := e.jobs(ctx, report, all, begin)
	defer func() {
		for _, j := range jobs {
			closeExamination(report, j.exam)
		}
	}()
	if err != nil {
		return err
	}
	for _, j := range jobs {
		e.perform(ctx, stop, report, e.runOf(j, jobs), j)
	}
	if errors.Is(context.Cause(ctx), errFailFast) {
		report.Run.Partial = true
	}
	return nil
}

// jobs begins the examinations and plans them. It returns those that it began even if one of them fails.
func (e *engine) jobs(
	ctx context.Context, report *reports.Report, all []*Suite, begin func(*Suite) (Examination, error),
) (jobs []job, err error) {
	tags, err := e.opts.Selection.expression(all)
	if err != nil {
		return nil, err
	}
	total := 0
	for _, s := range all {
		exam, err := grace.Within(ctx, e.grace, func() (Examination, error) { return begin(s) })
		if err != nil {
			return jobs, fmt.Errorf("suite %s: %w", s.Name, err)
		}
		p := makePlan(s, e.mode, e.opts.Selection, tags, exam)
		jobs = append(jobs, job{s, exam, p})
		report.Run.Partial = report.Run.Partial || len(p.leftOut) > 0
		total += len(p.cases)
	}
	if e.opts.Progress != nil {
		e.opts.Progress(Event{Total: total})
	}
	return jobs, nil
}

// perform runs the scenarios of one suite, and adds their results to the report.
func (e *engine) perform(ctx context.Context, stop context.CancelCauseFunc, report *reports.Report, r *run, j job) {
	r.health = &health{dead: func(cause error) {
		report.Run.Stopped = &reports.Stop{Fault: reports.TargetFault, Reason: cause.Error()}
		stop(cause)
	}}
	if e.opts.FailFast {
		r.failFast = func() { stop(errFailFast) }
	}
	results := r.settle(j.plan)
	results = append(results, r.execute(ctx, j.plan.open(), e.opts.Concurrency)...)
	r.attributeBreaches(results)
	e.reportBreaches(results, r.silent)
	e.conclude(report, j.plan, r.result(j.plan, results, e.repeat(j.suite)))
	report.Notes = append(report.Notes, j.exam.Profile().Notes...)
	e.journal.Forget(j.suite.Name) // frees memory for the following suites
}

// repeat returns Options.Repeat for a suite, nil if there is none.
func (e *engine) repeat(s *Suite) func(string) string {
	if e.opts.Repeat == nil {
		return nil
	}
	return func(requirement string) string { return e.opts.Repeat(s, requirement) }
}

// reportBreaches passes the breaches and doubts of the reported scenarios to Options.Breach and
// Options.Doubt.
func (e *engine) reportBreaches(results []*caseResult, silent map[*Case]bool) {
	for _, result := range results {
		if silent[result.testCase] {
			continue
		}
		for _, b := range result.left {
			if e.opts.Breach != nil {
				e.opts.Breach(result.testCase.Requirement, b)
			}
		}
		for _, d := range result.doubts() {
			if e.opts.Doubt != nil {
				e.opts.Doubt(result.testCase.Requirement, d)
			}
		}
	}
}

// conclude adds the result of a suite to the report, with the capabilities that it invoked.
func (e *engine) conclude(report *reports.Report, p *plan, result reports.Suite) {
	if gate := e.gates[result.Suite]; gate != nil {
		result.Invoked, result.NotInvoked = gate.Tally()
		for i := range result.Requirements {
			if q := &result.Requirements[i]; p.judgesEachCapability(q.ID) {
				q.Part = result.InvokedPart()
			}
		}
		report.Notes = append(report.Notes, invocationNotes(result, gate.Unlisted())...)
	}
	report.Suites = append(report.Suites, result)
}

// sessionOf returns the session that an examination uses.
func (e *engine) sessionOf(s *Suite, exam Examination) driver.Session {
	if own := exam.Profile().Session; own != nil {
		return own
	}
	if gate := e.gates[s.Name]; gate != nil {
		return gate
	}
	return e.session
}

// closeExamination closes an examination that holds resources, such as the parties that it plays to the
// target.
func closeExamination(report *reports.Report, exam Examination) {
	closer, holds := exam.(io.Closer)
	if !holds {
		return
	}
	if err := closer.Close(); err != nil {
		report.Notes = append(report.Notes, err.Error())
	}
}

func namesOf(all []*Suite) []string {
	var names []string
	for _, s := range all {
		names = append(names, s.Name)
	}
	return names
}

func suitesSpoken(all []*Suite, spoken map[string]bool) []*Suite {
	var those []*Suite
	for _, s := range all {
		if spoken[s.Name] {
			those = append(those, s)
		}
	}
	return those
}

func catalogueDigests(all []*Suite) (catalogue, feature string) {
	var c, f []string
	for _, s := range all {
		c = append(c, s.Catalogue.Digest())
		f = append(f, s.digest)
	}
	return reports.JoinDigests(c), reports.JoinDigests(f)
}

func firstOf(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}
