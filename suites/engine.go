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
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/recording"
	"github.com/capconform/capconform/suites/verdict"
)

// Options say how a run goes.
type Options struct {
	Selection   Selection
	Explicit    bool // the suites were asked for by name: their absence is judged
	Concurrency int  // scenarios at once; below 1 counts as 1
	FailFast    bool
	Strict      bool
	Progress    func(Event)                       // may be nil; called by several goroutines
	Repeat      func(requirementID string) string // the command that repeats one requirement; may be nil
	// Candidates gives those of the listed ids that Look tries for a vacant role; nil: none.
	Candidates func(role live.Role, ids []string) []string
	Record     *record.Writer // takes every call of the run; may be nil
	// Plain keeps exchanges uncompressed, which takes more memory and less time.
	Plain bool
	// Breach takes each breach of the requirement that it is reported under, after yields_to;
	// may be nil.
	Breach func(requirement string, b verdict.Breach)
	// Doubt takes each doubt that is left of a requirement that is reported; may be nil.
	Doubt func(requirement string, d verdict.Doubt)
}

// ErrCredentials: the target wants credentials that it was not given.
var ErrCredentials = errors.New("credentials refused")

// Run examines a live subject by each suite. The report holds all that was
// learnt, also where the run was interrupted or the target died. The error is
// not nil where there is nothing to report, and the report is then nil: a
// *UsageError, ErrCredentials. Where the target gives no answer there are both: an
// error that wraps driver.ErrUnreachable, driver.ErrCancelled or ErrTargetDied, and
// a report without suites that says so.
func Run(ctx context.Context, all []*Suite, subject *Subject, opts Options) (*reports.Report, error) {
	if err := opts.Selection.Check(all); err != nil {
		return nil, err
	}
	subject.Deadlines = subject.Deadlines.WithDefaults()
	subject.Limits = subject.Limits.WithDefaults()
	report := newReport(all, subject, opts)
	journal := recording.NewJournal(opts.Record, namesOf(all))
	journal.Plain = opts.Plain
	opened, err := driver.LastingWithin(recording.NewDriver(subject.Driver, journal), subject.Limits).Open(ctx)
	if err != nil {
		return unreached(ctx, report, err)
	}
	session := &origin{Session: opened}
	defer session.Close() // the session is being thrown away; what it says can change nothing
	grace, release := newGrace(ctx)
	defer release()
	spoken, err := within(ctx, grace, func() (map[string]bool, error) { return probe(ctx, all, session, subject, opts) })
	if err != nil {
		return unreached(ctx, report, err)
	}
	for _, s := range all {
		if !spoken[s.Name] {
			report.NotSpoken = append(report.NotSpoken, s.Name)
		}
	}
	e := &engine{
		subject: subject, session: session, origin: session, opts: opts, mode: Live,
		gates: map[string]*live.Gate{}, grace: grace, journal: journal,
	}
	reader := admission.PublishedReader()
	begin := func(s *Suite) (Examination, error) {
		gate := gateOf(&s.Definition, session, subject, reader, journal)
		e.gates[s.Name] = gate
		discovery := recording.Label{Suite: s.Name, Stimulus: recording.Discovery}
		exam, err := s.Examine(recording.Labelled(ctx, discovery), subject, gate)
		if cause := context.Cause(ctx); err == nil && cause != nil { // what it knows may be half of it
			letGo(report, exam)
			err = &driver.CallError{Kind: driver.ErrCancelled, Detail: cause.Error()}
		}
		if err == nil {
			journal.Read(s.Name, exam)
		}
		return exam, err
	}
	err = examine(ctx, report, spokenSuites(all, spoken), begin, e)
	if lost := (*driver.CallError)(nil); errors.As(err, &lost) {
		return unreached(ctx, report, unanswered(true, err))
	}
	report.Subject.Driver = subject.Driver.Target().Driver // auto knows only now
	report.Subject.Version = firstOf(subject.Version, session.Info().Version)
	if subject.Name == "" {
		report.Subject.Name = firstOf(session.Info().Name, report.Subject.Target)
	}
	report.Notes = append(report.Notes, session.Info().Warnings...)
	if opts.Record != nil {
		opts.Record.Describe(describe(subject, session.Info(), opts))
	}
	return finish(ctx, report), err
}

// Lint examines documents by each suite that reads any.
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
	grace, release := newGrace(ctx)
	defer release()
	err := examine(ctx, report, readers, begin, &engine{subject: subject, opts: opts, mode: Documents, grace: grace})
	if len(subject.Documents) == 0 && len(subject.Unread) > 0 { // no requirement can say so
		report.Run.Stopped = &reports.Stop{Fault: reports.LimitFault, Reason: subject.Unread[0]}
	}
	return finish(ctx, report), err
}

// engine is what the suites of one run share.
type engine struct {
	began   time.Time
	subject *Subject
	session driver.Session
	origin  *origin // nil for documents
	opts    Options
	mode    Mode
	gates   map[string]*live.Gate // by suite: what its calls go through
	grace   grace
	journal *recording.Journal // nil for documents
	past    *past              // nil where a target or documents are examined
}

