package prove

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/recording"
	"github.com/capconform/capconform/suites/text"
)

// judge judges edits of a record. It judges again only the requirements whose judgements read the answer that an edit
// changes.
type judge struct {
	suite  *suites.Suite
	stored *record.Record
	report *reports.Report // on the record as it is
	before map[string]reports.Status
	reads  map[record.Tick][]string // the requirements whose judgements read the answer of an entry
	always map[record.Tick]bool     // the entries that decide which requirements apply
}

// newJudge judges the record as it is.
func newJudge(ctx context.Context, s *suites.Suite, t *text.Text, stored *record.Record) (*judge, error) {
	j := &judge{suite: s, stored: stored, reads: map[record.Tick][]string{}, always: map[record.Tick]bool{}}
	traced, err := suites.New(t.Traced(j.note).Definition())
	if err != nil {
		return nil, fmt.Errorf("prove: %w", err)
	}
	if j.report, err = judged(ctx, traced, stored, suites.Selection{}); err != nil {
		return nil, err
	}
	j.before = statusesOf(j.report)
	related := relations(s)
	for entry, ids := range j.reads {
		var all []string
		for _, id := range ids {
			all = append(all, related[id]...)
		}
		slices.Sort(all)
		j.reads[entry] = slices.Compact(all)
	}
	return j, nil
}

func (j *judge) note(requirement string, read map[record.Tick]bool) {
	for entry := range read {
		if requirement == "" {
			j.always[entry] = true
		} else {
			j.reads[entry] = append(j.reads[entry], requirement)
		}
	}
}

// relations returns for each requirement those whose status depends on it, or on which its own depends: sums and their
// parts, and what yields to it.
func relations(s *suites.Suite) map[string][]string {
	related := map[string][]string{}
	for _, q := range s.Catalogue.Requirements {
		related[q.ID] = append(related[q.ID], q.ID)
		for _, id := range slices.Concat(q.SumOf, q.YieldsTo) {
			both := slices.Concat(related[q.ID], related[id], []string{id})
			for _, one := range both {
				related[one] = both
			}
		}
	}
	return related
}

// statuses returns the statuses of all requirements after edits of entries.
func (j *judge) statuses(ctx context.Context, edited ...record.Entry) (map[string]reports.Status, error) {
	of, all := j.affected(edited)
	if !all && len(of.Requirements) == 0 {
		return j.before, nil
	}
	report, err := judged(ctx, j.suite, j.stored.With(edited), of)
	if err != nil {
		return nil, err
	}
	now := statusesOf(report)
	if !all {
		maps.DeleteFunc(now, func(id string, _ reports.Status) bool { return !slices.Contains(of.Requirements, id) })
	}
	after := maps.Clone(j.before)
	maps.Copy(after, now)
	return after, nil
}

// affected selects the requirements whose statuses edits may change, and reports whether these are all. An answer that
// is lost may concern each of them.
func (j *judge) affected(edited []record.Entry) (of suites.Selection, all bool) {
	for _, e := range edited {
		if j.always[e.Begun] || e.Outcome == record.Lost || e.Stimulus == recording.Control || e.Stimulus == recording.Probe {
			return suites.Selection{}, true
		}
		of.Requirements = append(of.Requirements, j.reads[e.Begun]...)
	}
	slices.Sort(of.Requirements)
	of.Requirements = slices.Compact(of.Requirements)
	return of, false
}

// all judges each edit alone.
func (j *judge) all(ctx context.Context, edits []Edit) error {
	return each(ctx, len(edits), func(ctx context.Context, i int) (err error) {
		edits[i].Before = j.before
		edits[i].After, err = j.statuses(ctx, edits[i].Entry)
		return err
	})
}

// each runs n jobs, as many at once as there are processors.
func each(ctx context.Context, n int, job func(ctx context.Context, i int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		group.Go(func() error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return job(ctx, i)
		})
	}
	return group.Wait()
}

// judged judges a record.
func judged(ctx context.Context, s *suites.Suite, of *record.Record, only suites.Selection) (*reports.Report, error) {
	report, err := suites.Judge(ctx, []*suites.Suite{s}, of,
		suites.Options{Explicit: true, Concurrency: 1, Selection: only})
	if err != nil {
		return nil, fmt.Errorf("prove: %w", err)
	}
	return report, nil
}

func statusesOf(report *reports.Report) map[string]reports.Status {
	all := map[string]reports.Status{}
	for _, s := range report.Suites {
		for _, q := range s.Requirements {
			all[q.ID] = q.Status
		}
	}
	return all
}
