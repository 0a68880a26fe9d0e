package acphost

import (
	"context"

	"github.com/capconform/capconform/reference/rpc"
)

// configure takes the values of the harness. Where they differ from those that
// the store knows, what hangs on the old ones is forgotten; objects stay.
func (h *Host) configure(_ context.Context, params object) (any, error) {
	c, err := readConfiguration(params)
	if err != nil {
		return nil, err
	}
	h.release()
	known := rpc.Append(nil, map[string]any{"gateway": c.Gateway, "registry": c.Registry, "llm": c.LLM})
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.configuration, h.models, h.index = c, nil, newIndex()
	changed, err := h.Store.Settle(known)
	if err != nil {
		return nil, err
	}
	if changed {
		h.conversations, h.packages = map[string]*Conversation{}, nil
	} else if err := h.remount(); err != nil {
		return nil, err
	}
	return object{"supports": []any{"authors", "timeouts"}}, nil
}

// remount reads the packages of the store, which were verified when they came.
func (h *Host) remount() error {
	if h.packages != nil {
		return nil
	}
	var err error
	h.packages, err = h.Store.Packages(h.Read)
	return err
}

// Operations is the table of what the host provides.
func (h *Host) Operations() map[string]rpc.Operation { return h.Provided }

// Close ends every connection and the store. The host is of no use afterwards.
func (h *Host) Close() error {
	h.release()
	return h.Store.Close()
}

// Restart is what a process does that ends and starts again: everything that
// does not lie in the store is forgotten.
func (h *Host) Restart() error {
	h.release()
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.conversations, h.packages, h.models, h.index = map[string]*Conversation{}, nil, nil, newIndex()
	h.configuration = Configuration{}
	return h.Reopen()
}
