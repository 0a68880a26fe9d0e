package acphost

import (
	"context"
	"errors"
)

// Confined is the type of a binding whose tool runs in the sandbox of the runtime. The
// tool requests the address among its arguments and tells what came of it.
const Confined = "conformance.confined"

var errNoNetwork = errors.New("acphost: the sandbox has no network")

// confined runs the tool. What the sandbox refuses is a result of the tool.
func (h *Host) confined(ctx context.Context, _ Binding, arguments object) (Result, error) {
	told := object{"topic": arguments["topic"]}
	if address := word(arguments["address"]); address != "" {
		told["reached"] = h.Reach(ctx, address) == nil
	}
	return Result{Value: told}, nil
}

// Request requests an address, whoever asks for it.
func (h *Host) Request(ctx context.Context, address string) error {
	_, _, err := h.get(ctx, address)
	return err
}
