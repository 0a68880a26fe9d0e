// Package prove finds out which requirements of a text anybody has seen fail: it edits the recorded answers of a
// conforming host, judges each edit, and reports the requirements that no edit broke, and the places that no
// requirement reads.
package prove

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/text"
)

// Result is what the edits of one run showed.
type Result struct {
	Suite        string        `json:"suite"`
	TextDigest   string        `json:"text_digest"`
	Edits        int           `json:"edits"`        // that were judged
	Requirements []Requirement `json:"requirements"` // in the order of the catalogue
	Defects      []Row         `json:"defects"`      // the rows of defects.yaml
	Unread       []string      `json:"unread"`       // places that no requirement reads: no edit of them changed a status
	Uncovered    []string      `json:"uncovered"`    // sentences of the text that no requirement covers
}

// Requirement is what the edits showed of one requirement.
type Requirement struct {
	ID       string   `json:"id"`
	Level    string   `json:"level"`
	Binding  bool     `json:"binding"`
	Excluded string   `json:"excluded,omitempty"` // why it cannot be observed
	Broken   int      `json:"broken"`             // the number of edits and defects that broke it
	Examples []string `json:"examples"`
}

// Unproven reports whether the requirement is binding and nobody has seen it fail.
func (r Requirement) Unproven() bool { return r.Binding && r.Excluded == "" && r.Broken == 0 }

// Row is what one defect showed.
type Row struct {
	Defect string   `json:"defect"`
	Breaks string   `json:"breaks"`
	Found  bool     `json:"found"`          // the requirement that it breaks was broken
	Others []string `json:"others"`         // further requirements that were broken
	Why    string   `json:"why,omitempty"`  // why the defect could not be applied
	Live   bool     `json:"live,omitempty"` // it was applied to the target by a proxy
}

// OK reports whether every binding requirement was seen to fail, and every defect was found.
func (r *Result) OK() bool {
	return !slices.ContainsFunc(r.Requirements, Requirement.Unproven) &&
		!slices.ContainsFunc(r.Defects, func(d Row) bool { return !d.Found })
}

// maxExamples is the number of edits that a result names for each requirement.
const maxExamples = 5

// Record edits the answers of a record, and applies the defects of the text to it. The record is in memory; its run
// must have been conformant.
func Record(ctx context.Context, s *suites.Suite, t *text.Text, stored *record.Record) (*Result, error) {
	return proved(ctx, s, t, stored, true)
}

// Defects is Record without edits.
func Defects(ctx context.Context, s *suites.Suite, t *text.Text, stored *record.Record) (*Result, error) {
	return proved(ctx, s, t, stored, false)
}

func proved(ctx context.Context, s *suites.Suite, t *text.Text, stored *record.Record, editing bool) (*Result, error) {
	first, err := judged(ctx, s, stored)
	if err != nil {
		return nil, err
	}
	before := statusesOf(first)
	r := &Result{Suite: s.Name, TextDigest: t.Digest, Defects: []Row{}, Unread: []string{}, Uncovered: []string{}}
	for _, q := range s.Catalogue.Requirements {
		r.Requirements = append(r.Requirements, Requirement{
			ID: q.ID, Level: string(q.Level), Binding: q.Level.Binding(), Examples: []string{},
			Excluded: cmp.Or(q.Excluded, unobliged(first, q)),
		})
		if q.Testable() && q.Level.Binding() && before[q.ID] == reports.Failed {
			return nil, fmt.Errorf("the host breaks %s: prove needs a conforming host", q.ID)
		}
	}
	var entries []record.Entry
	for e, err := range stored.Entries() {
		if err != nil {
			return nil, err
		}
		if e.Suite == s.Name {
			entries = append(entries, e)
		}
	}
	var all []edit
	if editing {
		all = edits(entries)
	}
	after, err := judgeAll(ctx, s, stored, all)
	if err != nil {
		return nil, err
	}
	r.take(all, before, after)
	return r, r.apply(ctx, s, t, stored, entries, before)
}

// unobliged returns why a requirement that can be observed does not oblige this host, "" if it does.
func unobliged(report *reports.Report, of spec.Requirement) string {
	for _, s := range report.Suites {
		for _, q := range s.Requirements {
			if of.Testable() && q.ID == of.ID && q.Status == reports.NotApplicable &&
				!strings.HasPrefix(q.Reason, reports.NotObserved) {
				return q.Reason
			}
		}
	}
	return ""
}

