package acdhost

import (
	"context"
	"errors"
)

// entryPoints contains the code of capabilities.
type entryPoints struct{ *Host }

// executors returns the six substrates (ACD 1.2).
func (h entryPoints) executors() map[string]Executor {
	answers := func(output object) Executor {
		return func(context.Context, *Call) (any, error) { return output, nil }
	}
	return map[string]Executor{
		"symbolic":         h.byEntryPoint,
		"llm":              h.byEntryPoint,
		"shell":            shell,
		"agent":            answers(object{"delegated": true}),
		"external_service": answers(object{"fetched": true}),
		"transport":        answers(object{"delivered": true}),
	}
}

// byEntryPoint runs the code that the descriptor names.
func (h entryPoints) byEntryPoint(ctx context.Context, call *Call) (any, error) {
	run := h.Handlers[text(call.Entry, "execution.entrypoint")]
	if run == nil {
		return nil, errors.New("the entry point is unknown")
	}
	return run(ctx, call)
}

func (h entryPoints) handlers() map[string]Executor {
	return map[string]Executor{
		"echo":     func(_ context.Context, call *Call) (any, error) { return echo(call) },
		"fail":     func(context.Context, *Call) (any, error) { return nil, errors.New("it always fails") },
		"note":     func(context.Context, *Call) (any, error) { return object{"noted": true}, nil },
		"identify": func(context.Context, *Call) (any, error) { return object{"agent_id": h.AgentID, "name": h.Name}, nil },
		"send_umf": func(_ context.Context, call *Call) (any, error) { return object{"accepted": call.Input}, nil },
		"list": func(context.Context, *Call) (any, error) {
			return object{"capabilities": objects(h.Query(object{"enabled": true}))}, nil
		},
		"create":   h.createByInput,
		"subagent": h.createByInput,
		"enable":   h.enableByInput,
		"bind":     h.bindByInput,
		"hook":     h.hookByInput,
	}
}

// echo accepts the input that the schema of conformance.echo describes.
func echo(call *Call) (any, error) {
	message, given := call.Input["message"].(string)
	if !given || message == "" {
		return nil, errors.New("the input has no message")
	}
	output := object{"message": message, "repeat": 1}
	if repeat, result := call.Input["repeat"]; result {
		output["repeat"] = repeat
	}
	return output, nil
}

// createByInput implements capability.create.
func (h entryPoints) createByInput(ctx context.Context, call *Call) (any, error) {
	descriptor, _ := call.Input["descriptor"].(object)
	return h.Register(ctx, descriptor)
}

// enableByInput implements capability.enable.
func (h entryPoints) enableByInput(_ context.Context, call *Call) (any, error) {
	return h.edit(call, func(entry object) { Set(entry, "status.enabled", true) })
}

// bindByInput implements capability.bind: it adds a command alias to a capability.
func (h entryPoints) bindByInput(_ context.Context, call *Call) (any, error) {
	return h.edit(call, func(entry object) {
		aliases := append(texts(entry, "invocation.command_aliases"), text(call.Input, "command_alias"))
		Set(entry, "invocation.command_aliases", toAnys(aliases))
	})
}

// hookByInput implements cap.hook.create.
func (h entryPoints) hookByInput(_ context.Context, call *Call) (any, error) {
	kind := text(call.Input, "kind")
	return h.edit(call, func(entry object) {
		Set(entry, "lifecycle.hooks."+kind, toAnys(append(texts(entry, "lifecycle.hooks."+kind), text(call.Input, "hook"))))
	})
}

// edit changes the entry that the input names.
func (h entryPoints) edit(call *Call, change func(entry object)) (any, error) {
	entry := h.Find(text(call.Input, "capability_id"))
	if entry == nil {
		return nil, errors.New("no such capability is registered")
	}
	change(entry)
	return entry, h.change(entry)
}
