// Package lint is what the suites share when they examine documents: rules
// with a sentence each, what was found under them in one reading of all files, and
// the examination that tells it scenario by scenario. It knows no protocol.
package lint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/verdict"
)

// Rule is one requirement as it is seen on documents.
type Rule struct {
	ID       string // of the requirement
	Sentence string // of the feature, behind "in them "
	Broken   string // the message of its violation
	Want     string
	Hint     string // may be empty
}

// shownAtMost bounds what is kept: findings of one requirement, as many remarks and
// notes.
const shownAtMost = 10_000

// declaredAtMost bounds the versions that are kept.
const declaredAtMost = 8

// ShownAFile bounds the findings of one requirement that are kept of one file, which
// have to fit on a screen. All are counted.
const ShownAFile = 10

// Findings are what one reading of all documents found. They are not safe for
// concurrent use while they are being made.
type Findings struct {
	held     map[string]bool
	found    map[string]*finds
	notes    []string
	declared []string // versions of the protocol that the documents say they speak
	exceeded string   // why not all documents were read; the further reasons are notes
}

// finds is what was found under one requirement.
type finds struct {
	count   int
	inFile  map[string]int
	kept    []reports.Finding
	remarks []reports.Remark
	limit   string               // of ours, which was reached before all was judged
	open    verdict.Inconclusive // why nothing can be said where nothing is wrong
}

// NewFindings gives findings that are empty.
func NewFindings() *Findings {
	return &Findings{held: map[string]bool{}, found: map[string]*finds{}}
}

// Hold notes that there is a document, or a part of one, of some kind.
func (f *Findings) Hold(kind string) { f.held[kind] = true }

// Holds tells whether there is.
func (f *Findings) Holds(kind string) bool { return f.held[kind] }

func (f *Findings) under(id string) *finds {
	at := f.found[id]
	if at == nil {
		at = &finds{inFile: map[string]int{}}
		f.found[id] = at
	}
	return at
}

// Breach notes at a value that a requirement is broken there.
func (f *Findings) Breach(id, file string, n *document.Node, format string, args ...any) {
	at := f.under(id)
	at.count++
	if at.inFile[file]++; at.inFile[file] <= ShownAFile && len(at.kept) < shownAtMost {
		at.kept = append(at.kept, finding(file, n, format, args))
	}
}

func finding(file string, n *document.Node, format string, args []any) reports.Finding {
	f := reports.Finding{File: file, Line: n.Line, Column: n.Column, Message: fmt.Sprintf(format, args...)}
	if advice := InQuotes(n); advice != "" && strings.HasSuffix(f.Message, advice) {
		f.Replacement = inQuotes(n)
	}
	return f
}

// Remark notes at a value what breaks nothing and is worth a look.
func (f *Findings) Remark(weight reports.Weight, id, file string, n *document.Node, format string, args ...any) {
	if at := f.under(id); len(at.remarks) < shownAtMost {
		at.remarks = append(at.remarks, reports.Remark{Finding: finding(file, n, format, args), Weight: weight})
	}
}

// Remarks gives those of one requirement.
func (f *Findings) Remarks(id string) []reports.Remark {
	if at := f.found[id]; at != nil {
		return at.remarks
	}
	return nil
}

// Leave notes why a requirement can't be decided. The first reason stands, and
// only where nothing breaks the requirement.
func (f *Findings) Leave(id, format string, args ...any) { f.Ask(id, "", format, args...) }

// Ask notes as Leave does why a requirement can't be decided, and what would let it
// be decided.
func (f *Findings) Ask(id, supply, format string, args ...any) {
	if at := f.under(id); at.open.Reason == "" {
		at.open = verdict.Inconclusive{Reason: fmt.Sprintf(format, args...), Supply: supply}
	}
}

// Limit notes that a limit of ours was reached before a requirement was judged everywhere.
// Where nothing breaks the requirement, its status is error.
func (f *Findings) Limit(id, format string, args ...any) {
	if at := f.under(id); at.limit == "" {
		at.limit = fmt.Sprintf(format, args...)
	}
}

