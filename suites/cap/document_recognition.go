package capsuite

import (
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/cap/judge"
	"github.com/capconform/capconform/suites/document"
)

// form is the intended form of a document. It is recognised by members and not by file names, and
// leniently: a document with a defect must be recognised, or its defect would never be found.
// Members that belong to documents of other protocols exclude a form.
type form string

// The forms, named as in the texts. HACP and AAP are not available; their shapes are known as far
// as they refer to capabilities.
const (
	formManifest    form = "CapabilityManifest"
	formCapability  form = "Capability"
	formReference   form = "CapabilityRef"
	formTask        form = "Task"
	formTaskSpec    form = "TaskSpec"
	formConstraints form = "Constraints"
	formAudit       form = "AuditEvent"
	formAgent       form = "Agent"
	formCard        form = "AgentCard"
	formQuery       form = "DiscoveryQuery"
	formDelegation  form = "DelegateRequest"
)

// layer is the layer that writes a form.
type layer string

const (
	layerSource layer = "source"
	layerHACP   layer = "HACP"
	layerAAP    layer = "AAP"
	layerUpper  layer = "upper" // a reference by itself: one of the two
)

func (f form) layer() layer {
	switch f {
	case formManifest, formCapability:
		return layerSource
	case formAgent, formCard, formQuery, formDelegation:
		return layerAAP
	case formReference:
		return layerUpper
	case formTask, formTaskSpec, formConstraints, formAudit:
		return layerHACP
	default:
		return ""
	}
}

// recognised is one object of a file whose form is known.
type recognised struct {
	file   string
	form   form
	node   *document.Node
	listed bool // an item of a list
}

// Recognises reports whether a file contains a document that CAP applies to.
func Recognises(file *document.File) bool {
	if file.Log != nil {
		return slices.ContainsFunc(file.Log.Samples, func(n *document.Node) bool { return len(recogniseLine(file, n)) > 0 })
	}
	return slices.ContainsFunc(file.Roots, func(root *document.Node) bool { return len(recognise(file.Path, root)) > 0 })
}

// recogniseLine finds the manifests in one line of JSON Lines. Other lines may belong to any log.
func recogniseLine(file *document.File, n *document.Node) []recognised {
	if !file.Log.Lines() || n == nil {
		return nil
	}
	return manifestsAmong(recognise(file.Path, n))
}

func manifestsAmong(all []recognised) []recognised {
	return slices.DeleteFunc(all, func(r recognised) bool { return r.form.layer() != layerSource })
}

// recognise finds the documents of one root: the root itself, the items of a list, or members with
// the name of a form, as the texts print them.
func recognise(file string, root *document.Node) []recognised {
	if root.Is(document.Array) {
		return recogniseList(file, root)
	}
	if !root.Is(document.Object) || root.Has("apiVersion") {
		return nil // apiVersion marks an object of Kubernetes, which has a kind Task too
	}
	var found []recognised
	for _, m := range root.Members {
		if f := form(m.Name); f.layer() != "" && m.Value.Is(document.Object) && (!common[f] || hasCapability(m.Value)) {
			found = append(found, recognised{file: file, form: f, node: m.Value})
		}
	}
	if len(found) > 0 {
		return found
	}
	if f := formOf(root); f != "" {
		return []recognised{{file: file, form: f, node: root}}
	}
	if list := root.Get("capabilities"); list.Is(document.Array) {
		return recogniseList(file, list)
	}
	if root.Has("query") { // a description with its query
		return manifestsAmong(recognise(file, root.Get("result")))
	}
	return nil
}

// common are forms whose names may also name other things, such as the settings of a program.
var common = map[form]bool{formTask: true, formAgent: true, formCapability: true, formConstraints: true}

func hasCapability(n *document.Node) bool {
	return formOf(n) != "" || n.Has("capability_id", "capabilities", "must_use_capabilities") ||
		n.Get("spec").Has("constraints")
}

// recogniseList treats an item of unknown form as a broken manifest if all items of known form are
// manifests.
func recogniseList(file string, list *document.Node) []recognised {
	var found []recognised
	var strays []*document.Node
	for _, item := range list.Items {
		if f := formOf(item); f != "" {
			found = append(found, recognised{file, f, item, true})
		} else {
			strays = append(strays, item)
		}
	}
	if len(found) > 0 && !slices.ContainsFunc(found, func(r recognised) bool { return r.form.layer() != layerSource }) {
		for _, stray := range strays {
			found = append(found, recognised{file, formManifest, stray, true})
		}
	}
	return found
}

// formOf returns the form of an object, "" if it has none of these forms.
func formOf(n *document.Node) form {
	for _, name := range []string{"type", "kind"} {
		switch f := form(n.Get(name).Str()); f {
		case formManifest, formReference, formTaskSpec, formCard, formQuery, formDelegation:
			return f
		}
	}
	for _, guess := range []func(*document.Node) form{sourceForm, agentForm, queryOrDelegationForm, taskForm, auditForm,
		referenceForm} {
		if f := guess(n); f != "" {
			return f
		}
	}
	return ""
}

