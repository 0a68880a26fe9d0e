package caphost

import (
	"context"
)

// Attach is the id of the instrument that attaches an MCP server or a folder of skills.
// It takes {"mcp": URL} or {"skills": FOLDER}; {} detaches what was attached.
const Attach = "conformance.attach"

func attach(ctx context.Context, host *Host, input map[string]any) (any, error) {
	host.attachMutex.Lock()
	defer host.attachMutex.Unlock()
	host.detachLocked()
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
		host.detachLocked()
		return nil, err
	}
	return map[string]any{"attached": refs}, nil
}

// detach removes what was attached.
func (h *Host) detach() {
	h.attachMutex.Lock()
	defer h.attachMutex.Unlock()
	h.detachLocked()
}

// detachLocked does the same as detach; the caller holds the lock.
func (h *Host) detachLocked() {
	for _, ref := range h.attached {
		h.Remove(ref)
	}
	h.attached = nil
	if h.session != nil {
		_ = h.session.Close() // the server may have ended
		h.session = nil
	}
}
