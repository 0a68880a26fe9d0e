package caphost

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/capconform/capconform/reference/rpc"
)

// The operations of CAP.
const (
	OpList     = "capability.list"
	OpDescribe = "capability.describe"
	OpInvoke   = "capability.invoke"
)

// New returns a conforming host with the given capabilities, in this order.
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
	outcome.Duration = h.Now().Sub(began)
	return h.Result(c, outcome), nil
}
