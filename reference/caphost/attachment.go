package caphost

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/capconform/capconform/reference/rpc"
)

// Attach is the id of the instrument that attaches an MCP server or a folder of skills.
// It takes {"mcp": URL} or {"skills": FOLDER}; {} detaches what was attached.
const Attach = "conformance.attach"

// Offer is one tool or one skill of an attached source.
type Offer struct {
	Kind         string // tool or skill
	Name         string
	Description  string
	Input        any // the inputSchema of a tool
	Output       any // its outputSchema, nil if it does not declare one
	Instructions string
	Resources    []any
	Permissions  []any
	Origin       string // where the source is
	Run          Handler
}

// adopt returns the manifest and the handler of the capability for an offer.
func adopt(o Offer) (manifest map[string]any, run Handler) {
	manifest = map[string]any{
		"capability_id": "attached." + o.Name, "version": "1.0.0", "kind": o.Kind, "name": o.Name,
		"description":  o.Description,
		"input_schema": o.Input, "output_schema": o.Output, "prompt_template": nil, "resources": nil,
		"required_permissions": nil,
	}
	if manifest["output_schema"] == nil {
		manifest["output_schema"] = map[string]any{"type": "object"}
	}
	if o.Kind == "skill" {
		manifest["prompt_template"], manifest["resources"] = o.Instructions, o.Resources
		manifest["required_permissions"] = o.Permissions
	}
	return manifest, o.Run
}

func attach(ctx context.Context, host *Host, input map[string]any) (any, error) {
	host.attaching.Lock()
	defer host.attaching.Unlock()
	host.forget()
	server, folder := text(input["mcp"], ""), text(input["skills"], "")
	var offers []Offer
	var err error
	switch {
	case server != "":
		offers, err = host.offersOfServer(ctx, server)
	case folder != "":
		offers, err = offersOfFolder(folder)
	}
	refs := make([]any, 0, len(offers))
	for _, o := range offers {
		var c *Capability
		if c, err = NewCapability(host.Adopt(o)); err != nil {
			break
		}
		host.Add(c)
		host.attached = append(host.attached, c.Ref)
		refs = append(refs, c.JSON())
	}
	if err != nil {
		host.forget()
		return nil, err
	}
	return map[string]any{"attached": refs}, nil
}

// detach removes what was attached.
func (h *Host) detach() {
	h.attaching.Lock()
	defer h.attaching.Unlock()
	h.forget()
}

// forget does the same as detach; the caller holds the lock.
func (h *Host) forget() {
	for _, ref := range h.attached {
		h.Remove(ref)
	}
	h.attached = nil
	if h.session != nil {
		_ = h.session.Close() // the server may be gone
		h.session = nil
	}
}

// resultOf returns the output of a call, or the error that the tool returned.
func resultOf(reply []byte) (any, error) {
	value, err := rpc.Decode(reply)
	if err != nil {
		return nil, fmt.Errorf("caphost: attached tool: %w", err)
	}
	result, _ := value.(map[string]any)
	if result["isError"] == true {
		return nil, errors.New(joinedText(result))
	}
	if structured, isObject := result["structuredContent"].(map[string]any); isObject {
		return structured, nil
	}
	return map[string]any{"content": result["content"]}, nil
}

// joinedText joins the texts of a result.
func joinedText(result map[string]any) string {
	blocks, _ := result["content"].([]any)
	var all []string
	for _, b := range blocks {
		block, _ := b.(map[string]any)
		all = append(all, text(block["text"], ""))
	}
	return strings.Join(all, "\n")
}
