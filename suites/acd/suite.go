// Package acdsuite is the suite of ACD, the Agent Capability Descriptor of IEEE
// P3394: what an agent SDK and its exemplar must do, seen from outside, and what
// descriptors and agent manifests must hold.
//
// A newcomer finds its parts under the same names as those of the other suites:
//
//	spec/acd.yaml, features/acd/   what ACD demands, and the scenarios that show it
//	suite.go                       operations, actors, routes and roles
//	ADAPTER.md                     the operations, for who makes an agent speak them
//	examination.go                 the first look at an agent, before the scenarios
//	sentences.go                   sentences that name a judgement of the record
//	act/                           the stimuli of these judgements: all that is called
//	history/                       the record of a run, read as registries, manifests and calls
//	judge/                         the judgements: pure functions of a history
//	world.go, *_steps.go           the sentences that still call and judge, a file a noun
//	document_recognition.go        which files are ours
//	document_inspection.go         who wrote them
//	document_reading.go            all of them, read once and judged
//	document_rules.go              the requirements on them, with their sentences
//	schemas/acd/                   the schemas of its objects, and their closed readings
//	reference/acdhost/             an agent that does it right
//	reference/mutant/acd_*.go      agents and documents with one defect
package acdsuite

import (
	"net/http"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/lint"
)

// The operations of ACD (suites/acd/ADAPTER.md).
const (
	opManifest  = "acd.manifest"
	opList      = "acd.registry.list"
	opGet       = "acd.registry.get"
	opCreate    = "acd.registry.create"
	opUpdate    = "acd.registry.update"
	opDelete    = "acd.registry.delete"
	opQuery     = "acd.registry.query"
	opLegacy    = "acd.legacy"
	opInvoke    = "acd.invoke"
	opDeclare   = "acd.channel.declare"
	opProject   = "acd.channel.project"
	opDocs      = "acd.docs"
	opAudit     = "acd.audit"
	opConfigure = "acd.configure"
	opExecLog   = "acd.execlog"
	opCalls     = "acd.llm.calls"

	// opPath is the text's own path of the lists, and before the name of a legacy list
	// that list's path. They are served over HTTP alone.
	opPath = "acd.path"
)

// The parties that ACD obliges.
const (
	actorDescriptor = "descriptor" // whoever writes descriptors
	actorSDK        = "sdk"
	actorAgent      = "agent"
	actorChannel    = "channel"
	actorExemplar   = "exemplar"
)

// The words of the text that more than one file needs.
const (
	substrateShell     = "shell"
	substrateTransport = "transport"
	modeDirect         = "direct"
	modeCommand        = "command"
)

// modes are all modes of the text, in its order.
var modes = []string{modeDirect, modeCommand, "message", "event", "ui_action"}

// Definition gives the suite to the engine.
func Definition() suites.Definition {
	k := &kept{}
	return suites.Definition{
		Name: "acd",
		Operations: []string{
			opManifest, opList, opGet, opCreate, opUpdate, opDelete, opQuery, opLegacy, opInvoke, opDeclare, opProject, opDocs, opAudit,
			opConfigure, opExecLog, opCalls,
		},
		Probes:     []driver.Operation{{Name: opManifest}, {Name: opList, List: true}, {Name: opPath, List: true}},
		Routes:     routes(),
		Roles:      roles(),
		Invokes:    uses(),
		Examine:    k.examineAgent,
		Recognises: Recognises,
		Inspect:    k.inspectDocuments,
		Sentences: func(voc suites.Vocabulary) {
			(&examination{}).Steps(voc, &suites.Scenario{})
			lint.Examine(documents().vocabulary, suites.Profile{}, nil).Steps(voc, nil)
		},
	}
}

// legacies are the old lists and the queries that replace them (ACD 2.2).
var legacies = []struct{ endpoint, filter, value string }{
	{"/listSkills", "kind", "composite"}, {"/listCommands", "invocation", modeCommand}, {"/listSubAgents", "execution", "agent"},
	{"/listChannels", "execution", substrateTransport},
}

// listOperation is the operation on the path of an old list.
func listOperation(endpoint string) string { return opPath + "." + strings.TrimPrefix(endpoint, "/") }

// routes are the paths that the text prints.
func routes() []driver.Route {
	all := []driver.Route{
		{Operation: opPath, Method: http.MethodGet, Path: "/listCapabilities", Query: filterNames},
		suites.Nowhere(),
	}
	for _, l := range legacies {
		all = append(all, driver.Route{Operation: listOperation(l.endpoint), Method: http.MethodGet, Path: l.endpoint})
	}
	return all
}

// echoID is what plays echo where nobody is named.
const echoID = "conformance.echo"

// The roles of suites/acd/ADAPTER.md.
const (
	roleEcho      = "echo"
	roleFails     = "fails"
	roleShell     = "shell"
	roleImmutable = "immutable"
)

func roles() []suites.Role {
	return []suites.Role{
		{Name: roleEcho, Capability: echoID, Purpose: "gives its message back, in every mode"},
		{Name: roleFails, Capability: "conformance.fail", Purpose: "fails during execution"},
		{Name: roleShell, Capability: "conformance.shell", Purpose: "runs a script in the sandbox"},
		{Name: roleImmutable, Capability: "conformance.immutable", Purpose: "can't be changed"},
	}
}
