// Package caphost is the CAP part of the reference: a capability source whose
// behaviours are fields, so that a mutant or a variant can replace one of them and
// leave the others correct.
package caphost

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/capconform/capconform/reference/rpc"
)

// The operations of CAP.
const (
	OpList     = "capability.list"
	OpDescribe = "capability.describe"
	OpInvoke   = "capability.invoke"
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

	executions atomic.Int64
	exchanging sync.Mutex  // one exchange at a time
	reserve    *Capability // the capability that the next exchange registers
	attaching  sync.Mutex  // guards the next two
	attached   []Ref       // by conformance.attach
	session    *mcp.ClientSession
	mutex      sync.RWMutex
	ordered    []*Capability
	byRef      map[Ref]*Capability
}

// New makes a conforming host with the given capabilities, in this order.
func New(capabilities []*Capability) *Host {
	h := &Host{ordered: slices.Clone(capabilities), byRef: make(map[Ref]*Capability, len(capabilities)), Now: time.Now}
	for _, c := range capabilities {
		h.byRef[c.Ref] = c
	}
	h.List, h.Describe, h.Invoke = h.list, h.describe, h.invoke
	h.Catalogue = h.Capabilities
	h.Publish = func(_ string, c *Capability) any { return c.Rendered() }
	h.Listing = func(manifests []any) any { return manifests }
	h.Absent = func(ref Ref) (any, error) {
		return nil, rpc.Refuse(NotFound, fmt.Sprintf("no capability %q in version %q", ref.ID, ref.Version))
	}
	h.Resolve = func(_ string, ref Ref) *Capability { return h.Lookup(ref) }
	h.Perform = h.perform
	h.Validate = validate
	h.Restart = h.detach
	h.Adopt = adopt
	h.Authorize = authorize
	h.Execute = h.execute
	h.Check = check
	h.Result = func(_ *Capability, outcome Outcome) any { return outcome.JSON() }
	return h
}

// Operations returns the operations that the host provides.
func (h *Host) Operations() map[string]rpc.Operation {
	return rpc.Provided(map[string]rpc.Operation{OpList: h.List, OpDescribe: h.Describe, OpInvoke: h.Invoke})
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

// Executions returns the number of handlers executed so far, without instruments.
func (h *Host) Executions() int64 { return h.executions.Load() }

func (h *Host) list(context.Context, map[string]any) (any, error) {
	catalogue := h.Catalogue()
	manifests := make([]any, 0, len(catalogue))
	for _, c := range catalogue {
		manifests = append(manifests, h.Publish(OpList, c))
	}
	return h.Listing(manifests), nil
}

func (h *Host) describe(_ context.Context, params map[string]any) (any, error) {
	ref, isRef := ReadRef(params)
	if !isRef {
		return nil, &rpc.Error{Number: rpc.InvalidParams, Message: "capability_id and version must be strings"}
	}
	c := h.Resolve(OpDescribe, ref)
	if c == nil {
		return h.Absent(ref)
	}
	return h.Publish(OpDescribe, c), nil
}

func (h *Host) invoke(ctx context.Context, params map[string]any) (any, error) {
	members, _ := params["ref"].(map[string]any)
	ref, isRef := ReadRef(members)
	if !isRef {
		return nil, &rpc.Error{Number: rpc.InvalidParams, Message: "ref must have capability_id and version, both strings"}
	}
	began := h.Now()
	c := h.Resolve(OpInvoke, ref)
	var outcome Outcome
	if c == nil {
		outcome.Failure = &Failure{Code: NotFound, Message: fmt.Sprintf("no capability %q in version %q", ref.ID,
			ref.Version)}
	} else {
		outcome = h.Perform(ctx, c, params["input"])
	}
	outcome.Took = h.Now().Sub(began)
	return h.Result(c, outcome), nil
}

// ReadRef reads a CapabilityRef. Further members are ignored.
func ReadRef(members map[string]any) (Ref, bool) {
	id, hasID := members["capability_id"].(string)
	version, hasVersion := members["version"].(string)
	return Ref{ID: id, Version: version}, hasID && hasVersion
}
