package acphost

import (
	"context"
	"sync"
)

// CreateAgain sets the answer to the creation of an object under the id of one that was deleted.
func (h *Host) CreateAgain(answer func(id string, value map[string]any) (any, error)) {
	var gone sync.Map
	create, remove := h.Verbs[Create], h.Verbs[Delete]
	h.Verbs[Delete] = func(ctx context.Context, p *Package, arguments object) (any, error) {
		result, err := remove(ctx, p, arguments)
		if err == nil {
			gone.Store(arguments["id"], true)
		}
		return result, err
	}
	h.Verbs[Create] = func(ctx context.Context, p *Package, arguments object) (any, error) {
		value := objectOf(arguments["object"])
		id := stringOf(value["id"])
		if _, was := gone.Load(id); was {
			return answer(id, value)
		}
		return create(ctx, p, arguments)
	}
}
