// Package reference is the conforming host: one host on which the state
// machines of several protocols are mounted, with a front end for each way to
// reach it. It shares nothing but the wire with the suites that examine it.
package reference

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/rpc"
)

// Options says which host is wanted. The zero value is the sound host with
// every protocol and the fixture profile.
type Options struct {
	// Suites names the protocols to mount; nil mounts all of Suites().
	Suites []string
	// NoFixtures serves ordinary capabilities alone.
	NoFixtures bool
	// Alter changes the parts before the host is put together: a mutant's
	// defect or a variant's style. Nil changes nothing.
	Alter func(parts *Parts)
}

// Parts is what a host is put together from.
type Parts struct {
	// CAP is the capability source, nil if CAP is not mounted.
	CAP *caphost.Host
	// Reply has the last word on outgoing bytes. Method is empty if the request
	// named none. Nil leaves the bytes as they are; a nil result is no reply.
	Reply func(method string, reply []byte) []byte
}

// Host answers JSON-RPC 2.0 messages. It is safe for concurrent use.
type Host struct {
	operations map[string]rpc.Operation
	reply      func(method string, reply []byte) []byte
}

// Suites names the protocols that can be mounted.
func Suites() []string { return []string{"cap"} }

// New puts a host together. It fails if Options names an unknown suite.
func New(options Options) (*Host, error) {
	suites := options.Suites
	if suites == nil {
		suites = Suites()
	}
	var parts Parts
	for _, suite := range suites {
		if suite != "cap" {
			return nil, fmt.Errorf("reference: unknown suite %q, known: %q", suite, Suites())
		}
		source := caphost.Profile
		if options.NoFixtures {
			source = caphost.Ordinary
		}
		var err error
		if parts.CAP, err = source(); err != nil {
			return nil, fmt.Errorf("reference: %w", err)
		}
	}
	if options.Alter != nil {
		options.Alter(&parts)
	}
	host := &Host{operations: map[string]rpc.Operation{}, reply: parts.Reply}
	if parts.CAP != nil {
		maps.Copy(host.operations, parts.CAP.Operations())
	}
	return host, nil
}

// Handle answers one message: JSON-RPC 2.0 in, JSON-RPC 2.0 out. A protocol
// error travels as error.data.code. Nil means that there is no reply.
func (h *Host) Handle(ctx context.Context, request []byte) []byte {
	reply := rpc.Serve(ctx, h.operations, request)
	if h.reply == nil || reply == nil {
		return reply
	}
	return h.reply(rpc.Method(request), reply)
}

// Operations names what the host provides, in order.
func (h *Host) Operations() []string { return slices.Sorted(maps.Keys(h.operations)) }
