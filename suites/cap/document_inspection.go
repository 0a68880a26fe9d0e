package capsuite

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/lint"
)

// actorUpper is the actor that CAP obliges in documents of upper layers.
const actorUpper = "upper_layer"

// inspectDocuments determines the actors of the documents. It judges nothing.
func inspectDocuments(subject *suites.Subject) (suites.Examination, error) {
	profile := lint.Profile(subject, authors(subject.Documents), nil)
	return lint.Examine(documentVocabulary(), profile, func(ctx context.Context) (*lint.Findings, error) {
		r, err := readDocuments(ctx, subject.Documents, subject.Supports["skills"])
		if err != nil {
			return nil, err
		}
		return r.Findings, nil
	}).WithUnread(subject.Unread), nil
}

// authors returns the actors of the documents.
func authors(files []suites.Document) []string {
	var all []string
	for _, file := range files {
		if file.Log != nil && Recognises(&file) {
			all = append(all, actorSource)
		}
		for _, root := range file.Roots {
			for _, found := range recognise(file.Path, root) {
				if found.form.layer() == layerSource {
					all = append(all, actorSource)
				} else {
					all = append(all, actorUpper)
				}
			}
		}
	}
	return all
}