// Exceed is Limit for every requirement: a document, or a part of one, was not read.
func (f *Findings) Exceed(format string, args ...any) {
	if f.exceeded == "" {
		f.exceeded = fmt.Sprintf(format, args...)
		return
	}
	f.Note(format, args...)
}

// Entries reads a log and visits its entries. It notes what can't be read of it. The error is that of ctx.
func (f *Findings) Entries(ctx context.Context, log *document.Log, visit func(document.Entry)) error {
	_, err := log.Each(ctx, func(e document.Entry) {
		if e.Err != nil {
			f.unread(e.Err)
			return
		}
		visit(e)
	})
	if broken, ok := errors.AsType[*document.Error](err); ok {
		f.unread(broken)
		return nil
	}
	if err != nil {
		return fmt.Errorf("lint: %w", err)
	}
	return nil
}

// unread notes what can't be read of a file.
func (f *Findings) unread(err *document.Error) {
	if err.Kind == document.Limit {
		f.Exceed("%v", err)
		return
	}
	f.Note("%v", err)
}

// Undecided notes at a schema why it can't be decided: by a limit of ours, or for good.
func (f *Findings) Undecided(id, place string, open *schemas.Undecidable) {
	note := f.Leave
	switch open.Reason {
	case schemas.ReasonLimit, schemas.ReasonExpansion, schemas.ReasonDeadline:
		note = f.Limit
	}
	note(id, "%s can't be decided: %s", place, open.Message)
}

// Note tells what a reader must know and no text forbids.
func (f *Findings) Note(format string, args ...any) {
	if len(f.notes) < shownAtMost {
		f.notes = append(f.notes, fmt.Sprintf(format, args...))
	}
}

// Declare notes a version of the protocol that a document says it speaks.
func (f *Findings) Declare(version string) {
	if version != "" && len(f.declared) < declaredAtMost && !slices.Contains(f.declared, version) {
		f.declared = append(f.declared, version)
	}
}

// Open gives why a requirement can't be decided, empty where it can.
func (f *Findings) Open(id string) string {
	if at := f.found[id]; at != nil {
		return cmp.Or(at.limit, at.open.Reason)
	}
	return ""
}

// Judge gives what was found under a rule: a *verdict.Violation with every place, a
// *verdict.LimitError, an *verdict.Inconclusive, or nil.
func (f *Findings) Judge(rule Rule) error {
	found := f.found[rule.ID]
	limit := f.exceeded
	if found != nil && found.limit != "" {
		limit = found.limit
	}
	switch {
	case (found == nil || found.count == 0) && limit != "":
		return &verdict.LimitError{Reason: limit}
	case found == nil:
		return nil
	case found.count == 0 && found.open.Reason == "":
		return nil // remarks alone
	case found.count == 0:
		open := found.open
		return &open
	}
	slices.SortStableFunc(found.kept, func(a, b reports.Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	found.sumUp()
	first := found.kept[0]
	got := fmt.Sprintf("%s:%d:%d: %s", first.File, first.Line, first.Column, first.Message)
	if found.count > 1 {
		got = fmt.Sprintf("%d places; the first is %s", found.count, got)
	}
	return &verdict.Violation{Message: rule.Broken, Want: rule.Want, Got: got, Hint: rule.Hint, Findings: found.kept}
}

// sumUp says behind the last finding of a file how many more there are.
func (f *finds) sumUp() {
	for i, kept := range f.kept {
		more := f.inFile[kept.File] - ShownAFile
		if more > 0 && (i+1 == len(f.kept) || f.kept[i+1].File != kept.File) {
			f.kept[i].Message += fmt.Sprintf(" (and %d more of this kind in this file)", more)
			f.inFile[kept.File] = 0
		}
	}
}

// NameOf is the place of a member's name, for what is wrong with its being there.
func NameOf(m *document.Member) *document.Node {
	return &document.Node{Line: m.Line, Column: m.Column}
}

// Described names a value for a message: a scalar by itself, the rest by its kind.
func Described(n *document.Node) string {
	if n == nil {
		return "not there"
	}
	switch n.Kind {
	case document.String, document.Number, document.Boolean:
		return jsonvalue.Print(n.Value())
	default:
		return n.Kind.String()
	}
}
