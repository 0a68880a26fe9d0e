package acphost

import (
	"context"
	"errors"
	"fmt"

	"github.com/capconform/capconform/reference/rpc"
)

// rounds bounds how often a model is asked in one turn.
const rounds = 12

// run answers a message by a capability.
func (h *Host) run(ctx context.Context, c *Conversation, p *Package, text string) (string, error) {
	turn := &Turn{Package: p, Conversation: c, Text: text, Shown: map[string]string{}}
	request := h.request(ctx, turn)
	finished := false
	for range rounds {
		reply, err := h.complete(ctx, request)
		switch {
		case errors.Is(err, errPatience):
			return h.GiveUp(c, p), nil
		case err != nil:
			return "", err
		case len(reply.Calls) == 0:
			c.remember(p.Name, text, reply.Text)
			if finished {
				h.Leave(c, p)
			}
			return reply.Text, nil
		}
		messages, _ := request["messages"].([]any)
		messages = append(messages, reply.Message)
		for _, call := range reply.Calls {
			result, err := h.call(ctx, turn, call)
			if errors.Is(err, errPatience) {
				return h.GiveUp(c, p), nil
			}
			if err != nil {
				return "", err
			}
			finished = finished || h.Finished(result)
			messages = append(messages, object{"role": "tool", "tool_call_id": call.ID, "content": h.Say(result)})
		}
		request["messages"] = messages
	}
	if finished {
		h.Leave(c, p)
	}
	return p.title() + " came to no end.", nil
}

// errPatience says that a tool or the model took too long.
var errPatience = errors.New("acphost: no answer in time")

// ErrTurn is an error that ends a turn, where others are told to the model.
var ErrTurn = errors.New("acphost: the message can't be answered")

// patiently gives up on what takes too long, unless the caller gave up before.
func (h *Host) patiently(ctx context.Context, attempt func(ctx context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, h.Patience())
	defer cancel()
	err := attempt(limited)
	if limited.Err() != nil && ctx.Err() == nil && err != nil {
		return errPatience
	}
	return err
}

func (h *Host) complete(ctx context.Context, request object) (reply Reply, err error) {
	err = h.patiently(ctx, func(ctx context.Context) error {
		reply, err = h.Complete(ctx, request)
		return err
	})
	return reply, err
}

// call executes a tool call. Whatever is wrong with it is told to the model; the
// error is one of the turn.
func (h *Host) call(ctx context.Context, turn *Turn, call Call) (Result, error) {
	name, known := turn.Shown[call.Name]
	if !known {
		name = call.Name
	}
	value, err := rpc.Decode([]byte(call.Arguments))
	arguments := members(value)
	if err != nil || arguments == nil {
		return Result{Fault: "the arguments are no JSON object"}, nil
	}
	var result Result
	err = h.patiently(ctx, func(ctx context.Context) error {
		result, err = h.execute(ctx, turn, name, arguments)
		return err
	})
	switch {
	case errors.Is(err, errPatience), errors.Is(err, ErrTurn):
		return Result{}, err
	case ctx.Err() != nil:
		return Result{}, fmt.Errorf("acphost: %w", ctx.Err())
	case err != nil:
		return Result{Fault: plainly(err)}, nil
	}
	return result, nil
}

// execute is the resolution of a tool: the runtime's own, else by its binding.
func (h *Host) execute(ctx context.Context, turn *Turn, name string, arguments object) (Result, error) {
	p := turn.Package
	if h.BuiltIn(p, name) {
		verb := h.Verbs[name]
		if verb == nil {
			return Result{}, fmt.Errorf("acphost: the runtime has no %.64q", name)
		}
		if err := h.Permits(p, name); err != nil {
			return Result{}, err
		}
		value, err := verb(ctx, p, arguments)
		return Result{Value: value}, err
	}
	binding, bound := h.Bound(p, name)
	if !bound {
		return h.Unbound(p, name)
	}
	binder := h.Binders[binding.Type]
	if binder == nil {
		return h.Strange(binding)
	}
	return binder(ctx, binding, h.Arguments(arguments))
}

// say is JSON whatever the result is.
func say(r Result) string {
	switch {
	case r.Fault != "":
		return string(rpc.Append(nil, object{"error": object{"message": r.Fault}}))
	case r.Value == nil:
		return r.Text
	}
	return string(rpc.Append(nil, r.Value))
}

// plainly gives an error without the name of the package, for whoever is no programmer.
func plainly(err error) string {
	var refused *rpc.Error
	if errors.As(err, &refused) {
		return refused.Message
	}
	const prefix = "acphost: "
	text := err.Error()
	if len(text) > len(prefix) && text[:len(prefix)] == prefix {
		text = text[len(prefix):]
	}
	return text
}
