package environment

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Package is the content of a capability package of the harness. The method YAML writes it.
type Package struct {
	ID           string         `json:"cap_uri"`
	Name         string         `json:"name"`
	Description  string         `json:"description"`
	Triggers     []Trigger      `json:"triggers,omitempty"`
	MemoryScope  string         `json:"memory_scope,omitempty"`     // omitted if empty
	Permissions  []string       `json:"permissions,omitempty"`      // metadata.permissions.require
	Requirements map[string]any `json:"llm_requirements,omitempty"` // metadata.llm_requirements; omitted if nil
	AuthorDID    string         `json:"author,omitempty"`           // metadata.author.did; omitted if empty
	Signature    string         `json:"signature,omitempty"`        // written as "" if empty, for the signer to replace
	Unsigned     bool           `json:"unsigned,omitempty"`         // the member signature is omitted
	Schema       string         `json:"schema,omitempty"`           // JSON, which may have several lines
	Prompt       string         `json:"prompt,omitempty"`           // omitted if empty
	Tools        []PackageTool  `json:"tools,omitempty"`            // omitted if empty
	Bindings     []Binding      `json:"bindings,omitempty"`         // omitted if empty
}

// Trigger is one entry of metadata.triggers.
type Trigger struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

// PackageTool is one tool in OpenAI's form.
type PackageTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"` // JSON, which is valid YAML
}

// Binding states how a tool is executed: one entry of tool_bindings.
type Binding struct {
	Tool string `json:"tool"`
	Type string `json:"type"`
	// url; target_did, service_method; service_uri, mcp_action; other types have other parameters
	Parameters map[string]string `json:"parameters"`
}

// YAML returns the package as an .acp.yaml file in the style of the examples of the text: two spaces per
// level, schema and prompt as literal blocks, a comment at the beginning and the end. The same package
// gives the same bytes.
func (p Package) YAML() []byte {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# ========= Agent Capability Package =========")
	line("metadata:")
	line("  id: %s", p.ID)
	line("  name: %s", asJSON(p.Name))
	line("  description: %s", asJSON(p.Description))
	if p.AuthorDID != "" {
		line("  author: {did: %s}", asJSON(p.AuthorDID))
	}
	if len(p.Triggers) > 0 {
		line("  triggers:")
	}
	for _, t := range p.Triggers {
		line("    - {type: %s, value: %s}", t.Type, asJSON(t.Value))
	}
	if p.MemoryScope != "" {
		line("  memory_scope: %s", p.MemoryScope)
	}
	line("  permissions:")
	line("    require: %s", asJSON(append([]string{}, p.Permissions...)))
	if p.Requirements != nil {
		line("  llm_requirements: %s", asJSON(p.Requirements))
	}
	if !p.Unsigned {
		line("  signature: %s", asJSON(p.Signature))
	}
	writeBlock(&b, "schema", p.Schema)
	writeBlock(&b, "prompt", p.Prompt)
	if len(p.Tools) > 0 {
		line("tools:")
	}
	for _, t := range p.Tools {
		line("  - type: function")
		line("    function:")
		line("      name: %s", asJSON(t.Name))
		line("      description: %s", asJSON(t.Description))
		line("      parameters: %s", asJSON(t.Parameters))
	}
	if len(p.Bindings) > 0 {
		line("tool_bindings:")
	}
	for _, bound := range p.Bindings {
		line("  %s:", asJSON(bound.Tool))
		line("    type: %s", asJSON(bound.Type))
		for _, name := range slices.Sorted(maps.Keys(bound.Parameters)) {
			line("    %s: %s", asJSON(name), asJSON(bound.Parameters[name]))
		}
	}
	line("# ========= End of ACP =========")
	return []byte(b.String())
}

// writeBlock writes a section as a YAML literal block.
func writeBlock(b *strings.Builder, name, text string) {
	if text == "" {
		return
	}
	fmt.Fprintf(b, "%s: |\n", name)
	for text := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		fmt.Fprintf(b, "  %s\n", text)
	}
}

// asJSON returns a value as JSON, which is valid YAML.
func asJSON(value any) string {
	raw, err := json.Marshal(value)
	if err != nil {
		return "null" // only if the value cannot be encoded as JSON
	}
	return string(raw)
}
