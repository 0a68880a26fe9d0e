package caphost

import (
	"context"
	"fmt"
	"time"

	"github.com/capconform/capconform/reference/rpc"
)

// Ref is a CapabilityRef.
type Ref struct{ ID, Version string }

// JSON returns the reference as it is sent.
func (r Ref) JSON() map[string]any {
	return map[string]any{"capability_id": r.ID, "version": r.Version}
}

// ReadRef reads a CapabilityRef. Further members are ignored.
func ReadRef(members map[string]any) (Ref, bool) {
	id, hasID := members["capability_id"].(string)
	version, hasVersion := members["version"].(string)
	return Ref{ID: id, Version: version}, hasID && hasVersion
}

// Handler executes a capability. The input has been validated; the handler must not
// change it. A *Failure as error keeps its code; any other error becomes
// EXECUTION_FAILED.
type Handler func(ctx context.Context, host *Host, input map[string]any) (any, error)

// Capability is one registered capability: what the host publishes about it, and what
// the host itself uses. The two are separate so that a defect can break only one of them.
type Capability struct {
	Ref
	Input       *Contract
	Output      *Contract // nil if no output_schema is declared
	Permissions []string
	Deadline    time.Duration // 0: no deadline
	Instrument  bool          // shows the state of the host; its executions are not counted
	Run         Handler
	// Sample is a valid input whose invocation succeeds; nil if no input succeeds, and
	// for instruments. It must not be changed.
	Sample map[string]any

	manifest map[string]any
	rendered rpc.Raw
}

// NewCapability makes a capability from its manifest and its handler. It does not register
// the capability. It fails if a schema of the manifest does not compile.
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

// Manifest returns a copy of the published manifest.
func (c *Capability) Manifest() map[string]any {
	return rpc.Clone(c.manifest).(map[string]any)
}

// Rendered returns the published manifest as JSON text.
func (c *Capability) Rendered() rpc.Raw { return c.rendered }

// Edit returns a capability that publishes a changed manifest and otherwise behaves the same:
// the host validates and authorizes as before. Only the reference follows the manifest.
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

// Remake returns a capability that publishes a changed manifest and follows it: its schemas
// and permissions are read again. It fails in the same cases as NewCapability.
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
