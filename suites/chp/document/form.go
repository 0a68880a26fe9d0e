package chpdocument

import (
	"slices"

	"github.com/capconform/capconform/suites/document"
)

// form is the intended form of a document. It is recognised by its members, not by its file
// name, and leniently: a document with a defect must be recognised, or its defect would never
// be found.
type form string

// The forms, with their names in the text. The text has no name for a list of events.
const (
	formDescriptor form = "CapabilityDescriptor"
	formHost       form = "HostDescriptor"
	formEnvelope   form = "InvocationEnvelope"
	formResult     form = "InvocationResult"
	formEvent      form = "ExecutionEvidence"
	formQuery      form = "ReplayQuery"
	formReplay     form = "ReplayResult"
	formDiscovery  form = "a list of capability descriptors"
	formEvents     form = "a list of events"
	formExchange   form = "a query and its result"
)

// The members that distinguish a form from others and from documents of other protocols.
var (
	descriptorSigns = []string{"id", "version", "description", "modes", "emits"}
	descriptorMarks = []string{"modes", "emits", "capability_uri"}
	descriptorMore  = []string{"capability_uri", "invariants", "risk", "assurance", "output_schema"}
	hostSigns       = []string{"id", "version", "protocol_version", "kind", "capabilities", "evidence"}
	envelopeSigns   = []string{"invocation_id", "capability_id", "mode", "correlation", "correlation_id", "subject",
		"payload", "requested_at"}
	resultSigns = []string{"success", "evidence_ids", "completed_at", "capability_id", "correlation", "denial", "data"}
	eventSigns  = []string{"event_id", "event_type", "invocation_id", "capability_id", "host_id", "correlation",
		"timestamp", "sequence", "payload", "redacted", "assurance"}
	eventMarks      = []string{"event_id", "event_type", "sequence", "redacted", "host_id"}
	replayMembers10 = []string{"correlation_id", "events", "event_count", "replayed_at", "truncated", "partial",
		"missing_hosts"}
	queryMembers10 = []string{"correlation_id", "limit", "since_sequence", "include_payloads"}
	// foreign members belong to objects of Kubernetes, of JSON-RPC and of ACD.
	foreign = []string{"apiVersion", "jsonrpc", "execution", "exposure"}
)

// Recognises reports whether a file contains a document that CHP defines.
func Recognises(file *document.File) bool {
	if file.Log != nil {
		return slices.ContainsFunc(file.Log.Samples, func(n *document.Node) bool { return formOf(n) != "" })
	}
	return slices.ContainsFunc(file.Roots, func(root *document.Node) bool { return formOf(root) != "" })
}

// formOf returns the form of a value, "" if it has none of these forms.
func formOf(n *document.Node) form {
	if n.Is(document.Array) {
		return formOfList(n.Items)
	}
	if !n.Is(document.Object) || n.Has(foreign...) {
		return ""
	}
	for _, guess := range []func(*document.Node) form{eventForm, replayForm, resultForm, envelopeForm, hostForm,
		descriptorForm} {
		if f := guess(n); f != "" {
			return f
		}
	}
	if formOf(n.Get("query")) == formQuery && formOf(n.Get("result")) == formReplay {
		return formExchange
	}
	if list := n.Get("capabilities"); list.Is(document.Array) && formOfList(list.Items) == formDiscovery {
		return formDiscovery
	}
	return ""
}

// formOfList returns the form of the first item whose form is known. The other items are then
// judged as broken ones of that form.
func formOfList(items []*document.Node) form {
	for _, item := range items {
		switch formOf(item) {
		case formEvent:
			return formEvents
		case formDescriptor:
			return formDiscovery
		}
	}
	return ""
}

// signs returns how many of the named members an object has.
func signs(n *document.Node, names []string) int {
	count := 0
	for _, m := range n.Members {
		if slices.Contains(names, m.Name) {
			count++
		}
	}
	return count
}

// eventForm requires members that only evidence has, and a reference to an invocation, a
// capability or a host: other logs have events with ids too.
func eventForm(n *document.Node) form {
	const enough = 4
	if signs(n, eventSigns) >= enough && n.Has(eventMarks...) && n.Has("invocation_id", "capability_id", "host_id") &&
		!n.Has("requested_at") {
		return formEvent
	}
	return ""
}

// replayForm requires the events or their number. A bundle of another kind may contain events
// too; then only the events are judged.
func replayForm(n *document.Node) form {
	events := n.Get("events")
	own := signs(n, replayMembers10) == len(n.Members)
	switch {
	case n.Has("event_count", "replayed_at") && n.Has("correlation_id", "events"):
		return formReplay
	case n.Has("event_count") && n.Has("replayed_at"), n.Has("events") && n.Has("correlation_id") && own:
		return formReplay
	case events.Is(document.Array) && formOfList(events.Items) == formEvents:
		return formEvents
	case n.Has("correlation_id") && len(n.Members) == 1, n.Has("since_sequence", "include_payloads"),
		n.Has("correlation_id") && signs(n, queryMembers10) == len(n.Members):
		return formQuery
	}
	return ""
}

func resultForm(n *document.Node) form {
	const enough = 2
	if n.Has("invocation_id") && n.Has("outcome", "success") && signs(n, resultSigns) >= enough {
		return formResult
	}
	return ""
}

func envelopeForm(n *document.Node) form {
	const enough = 3
	if n.Has("invocation_id", "capability_id") && n.Has("mode", "requested_at", "payload", "subject") &&
		signs(n, envelopeSigns) >= enough && !n.Has("task_id", "outcome") {
		return formEnvelope
	}
	return ""
}

func hostForm(n *document.Node) form {
	const enough = 4
	if n.Has("protocol_version", "evidence") && signs(n, hostSigns) >= enough && !n.Has("agent_id") {
		return formHost
	}
	return ""
}

// descriptorForm accepts a descriptor that lacks one of the required members, or two if it has
// others of the form. Manifests of CAP have capability_id in place of id.
func descriptorForm(n *document.Node) form {
	const enough = 3
	if n.Has("capability_id") || !n.Has(descriptorMarks...) {
		return ""
	}
	count := signs(n, descriptorSigns)
	if count > enough || count == enough && n.Has(descriptorMore...) {
		return formDescriptor
	}
	return ""
}

// formContext is never a document by itself.
const formContext form = "CorrelationContext"
