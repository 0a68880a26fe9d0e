package chphost

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// admit reads an envelope. Every required member except correlation must be
// present; the host generates a missing correlation. Other members are ignored.
func admit(envelope map[string]any) (*Invocation, error) {
	inv := &Invocation{Envelope: envelope}
	var err error
	text := func(name string, into *string) {
		value, isString := envelope[name].(string)
		if !isString {
			err = errors.Join(err, fmt.Errorf("%s must be a string", name))
		}
		*into = value
	}
	object := func(name string, into *map[string]any) {
		value, isObject := envelope[name].(map[string]any)
		if !isObject {
			err = errors.Join(err, fmt.Errorf("%s must be an object", name))
		}
		*into = value
	}
	var requested string
	text("invocation_id", &inv.ID)
	text("capability_id", &inv.CapabilityID)
	text("mode", &inv.Mode)
	text("requested_at", &requested)
	object("subject", &inv.Subject)
	object("payload", &inv.Payload)
	if envelope["correlation"] != nil {
		object("correlation", &inv.Given)
	}
	if envelope["version"] != nil {
		text("version", &inv.Version)
	}
	if err != nil {
		return nil, Refuse("%v", err)
	}
	if inv.ID == "" {
		return nil, Refuse("invocation_id must not be empty")
	}
	if _, err := time.Parse(time.RFC3339, requested); err != nil {
		return nil, Refuse("requested_at must be a time of RFC 3339")
	}
	return inv, checkCorrelation(inv.Given)
}

// checkCorrelation treats null as a missing member.
func checkCorrelation(given map[string]any) error {
	for _, name := range []string{"correlation_id", "causation_id", "parent_correlation_id", "trace_id"} {
		if value := given[name]; value != nil {
			if _, isString := value.(string); !isString {
				return Refuse("correlation.%s must be a string", name)
			}
		}
	}
	if value := given["baggage"]; value != nil {
		if _, isObject := value.(map[string]any); !isObject {
			return Refuse("correlation.baggage must be an object")
		}
	}
	return nil
}

// correlate keeps every member that the caller supplied, and generates an id if there
// is none. An empty id counts as none.
func (h *Host) correlate(given map[string]any) map[string]any {
	correlation := map[string]any{}
	maps.Copy(correlation, given)
	if id, _ := correlation["correlation_id"].(string); id == "" {
		correlation["correlation_id"] = h.NewID(CorrelationID)
	}
	return correlation
}

// resolve finds a capability by id and version. Without a version, it returns the only version of the id.
func (h *Host) resolve(inv *Invocation) *Capability {
	all := h.Capabilities()
	all = slices.DeleteFunc(all, func(c *Capability) bool {
		return c.ID != inv.CapabilityID || inv.Version != "" && c.Version != inv.Version
	})
	if len(all) != 1 {
		return nil
	}
	return all[0]
}
