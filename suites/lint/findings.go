// Package lint is shared by the suites that examine documents: rules with one sentence each, the
// findings of one pass through all files, and the examination that reports them scenario by
// scenario. It is independent of protocols.
package lint

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/verdict"
)

// Rule is one requirement on documents. A rule that is data (see package rule) has a sentence alone: its breaches say
// the rest.
type Rule struct {
	ID       string `yaml:"requirement"`
	Sentence string // of the feature, after "in the documents, "
	Broken   string `yaml:"message"` // of its violation
	Want     string
	Hint     string // may be empty
}

// LoadRules reads a list of rules with the keys requirement, sentence, message, want and hint.
func LoadRules(file []byte) ([]Rule, error) {
	var rules []Rule
	decoder := yaml.NewDecoder(bytes.NewReader(file))
	decoder.KnownFields(true)
	if err := decoder.Decode(&rules); err != nil {
		return nil, fmt.Errorf("lint: %w", err)
	}
	return rules, nil
}

// Key returns the key of the findings of the rule: the id of the requirement, or else the sentence.
func (r Rule) Key() string { return cmp.Or(r.ID, r.Sentence) }

// maxShown bounds the findings that are kept for one requirement, and the remarks and notes.
const maxShown = 10_000

// maxDeclared bounds the versions that are kept.
const maxDeclared = 8

// MaxShownPerFile bounds the findings of one requirement in one file that are kept, which must fit on a
// screen. All are counted.
const MaxShownPerFile = 10

// Findings contains the results of one pass through all documents. It is not safe for concurrent
// use during the pass.
type Findings struct {
	kinds    map[string]bool
	found    map[string]*requirementFindings
	notes    []string
	declared []string // versions of the protocol that the documents declare
	exceeded string   // why not all documents were read; the further reasons are notes
}

// requirementFindings contains the findings of one requirement.
type requirementFindings struct {
	count   int
	inFile  map[string]int
	kept    []breach
	remarks []reports.Remark
	limit   string               // the limit that was reached before everything was judged
	open    verdict.Inconclusive // why the requirement cannot be decided if nothing is broken
}

// breach is a place where a requirement is broken. It has a Message and a Want if the rule is data.
type breach struct {
	reports.Finding
	of verdict.Breach
}

// NewFindings returns empty findings.
func NewFindings() *Findings {
	return &Findings{kinds: map[string]bool{}, found: map[string]*requirementFindings{}}
}

// AddKind records that there is a document, or a part of one, of some kind.
func (f *Findings) AddKind(kind string) { f.kinds[kind] = true }

// HasKind reports whether AddKind was called for this kind.
func (f *Findings) HasKind(kind string) bool { return f.kinds[kind] }

func (f *Findings) under(id string) *requirementFindings {
	at := f.found[id]
	if at == nil {
		at = &requirementFindings{inFile: map[string]int{}}
		f.found[id] = at
	}
	return at
}

// Breach records that a requirement is broken at a value.
func (f *Findings) Breach(id, file string, n *document.Node, format string, args ...any) {
	at := f.under(id)
	at.count++
	if at.inFile[file]++; at.inFile[file] <= MaxShownPerFile && len(at.kept) < maxShown {
		at.kept = append(at.kept, breach{Finding: finding(file, n, format, args)})
	}
}

// Add records what a rule that is data found in an object: its breaches, each at its place within the object, or why
// the rule is not decided.
func (f *Findings) Add(sentence, file string, n *document.Node, v verdict.Verdict) {
	at := f.under(sentence)
	for _, b := range v.Breaches {
		before := len(at.kept)
		if f.Breach(sentence, file, n.At(b.At), "%s", b.Got); len(at.kept) > before {
			at.kept[before].of = b
		}
	}
	if limit, is := errors.AsType[*verdict.LimitError](v.Open); is {
		f.Limit(sentence, "%s", limit.Reason)
	} else if v.Open != nil {
		f.LeaveOpen(sentence, "%v", v.Open)
	}
}

func finding(file string, n *document.Node, format string, args []any) reports.Finding {
	f := reports.Finding{File: file, Line: n.Line, Column: n.Column, Message: fmt.Sprintf(format, args...)}
	if advice := InQuotes(n); advice != "" && strings.HasSuffix(f.Message, advice) {
		f.Replacement = quotedForm(n)
	}
	return f
}

