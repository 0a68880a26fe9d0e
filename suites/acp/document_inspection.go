package acpsuite

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/lint"
)

// inspectDocuments looks for packages among the documents. It judges nothing. The
// error is a *suites.UsageError where an option is wrong.
func inspectDocuments(subject *suites.Subject) (suites.Examination, error) {
	s, err := newSettings(subject.Options)
	if err != nil {
		return nil, err
	}
	profile := lint.Profile(subject, authors(subject.Documents), nil)
	return lint.Examine(documentVocabulary, profile, func(ctx context.Context) (*lint.Findings, error) {
		r, err := readDocuments(ctx, s, subject.Documents, subject.Older)
		if err != nil {
			return nil, err
		}
		return r.Findings, nil
	}).Besides(subject.Unread), nil
}

// authors are the parties that the documents are of.
func authors(files []suites.Document) []string {
	if slices.ContainsFunc(files, func(d suites.Document) bool { return Recognises(&d) }) {
		return []string{actorPackage}
	}
	return nil
}
