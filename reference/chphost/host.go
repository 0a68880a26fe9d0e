// Package chphost is the CHP part of the reference: a capability host whose
// behaviours are fields, so that a mutant or a variant can replace one of them and
// keep the rest correct.
package chphost

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/capconform/capconform/reference/rpc"
)

// Host is a capability host. Its behaviours are set before the first call and
// do not change afterwards. The operations are then safe for concurrent use.
type Host struct {
	// Host, Discover, Invoke and Replay are the operations. A nil operation is not provided.
	Host, Discover, Invoke, Replay rpc.Operation

	// Catalogue returns the capabilities that an operation (OpHost, OpCapabilities) lists, in order.
	Catalogue func(operation string) []*Capability
	// Publish returns the descriptor of a capability as the operation shows it.
	Publish func(operation string, c *Capability) any
	// Descriptor returns the HostDescriptor with the descriptors.
	Descriptor func(capabilities []any) any
	// Listing returns the result of OpCapabilities with the descriptors.
	Listing func(capabilities []any) any

	// Admit reads an envelope. An error means that nothing was processed.
	Admit func(envelope map[string]any) (*Invocation, error)
	// Correlate returns the correlation of an invocation from the caller's, which is nil if there was none.
	Correlate func(given map[string]any) map[string]any
	// Resolve returns the capability of an invocation, or nil if it is unknown.
	Resolve func(inv *Invocation) *Capability
	// Gates are the checks before an invocation is executed, in this order.
	Gates []Gate
	// Perform takes an invocation through the gates to its outcome and records the evidence.
	Perform func(ctx context.Context, inv *Invocation) (Outcome, error)
	// Execute runs the handler.
	Execute func(ctx context.Context, inv *Invocation) (any, error)
	// Evidence returns the events to be recorded in place of an event.
	Evidence func(inv *Invocation, event map[string]any) []map[string]any
	// Result returns the InvocationResult.
	Result func(inv *Invocation, outcome Outcome) any

	// ReadQuery reads a ReplayQuery.
	ReadQuery func(query map[string]any) (Query, error)
	// Select returns the records that a query requests, and how many there
	// would be without its limit.
	Select func(query Query) (selected []Record, total int)
	// Show returns an event as a replay shows it.
	Show func(query Query, record Record) any
	// ReplayResult returns the ReplayResult.
	ReplayResult func(query Query, events []any, total int) any

	// OnRestart is called when the host restarts. The host keeps its evidence.
	OnRestart func()

	// Now is the clock for every time that the host writes.
	Now func() time.Time
	// NewID returns an id that was never used before; kind is EventID or CorrelationID.
	NewID func(kind string) string
	// Store contains the evidence.
	Store *Store
	// Binding is the HTTP binding.
	Binding *Binding

	mutex   sync.RWMutex
	ordered []*Capability
}

// Capabilities returns the registered capabilities in order.
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

// Replace registers a capability in place of another. It does nothing if
// the other one is not registered.
func (h *Host) Replace(old, c *Capability) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if at := slices.Index(h.ordered, old); at >= 0 {
		h.ordered[at] = c
	}
}