func newReport(all []*Suite, subject *Subject, opts Options) *reports.Report {
	r := &reports.Report{Subject: reports.Subject{Name: subject.Name, Version: subject.Version, Driver: "documents"}}
	if subject.Driver != nil {
		target := subject.Driver.Target()
		r.Subject.Driver, r.Subject.Target = target.Driver, target.Address
	}
	r.Harness.CatalogueDigest, r.Harness.FeaturesDigest = digests(all)
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

// unreached ends a run in which the target gave no answer.
func unreached(ctx context.Context, report *reports.Report, err error) (*reports.Report, error) {
	lost := (*driver.CallError)(nil)
	switch {
	case errors.As(err, &lost) && refusing(lost.Exchange): // in a handshake
		return nil, wantsCredentials(lost.Exchange)
	case ctx.Err() != nil: // whatever came of it, we gave up
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

// job is a suite that was planned.
type job struct {
	suite *Suite
	exam  Examination
	plan  *plan
}

// runOf makes the run of a suite.
func (e *engine) runOf(j job, all []job) *run {
	r := &run{
		began: e.began, suite: j.suite, subject: e.subject, examination: j.exam,
		session: e.sessionOf(j.suite, j.exam), origin: e.origin,
		progress: e.opts.Progress, grace: e.grace, journal: e.journal, past: e.past, silent: map[*Case]bool{},
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

// examine runs the suites one after the other. The context of each ends early
// where the target died or --fail-fast struck.
func examine(
	ctx context.Context, report *reports.Report, all []*Suite, begin func(*Suite) (Examination, error), e *engine,
) error {
	e.began = report.Run.StartedAt
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	tags, err := e.opts.Selection.expression(all)
	if err != nil {
		return err
	}
	var jobs []job
	defer func() {
		for _, j := range jobs {
			letGo(report, j.exam)
		}
	}()
	total := 0
	for _, s := range all {
		exam, err := within(ctx, e.grace, func() (Examination, error) { return begin(s) })
		if err != nil {
			return fmt.Errorf("suite %s: %w", s.Name, err)
		}
		p := makePlan(s, e.mode, e.opts.Selection, tags, exam)
		jobs = append(jobs, job{s, exam, p})
		report.Run.Partial = report.Run.Partial || len(p.leftOut) > 0
		total += len(p.cases)
	}
	if e.opts.Progress != nil {
		e.opts.Progress(Event{Total: total})
	}
	died := func(cause error) {
		report.Run.Stopped = &reports.Stop{Fault: reports.TargetFault, Reason: cause.Error()}
		stop(cause)
	}
	for _, j := range jobs {
		r := e.runOf(j, jobs)
		r.health = &health{dead: died}
		if e.opts.FailFast {
			r.failFast = func() { stop(errFailFast) }
		}
		records := r.settle(j.plan)
		records = append(records, r.execute(ctx, j.plan.open(), e.opts.Concurrency)...)
		r.attribute(records)
		e.tellBreaches(records, r.silent)
		e.conclude(report, r.result(j.plan, records, e.opts.Repeat))
		report.Notes = append(report.Notes, j.exam.Profile().Notes...)
		e.journal.Forget(j.suite.Name) // the suites after it need the memory
	}
	if errors.Is(context.Cause(ctx), errFailFast) {
		report.Run.Partial = true
	}
	return nil
}

// tellBreaches passes on the breaches and doubts of the scenarios that are reported.
func (e *engine) tellBreaches(records []*caseResult, silent map[*Case]bool) {
	for _, rec := range records {
		if silent[rec.kase] {
			continue
		}
		for _, b := range rec.left {
			if e.opts.Breach != nil {
				e.opts.Breach(rec.kase.Requirement, b)
			}
		}
		for _, d := range rec.doubts() {
			if e.opts.Doubt != nil {
				e.opts.Doubt(rec.kase.Requirement, d)
			}
		}
	}
}

// conclude adds the outcome of a suite to the report, with what it invoked.
func (e *engine) conclude(report *reports.Report, result reports.Suite) {
	if gate := e.gates[result.Suite]; gate != nil {
		result.Invoked, result.NotInvoked = gate.Tally()
		report.Notes = append(report.Notes, invocationNotes(result, gate.Unlisted())...)
	}
	report.Suites = append(report.Suites, result)
}

// sessionOf is what an examination talks over.
func (e *engine) sessionOf(s *Suite, exam Examination) driver.Session {
	if own := exam.Profile().Session; own != nil {
		return own
	}
	if gate := e.gates[s.Name]; gate != nil {
		return gate
	}
	return e.session
}

// letGo ends what an examination holds open, such as what it plays to the target.
func letGo(report *reports.Report, exam Examination) {
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

func spokenSuites(all []*Suite, spoken map[string]bool) []*Suite {
	var those []*Suite
	for _, s := range all {
		if spoken[s.Name] {
			those = append(those, s)
		}
	}
	return those
}

func digests(all []*Suite) (catalogue, feature string) {
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
