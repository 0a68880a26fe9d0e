package acdhost

import "context"

// registry stores the descriptors.
type registry struct{ *Host }

func (h registry) list(context.Context, object) (any, error) {
	return object{"capabilities": objects(h.Entries())}, nil
}

func (h registry) get(_ context.Context, params object) (any, error) {
	if entry := h.Find(text(params, "capability_id")); entry != nil {
		return entry, nil
	}
	return nil, refuse("no such capability is registered")
}

func (h registry) create(ctx context.Context, params object) (any, error) {
	descriptor, _ := params["descriptor"].(object)
	return h.Register(ctx, descriptor)
}

// Register creates an entry. If the id is registered already, it updates the entry.
func (h *Host) Register(ctx context.Context, descriptor object) (any, error) {
	if err := checkCore(descriptor); err != nil {
		return nil, err
	}
	before := h.Find(text(descriptor, "capability_id"))
	if before != nil {
		if err := h.Guard(before, descriptor); err != nil {
			return nil, err
		}
	}
	if err := h.Consent(ctx, descriptor); err != nil {
		return nil, err
	}
	h.Put(descriptor)
	return clone(descriptor), nil
}

func (h registry) update(ctx context.Context, params object) (any, error) {
	descriptor, _ := params["descriptor"].(object)
	if err := checkCore(descriptor); err != nil {
		return nil, err
	}
	// An update that changes the kind creates an entry of the new kind.
	if before := h.Find(text(descriptor, "capability_id")); before != nil && before["kind"] != descriptor["kind"] {
		if err := h.Consent(ctx, descriptor); err != nil {
			return nil, err
		}
	}
	return descriptor, h.change(descriptor)
}

// change replaces a descriptor by a new one, unless it is immutable.
func (h *Host) change(descriptor object) error {
	before := h.Find(text(descriptor, "capability_id"))
	if before == nil {
		return refuse("no such capability is registered")
	}
	if err := h.Guard(before, descriptor); err != nil {
		return err
	}
	h.Put(descriptor)
	return nil
}

func (h registry) remove(_ context.Context, params object) (any, error) {
	id := text(params, "capability_id")
	before := h.Find(id)
	if before == nil {
		return nil, refuse("no such capability is registered")
	}
	if err := h.Guard(before, nil); err != nil {
		return nil, err
	}
	h.Delete(id)
	return object{}, nil
}

// guard refuses to change an immutable entry.
func guard(entry, _ object) error {
	if Flag(entry, "status.mutable", true) {
		return nil
	}
	return refuse("the capability is immutable")
}

// checkCore refuses a descriptor without the core members.
func checkCore(descriptor object) error {
	for _, path := range []string{"capability_id", "name", "version", "kind", "execution.substrate", "exposure.scope"} {
		if text(descriptor, path) == "" {
			return refuse("the descriptor lacks " + path)
		}
	}
	modes, listed := member(descriptor, "invocation.modes").([]any)
	_, permissions := descriptor["permissions"].(object)
	if !listed || !permissions || len(modes) != len(texts(descriptor, "invocation.modes")) {
		return refuse("the descriptor lacks invocation.modes or permissions")
	}
	return nil
}

func (h registry) query(_ context.Context, params object) (any, error) {
	return object{"capabilities": objects(h.Query(params))}, nil
}

// Query returns copies of the entries that match every filter.
func (h *Host) Query(filters object) []object {
	var fitting []object
	for _, e := range h.registered() {
		if matchesFilters(e, filters) {
			fitting = append(fitting, clone(e))
		}
	}
	return fitting
}

// Legacy returns the old lists and the queries that replace them (ACD 2.2).
func Legacy() map[string]map[string]any {
	return map[string]map[string]any{
		"/listSkills": {"kind": "composite"}, "/listCommands": {"invocation": "command"},
		"/listSubAgents": {"execution": "agent"}, "/listChannels": {"execution": "transport"},
	}
}

func (h registry) legacy(_ context.Context, params object) (any, error) {
	filters, known := Legacy()[text(params, "endpoint")]
	if !known {
		return nil, refuse("no such list")
	}
	return object{"capabilities": objects(h.Query(filters))}, nil
}

// ListCapabilities is the path that replaces the old lists.
const ListCapabilities = "/listCapabilities"

// path returns the operation for a path that the text defines, and its parameters. For any
// other path, the operation is "".
func path(path string, params object) (operation string, changed object) {
	if path == ListCapabilities {
		switch params["enabled"] {
		case "true":
			params["enabled"] = true
		case "false":
			params["enabled"] = false
		}
		return OpQuery, params
	}
	if Legacy()[path] != nil {
		return OpLegacy, object{"endpoint": path}
	}
	return "", nil
}
