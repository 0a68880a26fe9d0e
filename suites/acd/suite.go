// Package acdsuite is the suite of ACD, the Agent Capability Descriptor of IEEE P3394: what an agent
// SDK and its exemplar must do, observed from outside, and what descriptors and agent manifests must
// contain.
//
// Its parts have the same names as those of the other suites:
//
//	spec/acd.yaml, features/acd/   the requirements of ACD, and their scenarios
//	suite.go                       operations and routes
//	party.go                       actors and roles, and which agents claim to be the exemplar
//	ADAPTER.md                     the operations, for the authors of adapters
//	examination.go                 the first look at an agent, before the scenarios
//	act/                           the stimuli: all calls of the suite
//	history/                       the record of a run, read as registries, manifests, copies and calls
//	judge/                         the judgements: pure functions of a history
//	document_recognition.go        which files are documents of ACD
//	document_inspection.go         the actors that wrote them
//	document_reading.go            all documents, read once and judged
//	document_rules.go              the requirements on documents, with their sentences
//	document_name.go               the ids of these requirements, and the kinds of documents
//	schemas/acd/                   the schemas of its objects, and their closed readings
//	reference/acdhost/             a conforming agent
//	reference/acdhost/mutant/      agents and documents with one defect
package acdsuite

import (
	"net/http"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/lint"
)

// Definition returns the definition of the suite.
func Definition() suites.Definition {
	k := &sharedState{}
	return suites.Definition{
		Name: "acd",
		Operations: []string{
			history.OpManifest, history.OpList, history.OpGet, history.OpCreate, history.OpUpdate, history.OpDelete,
			history.OpQuery, history.OpLegacy, history.OpInvoke, history.OpDeclare, history.OpProject,
			history.OpDocs, history.OpAudit,
			history.OpConfigure, history.OpExecLog, history.OpCalls,
		},
		Probes: []driver.Operation{{Name: history.OpManifest}, {Name: history.OpList, List: true},
			{Name: history.OpPath, List: true}},
		Routes:     routes(),
		Roles:      roles(),
		Uses:       uses(),
		Changes:    []string{history.OpConfigure},
		Shows:      []string{history.OpList, history.OpGet},
		Examine:    k.examineAgent,
		Recognises: Recognises,
		Inspect:    k.inspectDocuments,
		Sentences: func(voc suites.Vocabulary) {
			(&examination{}).Steps(voc, &suites.Scenario{})
			lint.Examine(documents(), suites.Profile{}, nil).Steps(voc, nil)
		},
	}
}

// routes returns the paths that the text prints.
func routes() []driver.Route {
	all := []driver.Route{
		{Operation: history.OpPath, Method: http.MethodGet, Path: "/listCapabilities", Query: history.Filters},
		suites.UndefinedRoute(),
	}
	for _, l := range history.Legacies {
		all = append(all, driver.Route{Operation: l.PathOf(), Method: http.MethodGet, Path: l.Endpoint})
	}
	return all
}
