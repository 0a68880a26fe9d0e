package acdsuite

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/lint"
)

// inspectDocuments determines which parties wrote the documents. It judges nothing.
func (k *sharedState) inspectDocuments(subject *suites.Subject) (suites.Examination, error) {
	profile := lint.Profile(subject, authors(subject.Documents), []string{idClosed, idClosedManifest})
	return lint.Examine(documents(), profile, func(ctx context.Context) (*lint.Findings, error) {
		r, err := readDocuments(ctx, subject.Documents, &k.shapes, lint.Strict(subject))
		if err != nil {
			return nil, err
		}
		return r.Findings, nil
	}).WithUnread(subject.Unread), nil
}

// authors returns the parties that wrote the documents. Manifests, and the descriptors of
// adapters and shells, describe channels too.
func authors(files []suites.Document) []string {
	var all []string
	var see func(n *document.Node)
	see = func(n *document.Node) {
		switch formOf(n) {
		case formManifest:
			all = append(all, actorAgent, actorChannel)
			if claimsExemplar(n.Get("agent_id").Str(), n.Get("name").Str()) {
				all = append(all, actorExemplar)
			}
		case formDescriptor:
			all = append(all, actorDescriptor, actorChannel)
		case formRegistry:
			for _, item := range itemsOf(n) {
				see(item)
			}
		}
	}
	for _, file := range files {
		for _, root := range file.Roots {
			see(root)
		}
		if file.Log != nil {
			for _, sample := range file.Log.Samples {
				see(sample)
			}
		}
	}
	return all
}
