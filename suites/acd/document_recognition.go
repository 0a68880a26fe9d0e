package acdsuite

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/document"
)

// form is the intended form of a document. It is recognised by its members, not by its file
// name, and leniently: a document with a defect must be recognised, or its defect would never
// be found.
type form string

const (
	formDescriptor form = "CapabilityDescriptor"
	formManifest   form = "AgentManifest"
	formRegistry   form = "a list of capability descriptors"
)

// The members that distinguish a form from documents of other protocols.
var (
	descriptorSigns = []string{
		"capability_id", "name", "version", "description", "kind", "execution", "invocation", "exposure", "permissions",
		"inputs", "outputs", "dependencies", "lifecycle", "delegation", "audit", "status",
	}
	descriptorMarks = []string{"execution", "invocation", "exposure", "permissions"}
	policySigns     = []string{"capability_mutation", "shell_access", "llm_required_for"}
	kinds           = []string{"atomic", "composite", "proxy", "template"}
	// foreign members belong to objects of CAP and of CHP.
	foreign = []string{"input_schema", "inputSchema", "prompt_template", "modes", "emits", "invocation_id",
		"protocol_version", "task_id"}
)

// Recognises reports whether a file contains a document that ACD defines.
func Recognises(file *document.File) bool {
	some := func(n *document.Node) bool { return formOf(n) != "" }
	if file.Log != nil {
		return slices.ContainsFunc(file.Log.Samples, some)
	}
	return slices.ContainsFunc(file.Roots, some)
}

// formOf returns the form of a value, "" if it has none of these forms.
func formOf(n *document.Node) form {
	if n.Is(document.Array) {
		return formOfList(n)
	}
	if !n.Is(document.Object) || n.Has("apiVersion", "jsonrpc") {
		return ""
	}
	switch {
	case manifestForm(n):
		return formManifest
	case descriptorForm(n):
		return formDescriptor
	default:
		return formOfList(n.Get("capabilities"))
	}
}

// formOfList recognises a list that contains at least one descriptor. Its other items are
// broken descriptors, or manifests.
func formOfList(n *document.Node) form {
	if n.Is(document.Array) && slices.ContainsFunc(n.Items, descriptorForm) {
		return formRegistry
	}
	return ""
}

// manifestForm requires an agent, and one of the members that make its manifest an index.
func manifestForm(n *document.Node) bool {
	capabilities := n.Get("capabilities")
	index := capabilities.Has("registry", "list")
	channels := n.Get("channels")
	exposing := channels.Is(document.Array) &&
		slices.ContainsFunc(channels.Items, func(c *document.Node) bool { return c.Has("channel_id", "capabilities") })
	governed := n.Get("policies").Has(policySigns...)
	protocol := n.Get("protocol")
	ours := strings.Contains(protocol.Str()+protocol.Get("name").Str(), "3394")
	switch {
	case n.Has("jsonrpc"), n.Has("endpoint", "protocol") && !ours: // a card of AAP
		return false
	case n.Has("agent_id"):
		return index || exposing || governed
	default:
		return index && (exposing || governed || n.Has("name", "version"))
	}
}

// descriptorForm permits missing members, if enough of the members that no other protocol has
// are present.
func descriptorForm(n *document.Node) bool {
	const enough = 4
	if !n.Is(document.Object) || n.Has("apiVersion", "jsonrpc") {
		return false
	}
	signs, marks := 0, 0
	for _, m := range n.Members {
		if slices.Contains(descriptorSigns, m.Name) {
			signs++
		}
		if slices.Contains(descriptorMarks, m.Name) {
			marks++
		}
	}
	ours := n.Get("execution").Has("substrate") || n.Get("exposure").Has("scope") ||
		n.Get("invocation").Has("modes", "command_aliases")
	alike := !n.Has(foreign...) && (marks > 1 || n.Has("capability_id") && slices.Contains(kinds, n.Get("kind").Str()))
	return signs >= enough && (ours || alike)
}
