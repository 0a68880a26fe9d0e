package chpsuite

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/driver"
)

// actorCaller is the party that CHP obliges in envelopes and queries.
const actorCaller = "caller"

// inspection is the suite at work on documents. They are read once, by the first
// scenario, and judged by all rules on the way: a log may be of any length.
type inspection struct {
	profile suites.Profile
	files   []suites.Document
	closed  bool // the closed readings are looked at as well
	done    suites.Memo[*reading]
}

// inspectDocuments tells who wrote the documents. It judges nothing.
func inspectDocuments(subject *suites.Subject) (suites.Examination, error) {
	d := &inspection{files: subject.Documents, closed: subject.Options["strict"] == "true"}
	for _, file := range subject.Documents {
		if file.Log != nil && Recognises(&file) { // what the rest of it holds is not known yet
			d.play(actorHost)
			d.play(actorCaller)
		}
		for _, root := range file.Roots {
			switch formOf(root) {
			case "":
			case formEnvelope, formQuery:
				d.play(actorCaller)
			default:
				d.play(actorHost)
			}
		}
	}
	if len(subject.Actors) > 0 {
		d.profile.Actors = subject.Actors
	}
	if !d.closed {
		d.profile.Beyond = map[string]string{}
		for _, r := range closedReadings {
			d.profile.Beyond[r.id] = "advice, looked at with --strict alone"
		}
	}
	return d, nil
}

func (d *inspection) play(actor string) {
	if !slices.Contains(d.profile.Actors, actor) {
		d.profile.Actors = append(d.profile.Actors, actor)
	}
}

// The sentences about documents. What they range over stands in tables, and the
// expressions are made from those.
var (
	documentsHold = regexp.MustCompile(`^the documents hold (` + strings.Join(heldKinds, "|") + `)$`)
	documentsKeep = regexp.MustCompile(`^in them (` + strings.Join(documentSentences(), "|") + `)$`)
)

func documentSentences() []string {
	var all []string
	for _, r := range documentRules {
		all = append(all, regexp.QuoteMeta(r.sentence))
	}
	return all
}

// Steps implements suites.Examination.
func (d *inspection) Steps(voc suites.Vocabulary, _ *suites.Scenario) {
	voc.Step(documentsHold, d.hold)
	voc.Step(documentsKeep, d.keep)
}

// read goes through the documents, or gives what was found when that was done.
func (d *inspection) read(ctx context.Context) (*reading, error) {
	var err error
	r := d.done.Get(func() (*reading, bool) {
		var r *reading
		r, err = readDocuments(ctx, d.files, d.closed)
		return r, err == nil
	})
	return r, err
}

func (d *inspection) hold(ctx context.Context, kind string) error {
	r, err := d.read(ctx)
	if err != nil {
		return err
	}
	if !r.held[kind] {
		return suites.Inapplicable("there are no %s among the documents", kind)
	}
	return nil
}

// keep tells what was found under one rule.
func (d *inspection) keep(ctx context.Context, sentence string) error {
	r, err := d.read(ctx)
	if err != nil {
		return err
	}
	rule := documentRules[slices.IndexFunc(documentRules, func(r documentRule) bool { return r.sentence == sentence })]
	found := r.found[rule.id]
	switch {
	case found == nil:
		return nil
	case found.count == 0:
		return suites.Undecided("%s", found.open)
	}
	slices.SortStableFunc(found.kept, func(a, b reports.Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	first := found.kept[0]
	got := fmt.Sprintf("%s:%d:%d: %s", first.File, first.Line, first.Column, first.Message)
	if found.count > 1 {
		got = fmt.Sprintf("%d places; the first is %s", found.count, got)
	}
	return &suites.Violation{Message: rule.broken, Want: rule.want, Got: got, Hint: rule.hint, Findings: found.kept}
}

// Condition implements suites.Examination. No scenario on documents has one.
func (d *inspection) Condition(kind, name string) error {
	return suites.Undecided("documents have no %s:%s", kind, name)
}

// Control implements suites.Examination: documents always answer.
func (d *inspection) Control(context.Context, driver.Session) error { return nil }

// Profile implements suites.Examination. The notes are there once the documents
// were read.
func (d *inspection) Profile() suites.Profile {
	p := d.profile
	if r := d.done.Kept(); r != nil {
		p.Notes = r.notes
	}
	return p
}

// finds is what was found under one requirement.
type finds struct {
	count int
	kept  []reports.Finding
	open  string // why nothing can be said where nothing is wrong
}

// shownAtMost bounds the findings that are kept of one requirement.
const shownAtMost = 1000

func (r *reading) under(id string) *finds {
	f := r.found[id]
	if f == nil {
		f = &finds{}
		r.found[id] = f
	}
	return f
}

// breach notes a finding at a value.
func (r *reading) breach(id, file string, n *document.Node, format string, args ...any) {
	f := r.under(id)
	if f.count++; len(f.kept) < shownAtMost {
		f.kept = append(f.kept, reports.Finding{File: file, Line: n.Line, Column: n.Column, Message: fmt.Sprintf(format, args...)})
	}
}

// leave notes why a requirement can't be decided. The first reason stands.
func (r *reading) leave(id, format string, args ...any) {
	if f := r.under(id); f.open == "" {
		f.open = fmt.Sprintf(format, args...)
	}
}

// remark notes what a reader must know and no text forbids.
func (r *reading) remark(format string, args ...any) {
	if len(r.notes) < shownAtMost {
		r.notes = append(r.notes, fmt.Sprintf(format, args...))
	}
}
