package chphost

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/capconform/capconform/reference/rpc"
)

// New returns a conforming host with the given capabilities, in this order, that
// stores its evidence in a store.
func New(capabilities []*Capability, store *Store) *Host {
	h := &Host{ordered: slices.Clone(capabilities), Store: store, Binding: newBinding()}
	h.Host, h.Discover, h.Invoke, h.Replay = h.host, h.discover, h.invoke, h.replay
	h.Catalogue = func(string) []*Capability { return h.Capabilities() }
	h.Publish = func(_ string, c *Capability) any { return c.Rendered() }
	h.Descriptor = descriptor
	h.Listing = func(capabilities []any) any { return map[string]any{"capabilities": capabilities} }
	h.Admit = admit
	h.Correlate = h.correlate
	h.Resolve = h.resolve
	h.Gates = gates()
	h.Perform = h.perform
	h.Execute = h.execute
	h.Evidence = func(_ *Invocation, event map[string]any) []map[string]any { return []map[string]any{event} }
	h.Result = h.result
	h.ReadQuery = readQuery
	h.Select = h.selects
	h.Show = show
	h.ReplayResult = h.replayResult
	h.OnRestart = func() {}
	h.Now = time.Now
	h.NewID = func(kind string) string { return kind + "-" + uuid.NewString() }
	return h
}

// Operations returns the operations that the host provides.
func (h *Host) Operations() map[string]rpc.Operation {
	return rpc.Provided(map[string]rpc.Operation{
		OpHost: h.Host, OpCapabilities: h.Discover, OpInvoke: h.Invoke, OpReplay: h.Replay,
	})
}

func (h *Host) published(operation string) []any {
	catalogue := h.Catalogue(operation)
	descriptors := make([]any, 0, len(catalogue))
	for _, c := range catalogue {
		descriptors = append(descriptors, h.Publish(operation, c))
	}
	return descriptors
}

func (h *Host) host(context.Context, map[string]any) (any, error) {
	return h.Descriptor(h.published(OpHost)), nil
}

func (h *Host) discover(context.Context, map[string]any) (any, error) {
	return h.Listing(h.published(OpCapabilities)), nil
}

func descriptor(capabilities []any) any {
	return map[string]any{
		"id": HostID, "version": HostVersion, "protocol_version": ProtocolVersion, "kind": "local",
		"capabilities": capabilities,
		"evidence":     map[string]any{"store": "memory", "append_only": true},
		"metadata":     map[string]any{},
	}
}
