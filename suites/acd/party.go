package acdsuite

import (
	"regexp"
	"strings"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/live"
)

// The parties that ACD obliges.
const (
	actorDescriptor = "descriptor" // the authors of descriptors
	actorSDK        = "sdk"
	actorAgent      = "agent"
	actorChannel    = "channel"
	actorExemplar   = "exemplar"
)

// The words of the text that more than one file needs.
const (
	substrateShell     = "shell"
	substrateTransport = "transport"
	modeCommand        = "command"
)

// The roles of suites/acd/ADAPTER.md.
const (
	roleEcho      = "echo"
	roleFails     = "fails"
	roleShell     = "shell"
	roleImmutable = "immutable"
)

func roles() []live.Role {
	return []live.Role{
		{Name: roleEcho, Capability: history.EchoID, Purpose: "returns its message, in every mode"},
		{Name: roleFails, Capability: "conformance.fail", Purpose: "fails during execution"},
		{Name: roleShell, Capability: "conformance.shell", Purpose: "runs a script in the sandbox"},
		{Name: roleImmutable, Capability: "conformance.immutable", Purpose: "cannot be changed"},
	}
}

// exemplar is the last name of the exemplar's id, and the word in its name.
const exemplar = "exemplar"

var idSeparators = regexp.MustCompile(`[:/#.]`)

// claimsExemplar reports whether an agent claims to be the exemplar of the text. The
// requirements on the exemplar do not apply to other agents.
func claimsExemplar(agentID, name string) bool {
	names := idSeparators.Split(strings.ToLower(agentID), -1)
	all := strings.ToLower(agentID + " " + name)
	return names[len(names)-1] == exemplar || strings.Contains(all, exemplar) && strings.Contains(all, "3394")
}
