// Package prove finds out which requirements of a text anybody has seen fail: it edits the recorded answers of a
// conforming host, judges each edit, and reports the requirements that no edit broke, and the places that no
// requirement reads.
package prove

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

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
	j, err := newJudge(ctx, s, t, stored)
	if err != nil {
		return nil, err
	}
	r := &Result{Suite: s.Name, TextDigest: t.Digest, Defects: []Row{}, Unread: []string{}, Uncovered: []string{}}
	for _, q := range s.Catalogue.Requirements {
		r.Requirements = append(r.Requirements, Requirement{
			ID: q.ID, Level: string(q.Level), Binding: q.Level.Binding(), Examples: []string{},
			Excluded: cmp.Or(q.Excluded, unobliged(j.report, q)),
		})
		if q.Testable() && q.Level.Binding() && j.before[q.ID] == reports.Failed {
			return nil, fmt.Errorf("the host breaks %s: prove needs a conforming host", q.ID)
		}
	}
	entries, err := entriesOf(s, stored)
	if err != nil {
		return nil, err
	}
	if editing {
		all := edits(entries)
		if err := j.all(ctx, all); err != nil {
			return nil, err
		}
		r.take(all)
	}
	return r, r.apply(ctx, j, t, entries)
}

// Edits judges edits of a record: of those that Record makes, in their order, each that take accepts.
func Edits(ctx context.Context, s *suites.Suite, t *text.Text, stored *record.Record,
	take func(Edit) bool) ([]Edit, error) {
	entries, err := entriesOf(s, stored)
	if err != nil {
		return nil, err
	}
	j, err := newJudge(ctx, s, t, stored)
	if err != nil {
		return nil, err
	}
	var some []Edit
	for _, e := range edits(entries) {
		if take(e) {
			some = append(some, e)
		}
	}
	return some, j.all(ctx, some)
}

// entriesOf returns the entries of a suite.
func entriesOf(s *suites.Suite, stored *record.Record) (all []record.Entry, err error) {
	for e, err := range stored.Entries() {
		if err != nil {
			return nil, err
		}
		if e.Suite == s.Name {
			all = append(all, e)
		}
	}
	return all, nil
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

// apply applies each defect of the text to a record.
func (r *Result) apply(ctx context.Context, j *judge, t *text.Text, entries []record.Entry) error {
	var rows []Row
	var edits [][]record.Entry
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
		}
		rows, edits = append(rows, row), append(edits, edited)
	}
	after := make([]map[string]reports.Status, len(rows))
	err := each(ctx, len(rows), func(ctx context.Context, i int) (err error) {
		if rows[i].Why == "" {
			after[i], err = j.statuses(ctx, edits[i]...)
		}
		return err
	})
	if err != nil {
		return err
	}
	for i, row := range rows {
		if row.Why == "" {
			r.note(&row, j.before, after[i])
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
func (r *Result) take(all []Edit) {
	r.Edits = len(all)
	read := map[string]bool{}
	for _, e := range all {
		read[e.Place] = read[e.Place] || !maps.Equal(e.Before, e.After)
		for j := range r.Requirements {
			q := &r.Requirements[j]
			if !e.Breaks(q.ID) {
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
