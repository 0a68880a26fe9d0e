package acphost

import (
	"context"

	"github.com/capconform/capconform/reference/rpc"
)

// configure implements acp.configure. If the addresses differ from those in the store, it deletes
// everything that depends on the old ones. Objects are kept.
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
	changed, err := h.Store.ApplySettings(known)
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

// remount reads the packages in the store. They were verified when they were installed.
func (h *Host) remount() error {
	if h.packages != nil {
		return nil
	}
	var err error
	h.packages, err = h.Store.Packages(h.Parse)
	return err
}

// Operations returns the operations of the host.
func (h *Host) Operations() map[string]rpc.Operation { return h.Provided }

// Close closes all connections and the store. The host must not be used afterwards.
func (h *Host) Close() error {
	h.release()
	return h.Store.Close()
}

// Restart has the effect of a restart of the process: everything that is not in the store is lost.
func (h *Host) Restart() error {
	h.release()
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.conversations, h.packages, h.models, h.index = map[string]*Conversation{}, nil, nil, newIndex()
	h.configuration = Configuration{}
	return h.Reopen()
}
