package acdhost

import (
	"context"
	"slices"
	"strings"
)

// views shows the registry through channels, the manifest and the documentation.
type views struct{ *Host }

func channels() []Channel {
	return []Channel{
		{"cli", "cap.cli.adapter", []string{"direct", "command", "message", "ui_action"}, "prompt"},
		{"web", "cap.web.adapter", []string{"message", "ui_action"}, "button"},
		{"mcp", "cap.mcp.adapter", []string{"direct", "message"}, "tool"},
	}
}

// realizes reports whether a channel shows a capability. It excludes shells and capabilities
// that are not for people, and requires a mode that channel and capability share.
func realizes(c Channel, entry object) bool {
	if text(entry, "capability_id") == c.Adapter {
		return true
	}
	scope, only := text(entry, "exposure.scope"), texts(entry, "exposure.channels")
	shared := slices.ContainsFunc(texts(entry, "invocation.modes"),
		func(mode string) bool { return slices.Contains(c.Modes, mode) })
	switch {
	case entry == nil || !isEnabled(entry), substrateOf(entry) == "shell", !shared:
		return false
	case len(only) > 0 && !slices.Contains(only, c.ID):
		return false
	default:
		return scope == "human" || scope == "public" || scope == "channel" && len(only) > 0
	}
}

// Realized returns the ids of the capabilities that a channel shows.
func (h *Host) Realized(c Channel) []string {
	var ids []string
	for _, entry := range h.registered() {
		if h.Realizes(c, entry) {
			ids = append(ids, text(entry, "capability_id"))
		}
	}
	return ids
}

func (h views) declare(_ context.Context, params object) (any, error) {
	c, known := h.channel(text(params, "channel_id"))
	if !known {
		return nil, refuse("no such channel")
	}
	return object{"capabilities": toAnys(h.Realized(c)), "modes": toAnys(c.Modes)}, nil
}

func (h views) project(_ context.Context, params object) (any, error) {
	c, known := h.channel(text(params, "channel_id"))
	entry := h.Find(text(params, "capability_id"))
	if !known || !h.Realizes(c, entry) {
		return nil, refuse("the channel does not realize the capability")
	}
	return object{"capability_id": text(entry, "capability_id"), "rendering": h.Render(c, entry)}, nil
}

func render(c Channel, entry object) any {
	return object{"widget": c.Widget, "label": text(entry, "name")}
}

// manifest returns the index of the current registry.
func (h views) manifest(context.Context, object) (any, error) {
	var ids []string
	for _, entry := range h.registered() {
		if isVisible(entry) {
			ids = append(ids, text(entry, "capability_id"))
		}
	}
	var exposed []any
	for _, c := range h.Channels {
		exposed = append(exposed, object{"channel_id": c.ID, "capabilities": toAnys(h.Realized(c))})
	}
	return object{
		"agent_id": h.AgentID, "name": h.Name, "version": "0.1.0",
		"capabilities": object{"registry": "inline", "list": toAnys(ids)},
		"channels":     exposed,
		"policies": object{
			"capability_mutation": "restricted", "shell_access": "scoped",
			"llm_required_for": []any{"capability.create", "delegation"},
		},
	}, nil
}

// docs generates the documentation from the registry for each request.
func (h views) docs(context.Context, object) (any, error) {
	var page strings.Builder
	page.WriteString("# " + h.Name + "\n")
	for _, entry := range h.registered() {
		if isVisible(entry) {
			page.WriteString("\n## " + text(entry, "name") + " (`" + text(entry, "capability_id") + "`)\n\n" + text(entry,
				"description") + "\n")
		}
	}
	return object{"text": page.String()}, nil
}