// Remark records a remark at a value: it breaks nothing, but a reader should check it.
func (f *Findings) Remark(weight reports.Weight, id, file string, n *document.Node, format string, args ...any) {
	if at := f.under(id); len(at.remarks) < maxShown {
		at.remarks = append(at.remarks, reports.Remark{Finding: finding(file, n, format, args), Weight: weight})
	}
}

// Remarks returns the remarks of one requirement.
func (f *Findings) Remarks(id string) []reports.Remark {
	if at := f.found[id]; at != nil {
		return at.remarks
	}
	return nil
}

// LeaveOpen records why a requirement cannot be decided. The first reason counts, and only if nothing
// breaks the requirement.
func (f *Findings) LeaveOpen(id, format string, args ...any) { f.LeaveOpenFor(id, "", format, args...) }

// LeaveOpenFor is LeaveOpen with the way in which the requirement could be decided.
func (f *Findings) LeaveOpenFor(id, supply, format string, args ...any) {
	if at := f.under(id); at.open.Reason == "" {
		at.open = verdict.Inconclusive{Reason: fmt.Sprintf(format, args...), Supply: supply}
	}
}

// Limit records that a limit was reached before a requirement was judged everywhere. If nothing
// breaks the requirement, its status is error.
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

// Entries reads a log and visits its entries. It records the unreadable ones. The error is that of
// ctx.
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

// unread records the part of a file that cannot be read.
func (f *Findings) unread(err *document.Error) {
	if err.Kind == document.Limit {
		f.Exceed("%v", err)
		return
	}
	f.Note("%v", err)
}

// Undecided records why a schema cannot be decided: because of a limit, or in principle.
func (f *Findings) Undecided(id, place string, open *schemas.Undecidable) {
	note := f.LeaveOpen
	switch open.Reason {
	case schemas.ReasonLimit, schemas.ReasonExpansion, schemas.ReasonDeadline:
		note = f.Limit
	}
	note(id, "%s can't be decided: %s", place, open.Message)
}

// Note records a fact that a reader must know and that breaks nothing.
func (f *Findings) Note(format string, args ...any) {
	if len(f.notes) < maxShown {
		f.notes = append(f.notes, fmt.Sprintf(format, args...))
	}
}

// Declare records a version of the protocol that a document declares.
func (f *Findings) Declare(version string) {
	if version != "" && len(f.declared) < maxDeclared && !slices.Contains(f.declared, version) {
		f.declared = append(f.declared, version)
	}
}

// Open returns why a requirement cannot be decided, empty if it can.
func (f *Findings) Open(id string) string {
	if at := f.found[id]; at != nil {
		return cmp.Or(at.limit, at.open.Reason)
	}
	return ""
}

// Judge returns the result of a rule: a *verdict.Violation with every place, a *verdict.LimitError,
// an *verdict.Inconclusive, or nil.
func (f *Findings) Judge(rule Rule) error {
	found := f.found[rule.Key()]
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
		return nil // only remarks
	case found.count == 0:
		open := found.open
		return &open
	}
	slices.SortStableFunc(found.kept, func(a, b breach) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	found.sumUp()
	first := found.kept[0]
	got := fmt.Sprintf("%s:%d:%d: %s", first.File, first.Line, first.Column, first.Message)
	if found.count > 1 {
		got = fmt.Sprintf("%d places; the first is %s", found.count, got)
	}
	all := make([]reports.Finding, len(found.kept))
	for i, b := range found.kept {
		all[i] = b.Finding
	}
	return &verdict.Violation{Message: cmp.Or(first.of.Message, rule.Broken), Want: cmp.Or(first.of.Want, rule.Want),
		Got:  got,
		Hint: cmp.Or(first.of.Hint, rule.Hint), Findings: all}
}

// sumUp adds to the last finding of a file how many more there are.
func (f *requirementFindings) sumUp() {
	for i, kept := range f.kept {
		more := f.inFile[kept.File] - MaxShownPerFile
		if more > 0 && (i+1 == len(f.kept) || f.kept[i+1].File != kept.File) {
			f.kept[i].Message += fmt.Sprintf(" (and %d more of this kind in this file)", more)
			f.inFile[kept.File] = 0
		}
	}
}

// NameOf returns the place of a member's name, for findings about the presence of the member.
func NameOf(m *document.Member) *document.Node {
	return &document.Node{Line: m.Line, Column: m.Column}
}

// Described describes a value for a message: a scalar by its text, others by their kind.
func Described(n *document.Node) string {
	if n == nil {
		return "absent"
	}
	switch n.Kind {
	case document.String, document.Number, document.Boolean:
		return jsonvalue.Print(n.Value())
	default:
		return n.Kind.String()
	}
}