// apply applies the defects of the text to a record.
func (r *Result) apply(ctx context.Context, s *suites.Suite, t *text.Text, stored *record.Record,
	entries []record.Entry,
	before map[string]reports.Status,
) error {
	for _, d := range t.Defects() {
		if slices.ContainsFunc(r.Requirements, func(q Requirement) bool { return q.ID == d.Breaks && q.Excluded != "" }) {
			continue // the requirement does not oblige this host
		}
		row := Row{Defect: d.Name, Breaks: d.Breaks, Others: []string{}}
		edited, err := t.EditRecord(d, entries)
		switch {
		case err != nil:
			row.Why = err.Error()
		case len(edited) == 0:
			row.Why = "it fits no call of the run"
		default:
			now, err := statuses(ctx, s, stored.With(edited))
			if err != nil {
				return err
			}
			r.note(&row, before, now)
		}
		r.Defects = append(r.Defects, row)
	}
	return nil
}

// Note adds what a report shows of a defect that was applied to the target.
func (r *Result) Note(name, breaks string, before, after *reports.Report) {
	row := Row{Defect: name, Breaks: breaks, Others: []string{}, Live: true}
	for _, s := range after.Suites {
		for _, q := range s.Requirements {
			if q.ID == breaks {
				row.Why = q.Reason
			}
		}
	}
	r.note(&row, statusesOf(before), statusesOf(after))
	r.Defects = append(r.Defects, row)
}

func (r *Result) note(row *Row, before, now map[string]reports.Status) {
	for i := range r.Requirements {
		q := &r.Requirements[i]
		if now[q.ID] != reports.Failed || before[q.ID] == reports.Failed {
			continue
		}
		if q.ID == row.Breaks {
			row.Found = true
			q.Broken++
		} else {
			row.Others = append(row.Others, q.ID)
		}
	}
	if !row.Found {
		row.Why = strings.TrimSuffix(fmt.Sprintf("%s is %s: %s", row.Breaks, now[row.Breaks], row.Why), ": ")
	} else {
		row.Why = ""
	}
}

// take counts the edits by the requirements that they break, and the places where no edit changes anything.
func (r *Result) take(all []edit, before map[string]reports.Status, after []map[string]reports.Status) {
	r.Edits = len(all)
	read := map[string]bool{}
	for i, e := range all {
		read[e.place] = read[e.place] || !maps.Equal(before, after[i])
		for j := range r.Requirements {
			q := &r.Requirements[j]
			if after[i][q.ID] != reports.Failed || before[q.ID] == reports.Failed {
				continue
			}
			if q.Broken++; len(q.Examples) < maxExamples && !slices.Contains(q.Examples, e.String()) {
				q.Examples = append(q.Examples, e.String())
			}
		}
	}
	for _, place := range slices.Sorted(maps.Keys(read)) {
		if !read[place] {
			r.Unread = append(r.Unread, place)
		}
	}
}

// judgeAll judges each edit alone.
func judgeAll(
	ctx context.Context, s *suites.Suite, stored *record.Record, all []edit,
) ([]map[string]reports.Status, error) {
	found, errs := make([]map[string]reports.Status, len(all)), make([]error, len(all))
	jobs := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range jobs {
				found[i], errs[i] = statuses(ctx, s, stored.With([]record.Entry{all[i].entry}))
			}
		})
	}
	for i := range all {
		if ctx.Err() != nil {
			break
		}
		jobs <- i
	}
	close(jobs)
	workers.Wait()
	return found, errors.Join(append(errs, context.Cause(ctx))...)
}

// judged judges a record.
func judged(ctx context.Context, s *suites.Suite, stored *record.Record) (*reports.Report, error) {
	report, err := suites.Judge(ctx, []*suites.Suite{s}, stored, suites.Options{Explicit: true, Concurrency: 1})
	if err != nil {
		return nil, fmt.Errorf("prove: %w", err)
	}
	return report, nil
}

func statuses(ctx context.Context, s *suites.Suite, stored *record.Record) (map[string]reports.Status, error) {
	report, err := judged(ctx, s, stored)
	if err != nil {
		return nil, err
	}
	return statusesOf(report), nil
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

// Unproven returns the ids of the binding requirements that nobody has seen fail.
func (r *Result) Unproven() []string {
	var ids []string
	for _, q := range r.Requirements {
		if q.Unproven() {
			ids = append(ids, q.ID)
		}
	}
	return ids
}

// Sentence returns the result in one line.
func (r *Result) Sentence() string {
	if ids := r.Unproven(); len(ids) > 0 {
		return fmt.Sprintf("nobody has seen %s fail", strings.Join(ids, ", "))
	}
	if !r.OK() {
		return "every MUST was seen to fail, but a defect was not found"
	}
	return "every MUST that can be observed was seen to fail"
}
