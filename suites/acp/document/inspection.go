package acpdocument

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/lint"
)

// Actor is the actor of the requirements on packages, as the catalogue names it.
const Actor = "package"

// Inspect returns an examination of the packages among the documents. It judges nothing yet. The error
// is a *suites.UsageError if an option is invalid.
func Inspect(subject *suites.Subject) (suites.Examination, error) {
	s, err := newSettings(subject.Options)
	if err != nil {
		return nil, err
	}
	profile := lint.Profile(subject, authors(subject.Documents), nil)
	return lint.Examine(Vocabulary(), profile, func(ctx context.Context) (*lint.Findings, error) {
		return judgeAll(ctx, s, subject.Documents, subject.Older)
	}).WithUnread(subject.Unread), nil
}

// authors returns the actors to which the documents belong.
func authors(files []suites.Document) []string {
	if slices.ContainsFunc(files, func(d suites.Document) bool { return Recognises(&d) }) {
		return []string{Actor}
	}
	return nil
}
