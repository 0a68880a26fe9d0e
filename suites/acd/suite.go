// Package acdsuite is the suite of ACD, the Agent Capability Descriptor of IEEE
// P3394: what an agent SDK and its exemplar must do, seen from outside, and what
// descriptors and agent manifests must hold.
package acdsuite

import (
	"github.com/capconform/capconform/suites"
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
	modeCommand        = "command"
)

// Definition gives the suite to the engine.
func Definition() suites.Definition {
	return suites.Definition{
		Name:       "acd",
		Recognises: Recognises,
		Inspect:    inspectDocuments,
	}
}
