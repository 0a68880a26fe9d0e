// Package lint is what the suites share when they examine documents: rules
// with a sentence each, what was found under them in one reading of all files, and
// the examination that tells it scenario by scenario. It knows no protocol.
package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/document"
)

// Rule is one requirement as it is seen on documents.
type Rule struct {
	ID       string // of the requirement
	Sentence string // of the feature, behind "in them "
	Broken   string // the message of its violation
	Want     string
	Hint     string // may be empty
}

// shownAtMost bounds the findings that are kept of one requirement, and the notes.
const shownAtMost = 1000

// Findings are what one reading of all documents found. They are not safe for
// concurrent use while they are being made.
type Findings struct {
	held  map[string]bool
	found map[string]*finds
	notes []string
}

// finds is what was found under one requirement.
type finds struct {
	count int
	kept  []reports.Finding
	open  string // why nothing can be said where nothing is wrong
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
		at = &finds{}
		f.found[id] = at
	}
	return at
}

// Breach notes at a value that a requirement is broken there.
func (f *Findings) Breach(id, file string, n *document.Node, format string, args ...any) {
	at := f.under(id)
	if at.count++; len(at.kept) < shownAtMost {
		at.kept = append(at.kept, reports.Finding{File: file, Line: n.Line, Column: n.Column, Message: fmt.Sprintf(format, args...)})
	}
}

// Leave notes why a requirement can't be decided. The first reason stands, and
// only where nothing breaks the requirement.
func (f *Findings) Leave(id, format string, args ...any) {
	if at := f.under(id); at.open == "" {
		at.open = fmt.Sprintf(format, args...)
	}
}

// Note tells what a reader must know and no text forbids.
func (f *Findings) Note(format string, args ...any) {
	if len(f.notes) < shownAtMost {
		f.notes = append(f.notes, fmt.Sprintf(format, args...))
	}
}

// Judge gives what was found under a rule: a *suites.Violation with every place, an
// *suites.Inconclusive, or nil.
func (f *Findings) Judge(rule Rule) error {
	found := f.found[rule.ID]
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
	return &suites.Violation{Message: rule.Broken, Want: rule.Want, Got: got, Hint: rule.Hint, Findings: found.kept}
}

// Described names a value for a message: a scalar by itself, the rest by its kind.
func Described(n *document.Node) string {
	if n == nil {
		return "not there"
	}
	switch n.Kind {
	case document.String, document.Number, document.Boolean:
		return suites.Print(n.Value())
	default:
		return n.Kind.String()
	}
}
