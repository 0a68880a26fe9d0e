package acpdocument

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/lint"
)

// Actor is the party that is obliged, as the catalogue names it.
const Actor = "package"

// Inspect looks for packages among the documents. It judges nothing. The
// error is a *suites.UsageError where an option is wrong.
func Inspect(subject *suites.Subject) (suites.Examination, error) {
	s, err := newSettings(subject.Options)
	if err != nil {
		return nil, err
	}
	profile := lint.Profile(subject, authors(subject.Documents), nil)
	return lint.Examine(Vocabulary, profile, func(ctx context.Context) (*lint.Findings, error) {
		return judgeAll(ctx, s, subject.Documents, subject.Older)
	}).Besides(subject.Unread), nil
}

// authors are the parties that the documents are of.
func authors(files []suites.Document) []string {
	if slices.ContainsFunc(files, func(d suites.Document) bool { return Recognises(&d) }) {
		return []string{Actor}
	}
	return nil
}
