// Package chpdocument examines the documents of CHP: descriptors, envelopes, queries, results and evidence
// logs. It recognises them, reads them once, and judges them by the forms and rules of package judge.
package chpdocument

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/chp/judge"
	"github.com/capconform/capconform/suites/lint"
)

// Inspect determines which parties wrote the documents. It judges nothing at first: since a log may have
// any length, everything is judged in one reading later.
func Inspect(subject *suites.Subject, compile func() (*judge.Forms, error)) (suites.Examination, error) {
	forms, err := compile()
	if err != nil {
		return nil, err
	}
	var closed []string
	for _, r := range closedReadings {
		closed = append(closed, r.id)
	}
	profile := lint.Profile(subject, authors(subject.Documents), closed)
	return lint.Examine(documents().Vocabulary, profile, func(ctx context.Context) (*lint.Findings, error) {
		r, err := readDocuments(ctx, subject.Documents, forms, lint.Strict(subject))
		if err != nil {
			return nil, err
		}
		return r.Findings, nil
	}).WithUnread(subject.Unread), nil
}

// authors returns the parties that wrote the documents.
func authors(files []suites.Document) []string {
	var all []string
	for _, file := range files {
		if file.Log != nil && Recognises(&file) { // its other items are not known yet
			all = append(all, history.ActorHost, history.ActorCaller)
		}
		for _, root := range file.Roots {
			switch formOf(root) {
			case "":
			case formExchange:
				all = append(all, history.ActorCaller, history.ActorHost)
			case formEnvelope, formQuery:
				all = append(all, history.ActorCaller)
			default:
				all = append(all, history.ActorHost)
			}
		}
	}
	return all
}

// Steps registers the sentences of the scenarios for documents.
func Steps(voc suites.Vocabulary) {
	lint.Examine(documents().Vocabulary, suites.Profile{}, nil).Steps(voc, nil)
}
