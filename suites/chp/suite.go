// Package chpsuite is the suite of CHP, the Capability Host Protocol: what a
// capability host must do, seen from outside through invocation and replay, and
// what its descriptors and evidence logs must hold.
//
// A newcomer finds its parts under the same names as those of the other suites:
//
//	spec/chp.yaml, features/chp/   what CHP demands, and the scenarios that show it
//	suite.go                       operations, actors, routes and roles
//	examination.go                 the first look at a host, before the scenarios
//	world.go, *_steps.go           the sentences of the scenarios, a file a noun
//	experiment.go, attempt.go      invocations that are made once a run and judged by all
//	document_recognition.go        which files are ours
//	document_inspection.go         who wrote them
//	document_reading.go            all of them, read once and judged
//	document_rules.go              the requirements on them, with their sentences
//	schemas/chp/                   the schemas of its objects, and their closed readings
//	reference/chphost/             a host that does it right
//	reference/mutant/chp_*.go      hosts and documents with one defect
package chpsuite

import (
	"context"
	"net/http"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/lint"
)

// The operations of CHP (DESIGN section 9). The last is the same replay by the
// other route of the protocol's own HTTP binding.
const (
	opHost         = "chp.host"
	opCapabilities = "chp.capabilities"
	opInvoke       = "chp.invoke"
	opReplay       = "chp.replay"
	opReplayByPath = "chp.replay.by_path"
)

// actorHost is the party that CHP obliges on the wire.
const actorHost = "host"

// Definition gives the suite to the engine.
func Definition() suites.Definition {
	shop := &instance.Workshop{}
	return suites.Definition{
		Name:       "chp",
		Operations: []string{opHost, opCapabilities, opInvoke, opReplay},
		Probes:     []driver.Operation{{Name: opHost, List: true}, {Name: opCapabilities, List: true}},
		Routes:     routes(),
		Roles:      roles(),
		Invokes:    uses(),
		Examine: func(ctx context.Context, subject *suites.Subject, session *suites.Gate) (suites.Examination, error) {
			return examineHost(ctx, subject, session, shop)
		},
		Recognises: Recognises,
		Inspect:    inspectDocuments,
		Sentences: func(voc suites.Vocabulary) {
			(&examination{}).Steps(voc, &suites.Scenario{})
			lint.Examine(documentVocabulary, suites.Profile{}, nil).Steps(voc, nil)
		},
	}
}

// routes are the protocol's own HTTP binding (notes of the binding: a processed
// invocation is status 200 whatever its outcome).
func routes() []driver.Route {
	return []driver.Route{
		{Operation: opHost, Method: http.MethodGet, Path: "/host"},
		{Operation: opCapabilities, Method: http.MethodGet, Path: "/capabilities"},
		{Operation: opInvoke, Method: http.MethodPost, Path: "/invoke"},
		{Operation: opReplay, Method: http.MethodPost, Path: "/replay"},
		{Operation: opReplayByPath, Method: http.MethodGet, Path: "/replay/{correlation_id}"},
		suites.Nowhere(),
	}
}

// The roles of the fixture profile (DESIGN section 10).
const (
	roleEcho     = "echo"
	roleFails    = "fails"
	roleGuarded  = "guarded"
	roleDisabled = "disabled"
	roleObserve  = "observe"
	roleTyped    = "typed"

	roleRestricted = "restricted"
)

func roles() []suites.Role {
	return []suites.Role{
		{Name: roleEcho, Capability: "conformance.echo", Purpose: "gives the value of its payload back in data"},
		{Name: roleFails, Capability: "conformance.fail", Purpose: "fails during execution"},
		{Name: roleGuarded, Capability: "conformance.guarded", Purpose: "is denied for the payload {}"},
		{Name: roleDisabled, Capability: "conformance.disabled", Purpose: "is registered and disabled, so that it is skipped"},
		{Name: roleObserve, Capability: "conformance.observe", Purpose: "emits an event of its own"},
		{Name: roleTyped, Capability: "conformance.typed", Purpose: "has an input_schema"},
		{Name: roleRestricted, Capability: "conformance.restricted", Purpose: "needs an entitlement that the caller does not have"},
	}
}
