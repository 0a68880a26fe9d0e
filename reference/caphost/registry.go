package caphost

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/capconform/capconform/reference/rpc"
)

//go:embed profile.json
var profileText []byte

//go:embed ordinary.json
var ordinaryText []byte

//go:embed undeclared.json
var undeclaredText []byte

//go:embed samples.json
var samplesText []byte

// Replaceable is the capability that conformance.replace replaces: the first version
// is registered, the second takes its place, and so on alternately.
const Replaceable = "conformance.replaceable"

// slowDeadline is long enough to be noticed and short enough for a kill matrix of several
// hundred hosts.
const slowDeadline = 10 * time.Millisecond

// registry contains what is compiled once per process and shared by all hosts. It never changes.
type registry struct{ ordinary, undeclared, profile []*Capability }

var compiled = sync.OnceValues(func() (registry, error) {
	var r registry
	for _, part := range []struct {
		text []byte
		run  map[Ref]Handler
		into *[]*Capability
	}{
		{ordinaryText, ordinaryHandlers(), &r.ordinary},
		{undeclaredText, ordinaryHandlers(), &r.undeclared},
		{profileText, profileHandlers(), &r.profile},
	} {
		capabilities, err := readManifests(part.text, part.run)
		if err != nil {
			return registry{}, err
		}
		*part.into = capabilities
	}
	samples, err := rpc.Decode(samplesText)
	if err != nil {
		return registry{}, fmt.Errorf("caphost: samples: %w", err)
	}
	inputs, _ := samples.(map[string]any)
	for _, c := range slices.Concat(r.ordinary, r.undeclared, r.profile) {
		c.Sample, _ = inputs[c.ID+" "+c.Version].(map[string]any)
		switch c.ID {
		case "conformance.slow":
			c.Deadline = slowDeadline
		case "conformance.counter", "conformance.replace", Attach:
			c.Instrument = true
		}
	}
	return r, nil
})

func readManifests(text []byte, handlers map[Ref]Handler) ([]*Capability, error) {
	value, err := rpc.Decode(text)
	if err != nil {
		return nil, fmt.Errorf("caphost: manifests: %w", err)
	}
	manifests, _ := value.([]any)
	capabilities := make([]*Capability, 0, len(manifests))
	for _, element := range manifests {
		manifest, _ := element.(map[string]any)
		c, err := NewCapability(manifest, nil)
		if err != nil {
			return nil, err
		}
		if c.Run = handlers[c.Ref]; c.Run == nil {
			return nil, fmt.Errorf("caphost: no handler for %s %s", c.ID, c.Version)
		}
		capabilities = append(capabilities, c)
	}
	return capabilities, nil
}

// Profile makes a host with ordinary capabilities and the fixture profile of DESIGN
// section 10, including the instruments. Every manifest declares its output.
func Profile() (*Host, error) {
	r, err := compiled()
	if err != nil {
		return nil, err
	}
	capabilities := slices.Clone(r.ordinary)
	var reserve *Capability
	for _, c := range r.profile {
		if c.Ref == (Ref{Replaceable, "2.0.0"}) {
			reserve = c
			continue
		}
		capabilities = append(capabilities, c)
	}
	host := New(capabilities)
	host.reserve = reserve
	return host, nil
}

// Ordinary makes a host with only ordinary capabilities: no fixture, no instrument, no
// skill. One of them does not declare its output.
func Ordinary() (*Host, error) {
	r, err := compiled()
	if err != nil {
		return nil, err
	}
	return New(slices.Concat(r.ordinary, r.undeclared)), nil
}

// exchange replaces the registered capability with the reserve. The replaced capability
// becomes the reserve.
func (h *Host) exchange() (old, next Ref, err error) {
	h.exchangeMutex.Lock()
	defer h.exchangeMutex.Unlock()
	for _, c := range h.Capabilities() {
		if c.ID == Replaceable && h.reserve != nil {
			old, next = c.Ref, h.reserve.Ref
			h.Replace(old, h.reserve)
			h.reserve = c
			return old, next, nil
		}
	}
	return old, next, errors.New("caphost: nothing to exchange")
}
