package acdsuite

import (
	"regexp"
	"strings"

	"github.com/capconform/capconform/suites/acd/judge"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// schemaMembers are the members of a descriptor that contain a JSON Schema.
var schemaMembers = map[string]string{"inputs": idInputs, "outputs": idOutputs}

// judgeDescriptor judges one descriptor by itself.
func (r *fileReading) judgeDescriptor(e entry) {
	r.AddKind(kindDescriptors)
	r.judgeShape(r.shapes.descriptor, idClosed, e)
	for member, id := range schemaMembers {
		if schema := e.node.Get(member, "schema"); schema.Is(document.Object) || schema.Is(document.Boolean) {
			// A string is a reference.
			r.Schema(id, e.file, member+".schema is", schema)
		}
	}
	for _, m := range e.node.Members {
		if judge.OldType(m.Name, m.Value.Value()) {
			r.Breach(idBranching, e.file, m.Value,
				"%s brings back the old types; kind, execution, invocation and exposure tell them apart", jsonvalue.Print(m.Name))
		}
	}
	switch e.node.Get("execution", "substrate").Str() {
	case substrateShell:
		r.AddKind(kindShells)
		r.judgeShell(e)
	case substrateTransport:
		r.AddKind(kindAdapters)
		if modes := e.node.Get("invocation", "modes"); modes.Is(document.Array) && len(modes.Items) == 0 {
			r.Breach(idModes, e.file, modes, "the channel adapter declares no mode")
		}
	}
	if e.node.Get("delegation", "creates_subagent").Value() == true &&
		e.node.Get("delegation", "allowed").Value() == false {
		r.Breach(idDelegation, e.file, e.node.Get("delegation", "creates_subagent"),
			"it creates sub-agents, but must not be delegated")
	}
	r.judgeForms(e)
}

// judgeShell judges whether a shell is exposed to channels or to people (FR-SDK-4).
func (r *fileReading) judgeShell(e entry) {
	scope := e.node.Get("exposure", "scope")
	switch scope.Str() {
	case "channel":
		r.Breach(idShellChannels, e.file, scope, "a shell capability is exposed to channels")
	case "human", "public":
		r.Breach(idShellHumans, e.file, scope, "a shell capability is exposed to the scope %s", scope.Str())
	}
	if channels := e.node.Get("exposure", "channels"); channels.Is(document.Array) && len(channels.Items) > 0 {
		r.Breach(idShellChannels, e.file, channels, "a shell capability names channels that expose it")
	}
}

// The forms that are usual but not required.
var (
	usualID = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.:-]*$`)
	semver  = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)
)

func (r *fileReading) judgeForms(e entry) {
	if e.id != "" && !usualID.MatchString(e.id) {
		r.Breach(idForms, e.file, e.node.Get("capability_id"),
			"%s is not a usual id: a letter, then letters, digits and _ . : -", jsonvalue.Print(e.id))
	}
	if version := e.node.Get("version"); version.Str() != "" && !semver.MatchString(version.Str()) {
		r.Breach(idForms, e.file, version, "%s is not a semantic version", jsonvalue.Print(version.Str()))
	}
	if modes := e.node.Get("invocation", "modes"); modes.Is(document.Array) && len(modes.Items) == 0 {
		r.Breach(idForms, e.file, modes, "without a mode, it cannot be invoked")
	}
	properties := e.node.Get("inputs", "schema", "properties")
	if required := e.node.Get("inputs", "required"); properties.Is(document.Object) && required.Is(document.Array) {
		for _, item := range required.Items {
			if item.Str() != "" && properties.Member(item.Str()) == nil {
				r.Breach(idForms, e.file, item, "the schema of the inputs has no property %s", jsonvalue.Print(item.Str()))
			}
		}
	}
}

// isTemplate reports whether a value is printed in the text as a choice, with bars.
func isTemplate(n *document.Node) bool { return strings.Contains(n.Str(), " | ") }

// lastName returns the last name of a path.
func lastName(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }
