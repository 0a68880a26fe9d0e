package acphost

import (
	"context"
	"errors"
	"fmt"

	"github.com/capconform/capconform/reference/rpc"
)

// turns answers messages with capabilities.
type turns struct{ prompter }

// rounds limits the number of requests to the model in a turn.
const rounds = 12

// run answers a message with a capability.
func (h turns) run(ctx context.Context, c *Conversation, p *Package, text string) (string, error) {
	turn := &Turn{Package: p, Conversation: c, Text: text, Shown: map[string]string{}}
	request := h.request(ctx, turn)
	finished := false
	for range rounds {
		reply, err := h.complete(ctx, request)
		switch {
		case errors.Is(err, errTimeout):
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
			if errors.Is(err, errTimeout) {
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
	return p.title() + " did not finish.", nil
}

// ErrTurn is an error that ends a turn. Other errors are reported to the model.
var ErrTurn = errors.New("acphost: the message cannot be answered")

// call executes a tool call. Most errors are part of the result, for the model. A returned error ends
// the turn.
func (h turns) call(ctx context.Context, turn *Turn, call Call) (Result, error) {
	name, known := turn.Shown[call.Name]
	if !known {
		name = call.Name
	}
	value, err := rpc.Decode([]byte(call.Arguments))
	arguments := members(value)
	if err != nil || arguments == nil {
		return Result{Fault: "the arguments are not a JSON object"}, nil
	}
	var result Result
	err = h.patiently(ctx, func(ctx context.Context) error {
		result, err = h.execute(ctx, turn, name, arguments)
		return err
	})
	switch {
	case errors.Is(err, errTimeout), errors.Is(err, ErrTurn):
		return Result{}, err
	case ctx.Err() != nil:
		return Result{}, fmt.Errorf("acphost: %w", ctx.Err())
	case err != nil:
		return Result{Fault: plainly(err)}, nil
	}
	return result, nil
}

// execute executes a tool: a built-in tool of the runtime, or a tool with a binding.
func (h turns) execute(ctx context.Context, turn *Turn, name string, arguments object) (Result, error) {
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
