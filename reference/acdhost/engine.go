package acdhost

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
)

// engine runs capabilities.
type engine struct{ *Host }

// The names of the gates.
const (
	GateKnown      = "known"
	GateEnabled    = "enabled"
	GateMode       = "mode"
	GatePermission = "permission"
	GateChannel    = "channel"
)

func gates() []Gate {
	return []Gate{
		{GateKnown, func(_ *Host, call *Call) error {
			if call.Entry == nil {
				return refuse("no such capability is registered")
			}
			return nil
		}},
		{GateEnabled, func(_ *Host, call *Call) error {
			if !isEnabled(call.Entry) {
				return refuse("the capability is disabled")
			}
			return nil
		}},
		{GateMode, func(_ *Host, call *Call) error {
			if !slices.Contains(texts(call.Entry, "invocation.modes"), call.Mode) {
				return refuse("the capability cannot be invoked in this mode")
			}
			return nil
		}},
		{GatePermission, func(_ *Host, call *Call) error {
			if Flag(call.Entry, "permissions.granted_by_default", false) {
				return nil
			}
			for _, needed := range texts(call.Entry, "permissions.required") {
				if !slices.Contains(call.Permissions, needed) {
					return refuse("the caller lacks a permission")
				}
			}
			return nil
		}},
		{GateChannel, func(h *Host, call *Call) error {
			if call.Channel == "" {
				return nil
			}
			c, known := h.channel(call.Channel)
			switch {
			case !known || !h.Realizes(c, call.Entry):
				return refuse("the channel does not expose the capability")
			case !slices.Contains(c.Modes, call.Mode):
				return refuse("the channel does not support this mode")
			default:
				return nil
			}
		}},
	}
}

func readCall(params object) *Call {
	call := &Call{ID: text(params, "capability_id"), Mode: text(params, "mode"), Channel: text(params, "channel"),
		Principal: text(params, "principal.id")}
	call.Permissions = texts(params, "principal.permissions")
	call.Input, _ = params["input"].(object)
	if call.Input == nil {
		call.Input = object{}
	}
	return call
}

func (h engine) invoke(ctx context.Context, params object) (any, error) {
	call := readCall(params)
	call.Entry = h.Find(call.ID)
	for _, gate := range h.Gates {
		if err := gate.Check(h.Host, call); err != nil {
			return nil, err
		}
	}
	output, err := h.RunWithHooks(ctx, call, func(ctx context.Context) (any, error) { return h.Run(ctx, call) })
	if entry := h.Record(call.Entry, call, output); entry != nil {
		h.mutex.Lock()
		h.records = append(h.records, entry)
		h.mutex.Unlock()
	}
	if err != nil {
		return nil, refuse("the capability failed: " + err.Error())
	}
	return object{"output": output}, nil
}

// Run runs a capability on its substrate, without gates, hooks or audit.
func (h *Host) Run(ctx context.Context, call *Call) (any, error) {
	substrate := h.Route(call.Entry)
	executor := h.Executors[substrate]
	if executor == nil {
		return nil, errors.New("no such substrate")
	}
	h.LogExecution(call.ID, substrate)
	return executor(ctx, call)
}

// LogExecution logs an execution.
func (h *Host) LogExecution(id, substrate string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.executions = append(h.executions, object{"capability_id": id, "substrate": substrate})
}

// Hook runs a capability as a hook of a call, if the caller may run it. Its result is
// ignored.
func (h *Host) Hook(ctx context.Context, id string, of *Call) {
	hook := &Call{ID: id, Mode: "event", Principal: of.Principal, Permissions: of.Permissions, Input: of.Input,
		Entry: h.Find(id)}
	for _, gate := range gates() {
		guards := gate.Name == GateKnown || gate.Name == GateEnabled || gate.Name == GatePermission
		if guards && gate.Check(h, hook) != nil {
			return
		}
	}
	// A hook that fails does not affect the call: the text requires no other effect.
	_, _ = h.Run(ctx, hook)
}

// runWithHooks runs the hooks of pre_invoke, the capability, and the hooks of post_invoke or
// on_error.
func (h engine) runWithHooks(ctx context.Context, call *Call, run func(context.Context) (any, error)) (any, error) {
	h.Hooks(ctx, call, "pre_invoke")
	output, err := run(ctx)
	if err != nil {
		h.Hooks(ctx, call, "on_error")
		return nil, err
	}
	h.Hooks(ctx, call, "post_invoke")
	return output, nil
}

// Hooks runs the hooks of one kind, in order.
func (h *Host) Hooks(ctx context.Context, call *Call, kind string) {
	for _, id := range texts(call.Entry, "lifecycle.hooks."+kind) {
		h.Hook(ctx, id, call)
	}
}

// record returns a record with the members that the descriptor requires.
func record(entry object, call *Call, output any) object {
	if !Flag(entry, "audit.log_invocation", true) {
		return nil
	}
	kept := object{"capability_id": call.ID, "mode": call.Mode, "principal": call.Principal}
	if Flag(entry, "audit.log_inputs", false) {
		kept["input"] = cloneValue(call.Input)
	}
	if Flag(entry, "audit.log_outputs", false) {
		kept["output"] = cloneValue(output)
	}
	return kept
}

func (h engine) audit(context.Context, object) (any, error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return object{"records": objects(slices.Clone(h.records))}, nil
}

func (h engine) execLog(context.Context, object) (any, error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return object{"entries": objects(slices.Clone(h.executions))}, nil
}

func (h engine) modelCalls(context.Context, object) (any, error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return object{"calls": h.calls}, nil
}

func encoded(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(raw)
}
