package acpvariant

import (
	"context"
	"errors"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/variant"
)

// sandboxes returns runtimes that confine tools in other ways.
func sandboxes() []variant.Variant {
	return []variant.Variant{
		newVariant("no-sandbox", "Runs no tool itself: it knows only the four types of bindings that the text prints.",
			func(h *acphost.Host) {
				delete(h.Binders, acphost.Confined)
			}, "ACP-SEC-02"),
		newVariant("sandbox-kills",
			"Stops a tool in the sandbox that requests an address, and returns an error to the model.",
			func(h *acphost.Host) {
				run := h.Binders[acphost.Confined]
				h.Binders[acphost.Confined] = func(ctx context.Context, binding acphost.Binding,
					arguments map[string]any) (acphost.Result, error) {
					if arguments["address"] != nil {
						return acphost.Result{}, errors.New("the tool was ended")
					}
					return run(ctx, binding, arguments)
				}
			}, "ACP-SEC-02"),
	}
}
