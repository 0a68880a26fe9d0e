package chphost

import (
	_ "embed"
	"fmt"
	"slices"
	"sync"

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

// registry is compiled once per process and shared by all hosts. It does not change.
type registry struct{ ordinary, undeclared, profile []*Capability }

var compiled = sync.OnceValues(func() (registry, error) {
	samples, err := rpc.Decode(samplesText)
	if err != nil {
		return registry{}, fmt.Errorf("chphost: samples: %w", err)
	}
	payloads, _ := samples.(map[string]any)
	var r registry
	for _, part := range []struct {
		text []byte
		run  map[string]Handler
		into *[]*Capability
	}{
		{ordinaryText, ordinaryHandlers(), &r.ordinary},
		{undeclaredText, ordinaryHandlers(), &r.undeclared},
		{profileText, profileHandlers(), &r.profile},
	} {
		if *part.into, err = readDescriptors(part.text, part.run, payloads); err != nil {
			return registry{}, err
		}
	}
	return r, nil
})

func readDescriptors(text []byte, handlers map[string]Handler, samples map[string]any) ([]*Capability, error) {
	value, err := rpc.Decode(text)
	if err != nil {
		return nil, fmt.Errorf("chphost: descriptors: %w", err)
	}
	descriptors, _ := value.([]any)
	capabilities := make([]*Capability, 0, len(descriptors))
	for _, element := range descriptors {
		published, _ := element.(map[string]any)
		c, err := NewCapability(published, nil)
		if err != nil {
			return nil, err
		}
		name := c.ID + " " + c.Version
		if c.Run = handlers[name]; c.Run == nil {
			return nil, fmt.Errorf("chphost: no handler for %s", name)
		}
		c.Sample, _ = samples[name].(map[string]any)
		capabilities = append(capabilities, c)
	}
	return capabilities, nil
}

// Profile returns a host with ordinary capabilities and the fixture profile of
// DESIGN section 10 that stores its evidence in store. Every descriptor has all
// recommended members.
func Profile(store *Store) (*Host, error) {
	r, err := compiled()
	if err != nil {
		return nil, err
	}
	return New(slices.Concat(r.ordinary, r.profile), store), nil
}

// Ordinary returns a host with only ordinary capabilities that stores its
// evidence in store: no fixtures, two versions of one id, one capability with
// two modes, and two without input_schema and without most recommended members.
func Ordinary(store *Store) (*Host, error) {
	r, err := compiled()
	if err != nil {
		return nil, err
	}
	return New(slices.Concat(r.ordinary, r.undeclared), store), nil
}