// sourceForm distinguishes manifests from similar documents: descriptors of ACD
// have an execution and other kinds, envelopes and events of CHP an invocation,
// tools of model providers neither version nor kind.
func sourceForm(n *document.Node) form {
	kind := n.Get("kind").Str()
	ours := slices.Contains(capabilityKinds, strings.ToLower(kind))
	if n.Has("capability_id") {
		contract := n.Has("input_schema", "output_schema", "prompt_template", "required_permissions")
		foreign := n.Has("invocation_id", "correlation", "execution", "exposure", "invocation", "agent_id", "task_id")
		switch {
		case slices.Contains([]string{"atomic", "composite", "proxy", "template"}, kind) && foreign:
			return ""
		case n.Has("manifest"):
			return formCapability
		case contract, !foreign && n.Has("name", "description", "resources"):
			return formManifest
		case !foreign && n.Has("kind"):
			return formCapability
		}
		return ""
	}
	switch {
	case n.Get("manifest").Has("capability_id") && n.Has("version", "kind"):
		return formCapability
	case n.Has("input_schema") && (ours || n.Has("version") && n.Has("name") && n.Has("description") && !n.Has("id")):
		return formManifest
	case ours && n.Has("inputSchema"):
		return formManifest
	}
	return ""
}

// capabilityKinds are the two words that CAP prints.
var capabilityKinds = []string{"tool", "skill"}

// agentForm requires a list of capabilities and a sign of an agent: many other files list
// capabilities, for example those of CHP hosts.
func agentForm(n *document.Node) form {
	list := n.Get("capabilities")
	if !list.Is(document.Array) || n.Has("protocol_version", "evidence") {
		return ""
	}
	id := n.Get("id").Str()
	agent := n.Has("agent_id") || strings.HasPrefix(id, "agent_") || strings.HasPrefix(id, "agent:") ||
		slices.ContainsFunc([]string{"type", "kind"},
			func(name string) bool { return strings.EqualFold(n.Get(name).Str(), string(formAgent)) })
	card := n.Has("endpoint") && n.Has("protocol")
	refers := slices.ContainsFunc(list.Items, func(item *document.Node) bool {
		// Here a descriptor of ACD is contained, not referred to.
		return item.Has("capability_id") && sourceForm(item) == "" && !item.Has("execution", "exposure", "invocation")
	})
	switch {
	case n.Has("endpoint", "protocol") && (agent || card || refers):
		return formCard
	case agent, refers:
		return formAgent
	}
	return ""
}

// queryOrDelegationForm recognises a query or a delegation of AAP, which has one member capability.
func queryOrDelegationForm(n *document.Node) form {
	m := n.Member("capability")
	if m == nil || n.Has("provider") && n.Has("host") {
		return "" // a binding of CHP has all three
	}
	if n.Has("task_id", "delegator", "delegatee", "correlation_id", "input", "goal") {
		return formDelegation
	}
	bare := len(n.Members) == 1
	asks := n.Has("query", "limit", "filter", "filters", "tags", "status", "agent_type", "max_results", "min_trust")
	if bare || asks || m.Value.Has("capability_id") || transportOnly(m.Value) {
		return formQuery
	}
	return ""
}

// taskForm recognises tasks by the members that refer to capabilities, and by their goal.
func taskForm(n *document.Node) form {
	bounded := func(c *document.Node) bool {
		return c.Has("must_use_capabilities", "external_refs") || c.Has("max_duration") && len(c.Members) == 1
	}
	spec := n.Get("spec")
	switch {
	case n.Has("must_use_capabilities"):
		return formConstraints
	case spec.Has("goal", "must_use_capabilities"), bounded(spec.Get("constraints")),
		bounded(n.Get("constraints")) && !n.Has("goal"):
		return formTask
	case strings.HasPrefix(n.Get("id").Str(), "task_") && n.Has("ownership", "state", "audit_trail"):
		return formTask
	case n.Get("goal").Is(document.String) && n.Has("acceptance_criteria", "inputs", "constraints"):
		return formTaskSpec
	}
	return ""
}

var hacpAction = regexp.MustCompile(`^(task|checkpoint|ownership|review|artifact|ledger|audit)\.[a-z_.]+$`)

// auditForm recognises an event or an operation of HACP, and a list of them, by the names of the
// operations.
func auditForm(n *document.Node) form {
	for _, name := range []string{"action", "operation"} {
		word := n.Get(name).Str()
		if hacpAction.MatchString(word) || lowerOperations[word] && n.Has("actor", "task_id", "seq") && !n.Has("jsonrpc") {
			return formAudit
		}
	}
	for _, name := range []string{"events", "audit_trail", "operations"} {
		list := n.Get(name)
		if list.Is(document.Array) && slices.ContainsFunc(list.Items,
			func(item *document.Node) bool { return auditForm(item) != "" }) {
			return formAudit
		}
	}
	return ""
}

// referenceForm recognises a file that contains only a reference, and perhaps transport details.
func referenceForm(n *document.Node) form {
	if !n.Has("capability_id") || !n.Has("version") {
		return ""
	}
	for _, m := range n.Members {
		if m.Name != "capability_id" && m.Name != "version" && !judge.IsTransportName(m.Name) {
			return ""
		}
	}
	return formReference
}
