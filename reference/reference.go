// Package reference is the conforming host: one host on which the state machines of several
// protocols are mounted, with a front end for each way to reach it. It shares only the wire format
// with the suites that examine it.
package reference

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/rpc"
)

// Options selects the host. The zero value is the conforming host with every protocol and the
// fixture profile.
type Options struct {
	// Suites names the protocols to mount; nil mounts all of Suites().
	Suites []string
	// NoFixtures serves only ordinary capabilities.
	NoFixtures bool
	// Key is the key that the HTTP front ends require in X-CHP-Key, on every route that is not
	// public. If it is empty, no key is required.
	Key string
	// Evidence is where CHP stores its evidence in addition to memory; nil stores it in memory
	// only. The caller closes it when the host is no longer used.
	Evidence *chphost.Journal
	// State is the file in which ACP stores its state; empty is a temporary one.
	State string
	// Alter changes the parts before the host is made: the defect of a mutant or the style of a
	// variant. Nil changes nothing.
	Alter func(parts *Parts)
}

// Parts are the parts from which a host is made.
type Parts struct {
	// CAP is the capability source, nil if CAP is not mounted.
	CAP *caphost.Host
	// CHP is the capability host of that protocol, nil if CHP is not mounted.
	CHP *chphost.Host
	// ACP is router, runtime, publisher, registry and index, nil if ACP is not mounted.
	ACP *acphost.Host
	// ACD is the agent, nil if ACD is not mounted.
	ACD *acdhost.Host
	// Around returns the operation in place of one that the host provides. Nil leaves them all.
	Around func(name string, operation rpc.Operation) rpc.Operation
	// Reply may replace outgoing bytes. Method is empty if the request named none. Nil leaves the
	// bytes unchanged; a nil result means no reply.
	Reply func(method string, reply []byte) []byte
}

// Host answers JSON-RPC 2.0 messages. It is safe for concurrent use.
type Host struct {
	operations map[string]rpc.Operation
	reply      func(method string, reply []byte) []byte
	key        string
	binding    *chphost.Binding // nil if CHP is not mounted
	cap        *caphost.Host    // nil if CAP is not mounted
	chp        *chphost.Host    // nil if CHP is not mounted
	acp        *acphost.Host    // nil if ACP is not mounted
	acd        *acdhost.Host    // nil if ACD is not mounted
}

// mounts contains the function that adds each protocol to the parts.
func mounts() map[string]func(options Options, parts *Parts) error {
	return map[string]func(options Options, parts *Parts) error{"acd": mountACD, "acp": mountACP, "cap": mountCAP,
		"chp": mountCHP}
}

// Suites names the protocols that can be mounted, in order.
func Suites() []string { return slices.Sorted(maps.Keys(mounts())) }

// HasFixtures reports whether a protocol's host has a fixture profile that can be omitted. With
// NoFixtures, such a host differs.
func HasFixtures(suite string) bool { return suite != "acp" }

// New makes a host. It returns an error if Options names an unknown suite.
func New(options Options) (*Host, error) {
	suites := options.Suites
	if suites == nil {
		suites = Suites()
	}
	var parts Parts
	for _, suite := range suites {
		mount, known := mounts()[suite]
		if !known {
			return nil, fmt.Errorf("reference: unknown suite %q, known: %q", suite, Suites())
		}
		if err := mount(options, &parts); err != nil {
			return nil, fmt.Errorf("reference: %w", err)
		}
	}
	if options.Alter != nil {
		options.Alter(&parts)
	}
	host := &Host{operations: map[string]rpc.Operation{}, reply: parts.Reply, key: options.Key}
	if parts.CAP != nil {
		maps.Copy(host.operations, parts.CAP.Operations())
		host.cap = parts.CAP
	}
	if parts.CHP != nil {
		maps.Copy(host.operations, parts.CHP.Operations())
		host.chp = parts.CHP
		host.binding = parts.CHP.Binding
		host.binding.Key = options.Key
	}
	if parts.ACP != nil {
		maps.Copy(host.operations, parts.ACP.Operations())
		host.acp = parts.ACP
	}
	if parts.ACD != nil {
		maps.Copy(host.operations, parts.ACD.Operations())
		host.acd = parts.ACD
	}
	if parts.Around != nil {
		for name, operation := range host.operations {
			host.operations[name] = parts.Around(name, operation)
		}
	}
	return host, nil
}

// Close releases connections and files. The host must not be used afterwards.
func (h *Host) Close() error {
	if h.acp == nil {
		return nil
	}
	return wrapError(h.acp.Close())
}

// Restarter returns a function with the effect of ending and restarting the process of the host:
// everything that is not stored in files is forgotten. It is nil if a restart has no effect on the
// mounted protocols.
func (h *Host) Restarter() func(context.Context) error {
	if h.cap == nil && h.acp == nil && h.chp == nil {
		return nil
	}
	return func(context.Context) error {
		if h.chp != nil {
			h.chp.OnRestart()
		}
		if h.cap != nil {
			h.cap.Restart()
		}
		if h.acp == nil {
			return nil
		}
		return wrapError(h.acp.Restart())
	}
}

func wrapError(err error) error {
	if err != nil {
		return fmt.Errorf("reference: %w", err)
	}
	return nil
}

func mountCAP(options Options, parts *Parts) (err error) {
	source := caphost.Profile
	if options.NoFixtures {
		source = caphost.Ordinary
	}
	parts.CAP, err = source()
	return err
}

func mountCHP(options Options, parts *Parts) (err error) {
	source := chphost.Profile
	if options.NoFixtures {
		source = chphost.Ordinary
	}
	parts.CHP, err = source(chphost.NewStore(options.Evidence))
	return err
}

func mountACP(options Options, parts *Parts) error {
	parts.ACP = acphost.New(acphost.NewStore(options.State))
	return nil
}

func mountACD(options Options, parts *Parts) error {
	parts.ACD = acdhost.Profile()
	if options.NoFixtures {
		parts.ACD = acdhost.Ordinary()
	}
	return nil
}

// Handle answers one message: JSON-RPC 2.0 in, JSON-RPC 2.0 out. A protocol error is sent as
// error.data.code. Nil means that there is no reply.
func (h *Host) Handle(ctx context.Context, request []byte) []byte {
	reply := rpc.Serve(ctx, h.operations, request)
	if h.reply == nil || reply == nil {
		return reply
	}
	return h.reply(rpc.Method(request), reply)
}

// Operations returns the names of the operations that the host provides, in order.
func (h *Host) Operations() []string { return slices.Sorted(maps.Keys(h.operations)) }
