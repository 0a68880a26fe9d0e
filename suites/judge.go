package suites

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/grace"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/recording"
	"github.com/capconform/capconform/suites/transcript"
)

// Judge judges a record again, without a target: it uses the same engine, features and judgements,
// with the answers of the record (DESIGN section 11). Of the suites in all, it judges those that
// the record contains. Its report differs from that of the run only in times, ids and repeat
// commands. The error is a *UsageError if the record contains none of the suites.
func Judge(ctx context.Context, all []*Suite, from *record.Record, opts Options) (*reports.Report, error) {
	all, err := InEditions(InRevision(all, from.Header.Peer.Negotiated), from.EditionOf)
	if err != nil {
		return nil, err
	}
	if err := opts.Selection.Check(all); err != nil {
		return nil, err
	}
	var those []*Suite
	for _, recorded := range from.Header.Suites {
		i := slices.IndexFunc(all, func(s *Suite) bool { return s.Name == recorded.Suite })
		if i >= 0 {
			those = append(those, all[i])
		}
	}
	if len(those) == 0 {
		return nil, usage("the record contains none of the requested suites")
	}
	subject := recordedSubject(from.Header)
	subject.Options = map[string]string{"strict": strconv.FormatBool(opts.Strict)}
	report := newReport(all, subject, opts)
	period, release := grace.Begin(ctx)
	defer release()
	again := rejudgement{report, subject, from, opts, period}
	for _, s := range all {
		if !slices.Contains(those, s) {
			report.NotSpoken = append(report.NotSpoken, s.Name)
		}
	}
	for _, s := range those {
		if err := again.judge(ctx, s); err != nil {
			return nil, err
		}
	}
	if from.Header.Unfinished != "" {
		report.Notes = append(report.Notes, "the run ended early: "+from.Header.Unfinished)
	}
	return finish(ctx, report), nil
}

// rejudgement judges the suites of a record again.
type rejudgement struct {
	report  *reports.Report
	subject *Subject
	from    *record.Record
	opts    Options
	grace   grace.Period
}

// judge judges the entries of one suite.
func (r *rejudgement) judge(ctx context.Context, s *Suite) error {
	p := newRecordedRun()
	session := &recordedSession{info: infoOf(r.from.Header.Peer), answers: map[string][]record.Entry{}}
	for e, err := range r.from.Entries() {
		if err != nil {
			return fmt.Errorf("suites: %w", err)
		}
		if e.Suite == s.Name {
			session.add(e)
			p.add(e)
		}
	}
	below := &origin{Session: session}
	gate := recordedGate(&s.Definition, below, r.subject)
	e := &engine{
		subject: r.subject, session: below, origin: below, opts: r.opts, mode: Live, gates: map[string]*live.Gate{s.Name: gate},
		grace: r.grace, recorded: p,
	}
	begin := func(s *Suite) (Examination, error) {
		exam, err := s.Examine(ctx, r.subject, gate)
		if err != nil {
			return nil, err
		}
		return exam, readAll(exam, s, gate, r.from)
	}
	return examine(ctx, r.report, []*Suite{s}, begin, e)
}

// readAll passes the entries of a record to an examination and counts the invocations at the gate.
func readAll(exam Examination, s *Suite, gate *live.Gate, from *record.Record) error {
	reader, reads := exam.(recording.EntryReader)
	for e, err := range from.Entries() {
		if err != nil {
			return fmt.Errorf("suites: %w", err)
		}
		if e.Suite != s.Name {
			continue
		}
		names, invokes := s.Uses[e.Operation]
		if invokes && e.Outcome != record.NotSent && e.About[transcript.AboutAdapter] == "" {
			one := record.Once(e, func(e record.Entry) recordedUse { return recordedUseOf(e, names) })
			if one.err != nil {
				return fmt.Errorf("suites: %w", one.err)
			}
			if one.use.Invokes {
				gate.Count(one.use)
			}
		}
		if reads {
			reader.Add(e)
		}
	}
	return nil
}

// recordedUse is what the call of an entry does to capabilities, with the error of reading its body.
type recordedUse struct {
	use live.Use
	err error
}

func recordedUseOf(e record.Entry, names func(driver.Operation) live.Use) recordedUse {
	sent, err := e.Sent.Text()
	op := driver.Operation{Name: e.Operation, Params: sent}
	if e.About[recording.AboutBody] != "" {
		op = driver.Operation{Name: e.Operation, Body: sent}
	}
	return recordedUse{names(op), err}
}
