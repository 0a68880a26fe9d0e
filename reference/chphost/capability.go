package chphost

import (
	"context"
	"fmt"
	"slices"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/rpc"
)

// Handler does what a capability is for. It may emit its own events through
// the host. Any error is a failure; its text becomes the message.
type Handler func(ctx context.Context, host *Host, inv *Invocation) (any, error)

// Capability is one registered capability: what is published of it, and what
// the host goes by. The two are apart so that a defect can break one alone.
type Capability struct {
	ID, Version string
	Modes       []string
	Disabled    bool
	// Invariant names the invariant that Requires stands for; empty if there is none.
	Invariant string
	Requires  []string // payload members that the invariant demands
	// Entitlement is what a caller needs; empty asks for none. No caller of this host has any.
	Entitlement string
	Input       *caphost.Contract // nil if no input_schema is declared
	Run         Handler
	// Sample is a payload that comes to a success; nil where none does. It must not be changed.
	Sample map[string]any

	descriptor map[string]any
	rendered   rpc.Raw
}

// NewCapability registers nothing; it makes a capability from its descriptor
// and its handler. It fails if the input_schema does not compile.
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

// Descriptor gives a copy of what is published.
func (c *Capability) Descriptor() map[string]any {
	return rpc.Clone(c.descriptor).(map[string]any) // a clone has the type of its original
}

// Rendered gives the published descriptor as JSON text.
func (c *Capability) Rendered() rpc.Raw { return c.rendered }

// Supports tells whether the capability may be invoked in a mode.
func (c *Capability) Supports(mode string) bool { return slices.Contains(c.Modes, mode) }

// Edit gives a capability that does the same and publishes another descriptor.
// What the host goes by stays as it is.
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
