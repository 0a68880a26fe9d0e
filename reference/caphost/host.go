// Package caphost is the CAP part of the reference: a capability source whose
// behaviours are fields, so that a mutant or a variant can replace one of them and
// leave the others correct.
package caphost

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/capconform/capconform/reference/rpc"
)

// Host is a capability source. The behaviours are set before the first call
// and not changed afterwards; the operations are then safe for concurrent use.
type Host struct {
	// List, Describe and Invoke are the operations. If one is nil, the host does not provide it.
	List, Describe, Invoke rpc.Operation

	// Catalogue returns the capabilities that list returns, in order.
	Catalogue func() []*Capability
	// Publish returns the manifest of a capability for an operation (OpList, OpDescribe).
	Publish func(operation string, c *Capability) any
	// Listing makes the result of list from the manifests.
	Listing func(manifests []any) any
	// Absent answers the describe of an unknown pair.
	Absent func(ref Ref) (any, error)
	// Resolve finds a capability for an operation (OpDescribe, OpInvoke), nil if the pair is unknown.
	Resolve func(operation string, ref Ref) *Capability
	// Perform performs an invoke, from validation to the checked output.
	Perform func(ctx context.Context, c *Capability, input any) Outcome
	// Validate returns an error if an input is invalid.
	Validate func(c *Capability, input any) error
	// Authorize returns an error if the caller lacks a permission.
	Authorize func(c *Capability) error
	// Execute runs the handler within the deadline of the capability.
	Execute func(ctx context.Context, c *Capability, input any) (any, error)
	// Check returns an error if an output is invalid.
	Check func(c *Capability, output any) error
	// Result makes the InvokeResult. The capability is nil for an unknown pair.
	Result func(c *Capability, outcome Outcome) any
	// Adopt returns the manifest and the handler for an offer of an attached source.
	Adopt func(offer Offer) (manifest map[string]any, run Handler)
	// Restart has the effect of ending and starting the process again: the host loses what was
	// attached and keeps the rest, which is built in.
	Restart func()
	// Now is the clock of duration_ms.
	Now func() time.Time

	executions    atomic.Int64
	exchangeMutex sync.Mutex  // one exchange at a time
	reserve       *Capability // the capability that the next exchange registers
	attachMutex   sync.Mutex  // guards the next two
	attached      []Ref       // by conformance.attach
	session       *mcp.ClientSession
	mutex         sync.RWMutex
	ordered       []*Capability
	byRef         map[Ref]*Capability
}

// Capabilities returns the registered capabilities in order.
func (h *Host) Capabilities() []*Capability {
	h.mutex.RLock()
	defer h.mutex.RUnlock()
	return slices.Clone(h.ordered)
}

// Lookup finds a registered pair, nil if there is none.
func (h *Host) Lookup(ref Ref) *Capability {
	h.mutex.RLock()
	defer h.mutex.RUnlock()
	return h.byRef[ref]
}

// Add registers a capability after the others.
func (h *Host) Add(c *Capability) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.ordered = append(h.ordered, c)
	h.byRef[c.Ref] = c
}

// Replace registers a capability in place of a pair. It does nothing if the pair is
// not registered.
func (h *Host) Replace(old Ref, c *Capability) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	at := slices.IndexFunc(h.ordered, func(known *Capability) bool { return known.Ref == old })
	if at < 0 {
		return
	}
	delete(h.byRef, old)
	h.byRef[c.Ref] = c
	h.ordered = slices.Clone(h.ordered)
	h.ordered[at] = c
}

// Remove removes a pair. It does nothing if the pair is not registered.
func (h *Host) Remove(ref Ref) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	delete(h.byRef, ref)
	h.ordered = slices.DeleteFunc(slices.Clone(h.ordered), func(c *Capability) bool { return c.Ref == ref })
}

// Remember makes an operation find each pair that is registered now, even after it was replaced.
func (h *Host) Remember(operation string) {
	known, original := map[Ref]*Capability{}, h.Resolve
	for _, c := range h.Capabilities() {
		known[c.Ref] = c
	}
	h.Resolve = func(asked string, ref Ref) *Capability {
		if c := original(asked, ref); c != nil || asked != operation {
			return c
		}
		return known[ref]
	}
}

// Executions returns the number of handlers executed so far, without instruments.
func (h *Host) Executions() int64 { return h.executions.Load() }
