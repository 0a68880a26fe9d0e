package chpsuite

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/lint"
)

// actorCaller is the party that CHP obliges in envelopes and queries.
const actorCaller = "caller"

// documentVocabulary are the sentences about documents.
var documentVocabulary = lint.NewVocabulary(heldKinds, documentRules)

// inspectDocuments tells who wrote the documents. It judges nothing. A log may be of
// any length, so that everything is judged in one reading.
func inspectDocuments(subject *suites.Subject) (suites.Examination, error) {
	closed := subject.Options["strict"] == "true"
	profile := suites.Profile{Actors: subject.Actors}
	if len(profile.Actors) == 0 {
		profile.Actors = authors(subject.Documents)
	}
	if !closed {
		profile.Beyond = map[string]string{}
		for _, r := range closedReadings {
			profile.Beyond[r.id] = "advice, looked at with --strict alone"
		}
	}
	return lint.Examine(documentVocabulary, profile, func(ctx context.Context) (*lint.Findings, error) {
		r, err := readDocuments(ctx, subject.Documents, closed)
		if err != nil {
			return nil, err
		}
		return r.Findings, nil
	}), nil
}

// authors are the parties that the documents are of.
func authors(files []suites.Document) []string {
	var all []string
	play := func(actor string) {
		if !slices.Contains(all, actor) {
			all = append(all, actor)
		}
	}
	for _, file := range files {
		if file.Log != nil && Recognises(&file) { // what the rest of it holds is not known yet
			play(actorHost)
			play(actorCaller)
		}
		for _, root := range file.Roots {
			switch formOf(root) {
			case "":
			case formEnvelope, formQuery:
				play(actorCaller)
			default:
				play(actorHost)
			}
		}
	}
	return all
}
