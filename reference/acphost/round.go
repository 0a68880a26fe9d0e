package acphost

import (
	"context"
	"errors"
	"fmt"

	"github.com/capconform/capconform/reference/rpc"
)

// turns answers messages with capabilities.
type turns struct{ prompter }

// maxRounds limits the number of requests to the model in a turn.
const maxRounds = 12

// run answers a message with a capability.
func (h turns) run(ctx context.Context, c *Conversation, p *Package, text string) (string, error) {
	turn := &Turn{Package: p, Conversation: c, Text: text, ToolNames: map[string]string{}}
	request := h.request(ctx, turn)
	finished := false
	for range maxRounds {
		reply, err := h.complete(ctx, request)
		switch {
		case errors.Is(err, errTimeout):
			return h.GiveUp(c, p), nil
		case err != nil:
			return "", err
		case len(reply.Calls) == 0:
			c.addMessages(p.Name, text, reply.Text)
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
			messages = append(messages, object{"role": "tool", "tool_call_id": call.ID, "content": h.FormatResult(result)})
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
	name, known := turn.ToolNames[call.Name]
	if !known {
		name = call.Name
	}
	value, err := rpc.Decode([]byte(call.Arguments))
	arguments := objectOf(value)
	if err != nil || arguments == nil {
		return Result{Fault: "the arguments are not a JSON object"}, nil
	}
	var result Result
	err = h.withTimeout(ctx, func(ctx context.Context) error {
		result, err = h.execute(ctx, turn, name, arguments)
		return err
	})
	switch {
	case errors.Is(err, errTimeout), errors.Is(err, ErrTurn):
		return Result{}, err
	case ctx.Err() != nil:
		return Result{}, fmt.Errorf("acphost: %w", ctx.Err())
	case err != nil:
		return Result{Fault: messageOf(err)}, nil
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
		if err := h.CheckPermission(p, name); err != nil {
			return Result{}, err
		}
		value, err := verb(ctx, p, arguments)
		return Result{Value: value}, err
	}
	binding, bound := h.BindingOf(p, name)
	if !bound {
		return h.RunUnbound(p, name)
	}
	binder := h.Binders[binding.Type]
	if binder == nil {
		return h.RunUnknownType(binding)
	}
	return binder(ctx, binding, h.Arguments(arguments))
}

// Turn is one message that a capability answers.
type Turn struct {
	Package      *Package
	Conversation *Conversation
	Text         string
	// ToolNames maps the names of tools as the model receives them to their names in the package.
	ToolNames map[string]string
}

// Result is the result of a tool call: a JSON value, a text, or a fault.
type Result struct {
	Value any
	Text  string // if the value is not JSON
	Fault string
	// InText reports whether a service returned the value as text instead of structured content.
	InText bool
	// Done reports whether the tool reported that the capability is done.
	Done bool
}
