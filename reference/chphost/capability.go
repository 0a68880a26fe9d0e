package chphost

import (
	"context"
	"fmt"
	"slices"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/rpc"
)

// Handler executes a capability. It may emit its own events through
// the host. Any error is a failure, and its text becomes the message.
type Handler func(ctx context.Context, host *Host, inv *Invocation) (any, error)

// Capability is one registered capability: its published descriptor, and the
// values that the host uses. The two are separate so that a defect can break only one.
type Capability struct {
	ID, Version string
	Modes       []string
	Disabled    bool
	// Invariant names the invariant that Requires implements. It is empty if there is none.
	Invariant string
	Requires  []string // payload members that the invariant requires
	// Entitlement is the entitlement that a caller needs, or empty. No caller of this host has any.
	Entitlement string
	Input       *caphost.Contract // nil if no input_schema is declared
	Run         Handler
	// Sample is a payload that succeeds, or nil if none does. It must not be changed.
	Sample map[string]any

	descriptor map[string]any
	rendered   rpc.Raw
}

// NewCapability returns a capability made from its descriptor
// and its handler, and does not register it. It fails if the input_schema does not compile.
func NewCapability(published map[string]any, run Handler) (*Capability, error) {
	c := &Capability{Run: run}
	c.ID, _ = published["id"].(string)
	c.Version, _ = published["version"].(string)
	c.Modes = texts(published["modes"])
	if schema := published["input_schema"]; schema != nil {
		var err error
		if c.Input, err = caphost.Compile(schema); err != nil {
			return nil, fmt.Errorf("chphost: input_schema of %s %s: %w", c.ID, c.Version, err)
		}
	}
	invariants, _ := published["invariants"].([]any)
	for _, element := range invariants {
		invariant, _ := element.(map[string]any)
		c.Invariant, _ = invariant["id"].(string)
		parameters, _ := invariant["parameters"].(map[string]any)
		c.Requires = texts(parameters["fields"])
	}
	metadata, _ := published["metadata"].(map[string]any)
	c.Disabled = metadata["enabled"] == false
	c.Entitlement, _ = metadata["entitlement"].(string)
	c.publish(published)
	return c, nil
}

func texts(value any) []string {
	elements, _ := value.([]any)
	var found []string
	for _, element := range elements {
		if text, isString := element.(string); isString {
			found = append(found, text)
		}
	}
	return found
}

// Descriptor returns a copy of the published descriptor.
func (c *Capability) Descriptor() map[string]any {
	return rpc.Clone(c.descriptor).(map[string]any) // a clone has the type of its original
}

// Rendered returns the published descriptor as JSON text.
func (c *Capability) Rendered() rpc.Raw { return c.rendered }

// Supports reports whether the capability may be invoked in a mode.
func (c *Capability) Supports(mode string) bool { return slices.Contains(c.Modes, mode) }

// Edit returns a capability that behaves in the same way and publishes another descriptor.
// The values that the host uses do not change.
func (c *Capability) Edit(change func(published map[string]any)) *Capability {
	edited := *c
	published := c.Descriptor()
	change(published)
	edited.publish(published)
	return &edited
}

func (c *Capability) publish(published map[string]any) {
	c.descriptor = published
	c.rendered = rpc.Append(nil, published)
}
