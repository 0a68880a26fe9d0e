package capsuite

import (
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/cap/judge"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/lint"
)

// permitted are members whose content is data, whatever its form: inputs and artifacts, evidence,
// permissions that name a mechanism, annotations.
var permitted = map[string]bool{
	"input": true, "inputs": true, "output": true, "outputs": true, "artifact": true, "artifacts": true, "payload": true,
	"context": true, "evidence": true, "references": true, "resources": true, "attachments": true, "before": true,
	"after":         true,
	"external_refs": true, "external_ref": true, "permissions": true, "required_permissions": true, "scopes": true,
	"metadata": true, "labels": true, "annotations": true, "extensions": true,
}

// agentAddress are the members that state how agents reach each other; the card of an agent may
// contain them.
var agentAddress = map[string]bool{"endpoint": true, "protocol": true, "url": true, "transport": true, "port": true,
	"headers": true}

var (
	localAddress = regexp.MustCompile(`(?i)^[a-z+]+://(localhost|127\.|0\.0\.0\.0|\[::1?\]|10\.|192\.168\.)`)
	servesTools  = regexp.MustCompile(`(?i)^tools/call$|[/.](mcp|sse|rpc|json-?rpc|tools)([/?]|$)|^(stdio|sse|mcp(\+[a-z]+)?)://`)
)

// lowerOperations are the calls that HACP leaves to agents.
var lowerOperations = map[string]bool{history.OpInvoke: true, "tools/call": true}

// transportIDs are the requirements that forbid transport details in the documents of a layer.
var transportIDs = map[layer]string{layerHACP: idUpperTransport, layerUpper: idUpperTransport,
	layerAAP: idAgentTransport}

// judgeTransport judges CAP-REF-03 on documents of HACP and CAP-IL-02 on those of AAP: they
// contain no transport details.
func (r *reading) judgeTransport(d recognised) {
	if id := transportIDs[d.form.layer()]; id != "" {
		s := &transportScan{recognised: d, reading: r, id: id, claims: map[*document.Node]claim{},
			holders: map[*document.Node]bool{}}
		s.scan()
	}
}

// transportScan goes through one document.
type transportScan struct {
	recognised
	*reading
	id      string
	claims  map[*document.Node]claim
	holders map[*document.Node]bool // objects that have a capability as a member; false: a list of them
}

func (s *transportScan) scan() {
	for _, c := range claimsOf(s.recognised) {
		s.claims[c.value] = c
		if c.holder != nil {
			s.holders[c.holder] = s.holders[c.holder] || !c.inList
		}
	}
	s.walk(s.node)
}

func (s *transportScan) walk(n *document.Node) {
	if c, ok := s.claims[n]; ok {
		s.capability(c)
		return
	}
	for _, item := range n.Items {
		s.walk(item)
	}
	for _, m := range n.Members {
		name := judge.SnakeCase(m.Name)
		own := n == s.node && (s.form == formCard || s.form == formAgent) && agentAddress[name]
		switch found := judge.TransportDetail(name, m.Value.Value()); {
		case permitted[name], own, m.Value.Absent(), lowerOperations[m.Value.Str()]:
		case found == judge.Specific, found == judge.General && s.isAddressOf(n, m.Value.Str()):
			s.Breach(s.id, s.file, lint.NameOf(&m), "%s states how a capability is reached; only the source knows that",
				jsonvalue.Print(m.Name))
		default:
			s.walk(m.Value)
		}
	}
}

// isAddressOf reports whether a member with a general name, such as url, states how a capability is
// reached. Beside a single capability it does. Beside a list of capabilities it may belong to
// anything else, such as a ticket, unless its value is a place where tools are served.
func (s *transportScan) isAddressOf(holder *document.Node, value string) bool {
	single, holds := s.holders[holder]
	return single || holds && servesTools.MatchString(value)
}

// capability judges a value at a place that names a capability. CAP-REF-02 judges a string there.
func (s *transportScan) capability(c claim) {
	if c.external() || !c.value.Is(document.Object) {
		return
	}
	for _, m := range c.value.Members {
		reference := slices.Contains(refMembers, m.Name)
		text := strings.TrimSpace(m.Value.Str())
		switch {
		case m.Value.Absent():
		case !reference && judge.TransportDetail(m.Name, m.Value.Value()) != 0:
			s.Breach(s.id, s.file, lint.NameOf(&m), "%s: %s states how a capability is reached; write %s", c.path,
				jsonvalue.Print(m.Name), suggestedRef(""))
		case c.complete() && !reference: // custom members may have any name
		case judge.IsURL(text), judge.IsAbsolutePath(text), text == "tools/call":
			s.Breach(s.id, s.file, m.Value, "%s: %s is the address of a capability and not its %s", c.path,
				jsonvalue.Print(text), m.Name)
		}
	}
}

// judgeCalls judges CAP-IL-03: an operation or an audit trail contains no call of a tool. A text
// that mentions a call is not a call.
func (r *reading) judgeCalls(d recognised) {
	if d.form.layer() != layerHACP {
		return
	}
	var walk func(name string, n *document.Node)
	walk = func(name string, n *document.Node) {
		if n.Is(document.String) && operationKeys[name] && lowerOperations[n.Text] {
			r.Breach(idCall, d.file, n, "%s is called here; HACP declares the capability and leaves the call to the agent",
				jsonvalue.Print(n.Text))
		}
		for _, item := range n.Items {
			walk(name, item)
		}
		for _, m := range n.Members {
			if below := judge.SnakeCase(m.Name); !permitted[below] && below != "must_use_capabilities" {
				walk(below, m.Value)
			}
		}
	}
	walk("", d.node)
}

// operationKeys are the members that name an operation, in lower case.
var operationKeys = map[string]bool{
	"action": true, "actions": true, "operation": true, "operations": true, "op": true, "ops": true,
	"method": true, "call": true, "calls": true, "steps": true, "step": true, "audit_trail": true, "events": true,
	"via": true,
}

// judgeShown judges CAP-MCP-03 for files: the texts of a manifest and of its schemas. Resources
// and permissions concern what the capability works on. A custom member of a file may be the
// internal configuration of a host.
func (r *reading) judgeShown(m manifestDocument) {
	for _, member := range []string{history.MemberID, history.MemberVersion, history.MemberName,
		history.MemberDescription,
		history.MemberPrompt} {
		value := m.node.Get(member)
		if what := transportShown(value.Str(), member == history.MemberID || member == history.MemberVersion); what != "" {
			r.Breach(idShown, m.file, value, "%s shows how its source is reached: %s", member, jsonvalue.Print(what))
		}
	}
	for _, member := range m.node.Members {
		if member.Name != history.MemberInput && member.Name != history.MemberOutput {
			continue
		}
		if found := judge.SchemaLeak(member.Value.Value()); found != "" {
			r.Breach(idShown, m.file, lint.NameOf(&member), "%s shows how its source is reached: %s", member.Name,
				jsonvalue.Print(found))
		}
	}
}

// transportShown returns the part of a text that only describes a transport. An id may be a URI if
// it is not an address of this machine or of a process; a description may mention commands and
// pages that the capability is about.
func transportShown(text string, identity bool) string {
	if found := judge.Leak(text, nil); found != "" {
		return found
	}
	web := strings.HasPrefix(strings.ToLower(text), "http")
	if identity && (localAddress.MatchString(text) || judge.IsURL(text) && !web) {
		return text
	}
	return judge.Command(text)
}
