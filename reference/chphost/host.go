// Package chphost is the reference's CHP side: a capability host whose
// behaviours are fields, so that a mutant or a variant replaces one of them and
// leaves the rest sound.
package chphost

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/capconform/capconform/reference/rpc"
)

// The operations of CHP, as DESIGN section 9 names them.
const (
	OpHost         = "chp.host"
	OpCapabilities = "chp.capabilities"
	OpInvoke       = "chp.invoke"
	OpReplay       = "chp.replay"
)

// What the host says of itself.
const (
	HostID          = "capconform-reference"
	HostVersion     = "1.0.0"
	ProtocolVersion = "0.1"
)

// The kinds of ids that NewID makes.
const (
	EventID       = "evt"
	CorrelationID = "corr"
)

// Host is a capability host. The behaviours are set before the first call and
// not changed afterwards; the operations are then safe for concurrent use.
type Host struct {
	// Host, Discover, Invoke and Replay are the operations; nil is not provided.
	Host, Discover, Invoke, Replay rpc.Operation

	// Catalogue gives the capabilities that an operation (OpHost, OpCapabilities) tells of, in order.
	Catalogue func(operation string) []*Capability
	// Publish gives the descriptor of a capability as the operation tells it.
	Publish func(operation string, c *Capability) any
	// Descriptor makes the HostDescriptor from the descriptors.
	Descriptor func(capabilities []any) any
	// Listing makes the result of OpCapabilities from the descriptors.
	Listing func(capabilities []any) any

	// Admit reads an envelope. An error means that nothing was processed.
	Admit func(envelope map[string]any) (*Invocation, error)
	// Correlate makes the correlation of an invocation from what the caller gave; nil if it gave none.
	Correlate func(given map[string]any) map[string]any
	// Resolve finds the capability of an invocation, nil if it is unknown.
	Resolve func(inv *Invocation) *Capability
	// Gates are what an invocation passes before it is executed, in this order.
	Gates []Gate
	// Perform carries an invocation from the gates to its outcome, evidence included.
	Perform func(ctx context.Context, inv *Invocation) (Outcome, error)
	// Execute runs the handler.
	Execute func(ctx context.Context, inv *Invocation) (any, error)
	// Evidence says which events are recorded where one is due.
	Evidence func(inv *Invocation, event map[string]any) []map[string]any
	// Result makes the InvocationResult.
	Result func(inv *Invocation, outcome Outcome) any

	// Ask reads a ReplayQuery.
	Ask func(query map[string]any) (Query, error)
	// Select finds the records that a query asks for, and tells how many there
	// are without its limit.
	Select func(query Query) (selected []Record, total int)
	// Show gives an event as replay tells it.
	Show func(query Query, record Record) any
	// Replayed makes the ReplayResult.
	Replayed func(query Query, events []any, total int) any

	// Started is called when the host is started again. It keeps its evidence.
	Started func()

	// Now is the clock of every time that the host tells.
	Now func() time.Time
	// NewID makes an id that was never given before; kind is EventID or CorrelationID.
	NewID func(kind string) string
	// Store holds the evidence.
	Store *Store
	// Binding is the HTTP binding.
	Binding *Binding

	mutex   sync.RWMutex
	ordered []*Capability
}

// New makes a sound host with the given capabilities, in this order, that
// keeps its evidence in a store.
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
	h.Ask = ask
	h.Select = h.selects
	h.Show = show
	h.Replayed = h.replayed
	h.Started = func() {}
	h.Now = time.Now
	h.NewID = func(kind string) string { return kind + "-" + uuid.NewString() }
	return h
}

// Operations is the table of what the host provides.
func (h *Host) Operations() map[string]rpc.Operation {
	return rpc.Provided(map[string]rpc.Operation{
		OpHost: h.Host, OpCapabilities: h.Discover, OpInvoke: h.Invoke, OpReplay: h.Replay,
	})
}

// Capabilities gives the registered capabilities in order.
func (h *Host) Capabilities() []*Capability {
	h.mutex.RLock()
	defer h.mutex.RUnlock()
	return slices.Clone(h.ordered)
}

// Add registers a capability after the others.
func (h *Host) Add(c *Capability) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.ordered = append(h.ordered, c)
}

// Replace registers a capability in the place of another. It does nothing if
// the old one is not registered.
func (h *Host) Replace(old, c *Capability) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if at := slices.Index(h.ordered, old); at >= 0 {
		h.ordered[at] = c
	}
}

// Stamp gives a time as the host writes it: RFC 3339, in UTC.
func Stamp(at time.Time) string { return at.UTC().Format(time.RFC3339Nano) }

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
