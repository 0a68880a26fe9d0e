package caphost

import (
	"context"
	"fmt"
	"time"

	"github.com/capconform/capconform/reference/rpc"
)

// Ref is a CapabilityRef.
type Ref struct{ ID, Version string }

// JSON gives the reference as it travels.
func (r Ref) JSON() map[string]any {
	return map[string]any{"capability_id": r.ID, "version": r.Version}
}

// Handler does what a capability is for. Input has been validated and must not
// be changed. A *Failure as error keeps its code, any other error is
// EXECUTION_FAILED.
type Handler func(ctx context.Context, host *Host, input map[string]any) (any, error)

// Capability is one registered capability: what is published of it, and what
// the host goes by. The two are apart so that a defect can break one alone.
type Capability struct {
	Ref
	Input       *Contract
	Output      *Contract // nil if no output_schema is declared
	Permissions []string
	Deadline    time.Duration // 0 if it sets none
	Instrument  bool          // looks into the host; its runs are not counted
	Run         Handler
	// Sample is a sound input that comes back ok; nil where no input does, and
	// for instruments. It must not be changed.
	Sample map[string]any

	manifest map[string]any
	rendered rpc.Raw
}

// NewCapability registers nothing; it makes a capability from its manifest and
// its handler. It fails if a schema of the manifest does not compile.
func NewCapability(manifest map[string]any, run Handler) (*Capability, error) {
	c := &Capability{Run: run}
	c.ID, _ = manifest["capability_id"].(string)
	c.Version, _ = manifest["version"].(string)
	var err error
	if c.Input, err = Compile(manifest["input_schema"]); err != nil {
		return nil, fmt.Errorf("%w (input_schema of %s %s)", err, c.ID, c.Version)
	}
	if output := manifest["output_schema"]; output != nil {
		if c.Output, err = Compile(output); err != nil {
			return nil, fmt.Errorf("%w (output_schema of %s %s)", err, c.ID, c.Version)
		}
	}
	permissions, _ := manifest["required_permissions"].([]any)
	for _, permission := range permissions {
		if name, isString := permission.(string); isString {
			c.Permissions = append(c.Permissions, name)
		}
	}
	c.publish(manifest)
	return c, nil
}

// Manifest gives a copy of what is published.
func (c *Capability) Manifest() map[string]any {
	return rpc.Clone(c.manifest).(map[string]any)
}

// Rendered gives the published manifest as JSON text.
func (c *Capability) Rendered() rpc.Raw { return c.rendered }

// Edit gives a capability that does the same and publishes another manifest.
// What the host goes by stays as it is, its reference follows the manifest.
func (c *Capability) Edit(change func(manifest map[string]any)) *Capability {
	edited := *c
	manifest := c.Manifest()
	change(manifest)
	if id, isString := manifest["capability_id"].(string); isString {
		edited.ID = id
	}
	if version, isString := manifest["version"].(string); isString {
		edited.Version = version
	}
	edited.publish(manifest)
	return &edited
}

// Remake gives a capability that publishes another manifest and goes by it:
// its schemas and permissions are read anew. It fails as NewCapability does.
func (c *Capability) Remake(change func(manifest map[string]any)) (*Capability, error) {
	manifest := c.Manifest()
	change(manifest)
	remade, err := NewCapability(manifest, c.Run)
	if err != nil {
		return nil, err
	}
	remade.Deadline, remade.Instrument, remade.Sample = c.Deadline, c.Instrument, c.Sample
	return remade, nil
}

func (c *Capability) publish(manifest map[string]any) {
	c.manifest = manifest
	c.rendered = rpc.Append(nil, manifest)
}
