// Package caphost is the reference's CAP side: a capability source whose
// behaviours are fields, so that a mutant or a variant replaces one of them and
// leaves the rest sound.
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
	// List, Describe and Invoke are the operations; nil is not provided.
	List, Describe, Invoke rpc.Operation

	// Catalogue gives the capabilities that list tells of, in order.
	Catalogue func() []*Capability
	// Publish gives the manifest of a capability as the operation (OpList, OpDescribe) tells it.
	Publish func(operation string, c *Capability) any
	// Listing makes the result of list from the manifests.
	Listing func(manifests []any) any
	// Absent answers a describe of an unknown pair.
	Absent func(ref Ref) (any, error)
	// Resolve finds a capability for an operation (OpDescribe, OpInvoke), nil if the pair is unknown.
	Resolve func(operation string, ref Ref) *Capability
	// Perform carries an invoke from validation to the checked output.
	Perform func(ctx context.Context, c *Capability, input any) Outcome
	// Validate says what is wrong with an input.
	Validate func(c *Capability, input any) error
	// Authorize says which permission the caller lacks.
	Authorize func(c *Capability) error
	// Execute runs the handler under the capability's deadline.
	Execute func(ctx context.Context, c *Capability, input any) (any, error)
	// Check says what is wrong with an output.
	Check func(c *Capability, output any) error
	// Result makes the InvokeResult. The capability is nil for an unknown pair.
	Result func(c *Capability, outcome Outcome) any
	// Adopt gives the manifest and the handler of what an attached source offers.
	Adopt func(offer Offer) (manifest map[string]any, run Handler)
	// Restart does what the end and a new start of the process would: what was attached
	// is forgotten, the rest is built in.
	Restart func()
	// Now is the clock of duration_ms.
	Now func() time.Time

	executions atomic.Int64
	exchanging sync.Mutex  // one exchange at a time
	reserve    *Capability // what the next exchange registers
	attaching  sync.Mutex  // guards the next two
	attached   []Ref       // by conformance.attach
	session    *mcp.ClientSession
	mutex      sync.RWMutex
	ordered    []*Capability
	byRef      map[Ref]*Capability
}

// New makes a sound host with the given capabilities, in this order.
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

// Operations is the table of what the host provides.
func (h *Host) Operations() map[string]rpc.Operation {
	return rpc.Provided(map[string]rpc.Operation{OpList: h.List, OpDescribe: h.Describe, OpInvoke: h.Invoke})
}

// Capabilities gives the registered capabilities in order.
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

// Replace registers a capability in the place of a pair. It does nothing if
// the pair is not registered.
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

// Remove takes a pair out. It does nothing if the pair is not registered.
func (h *Host) Remove(ref Ref) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	delete(h.byRef, ref)
	h.ordered = slices.DeleteFunc(slices.Clone(h.ordered), func(c *Capability) bool { return c.Ref == ref })
}

// Executions counts the handlers run so far, instruments left out.
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
