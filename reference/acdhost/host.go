// Package acdhost is the state machine of ACD: an agent SDK with one registry, an
// engine that routes by substrate, channels, and a language model that must consent, and
// the exemplar agent that uses them. Its behaviours are fields, which a mutant or
// a variant changes before the host serves.
package acdhost

import (
	"context"
	"net/http"
	"slices"
	"sync"

	"github.com/capconform/capconform/reference/rpc"
)

// The operations of the adapter.
const (
	OpManifest  = "acd.manifest"
	OpList      = "acd.registry.list"
	OpGet       = "acd.registry.get"
	OpCreate    = "acd.registry.create"
	OpUpdate    = "acd.registry.update"
	OpDelete    = "acd.registry.delete"
	OpQuery     = "acd.registry.query"
	OpLegacy    = "acd.legacy"
	OpInvoke    = "acd.invoke"
	OpDeclare   = "acd.channel.declare"
	OpProject   = "acd.channel.project"
	OpDocs      = "acd.docs"
	OpAudit     = "acd.audit"
	OpConfigure = "acd.configure"
	OpExecLog   = "acd.execlog"
	OpCalls     = "acd.llm.calls"
)

// Host is an agent. It is safe for concurrent use once it serves.
type Host struct {
	// AgentID and Name are members of the manifest.
	AgentID, Name string
	// Gates are checked in order before anything runs; the first that refuses ends the call.
	Gates []Gate
	// Executors run capabilities, by substrate.
	Executors map[string]Executor
	// Handlers contains the code of the entry points.
	Handlers map[string]Executor
	// Channels are the channel adapters, in the order of the manifest.
	Channels []Channel
	// Realizes reports whether a channel shows a capability. It must not change the entry.
	Realizes func(c Channel, entry object) bool
	// Render returns the rendering of a capability on a channel.
	Render func(c Channel, entry object) any
	// Guard returns an error if a change of an entry is refused; the change is nil for a
	// deletion.
	Guard func(entry, change object) error
	// Consent returns an error if a descriptor may not be created.
	Consent func(ctx context.Context, descriptor object) error
	// Route returns the substrate on which an entry runs.
	Route func(entry object) string
	// Record returns the record of an invocation, or nil if there is none.
	Record func(entry object, call *Call, output any) object
	// RunWithHooks runs an invocation between its hooks.
	RunWithHooks func(ctx context.Context, call *Call, run func(context.Context) (any, error)) (any, error)
	// Wrap changes operations by name before the host serves them.
	Wrap map[string]func(original rpc.Operation) rpc.Operation
	// Path returns the operation and the params of a path that the text defines.
	Path func(path string, params object) (operation string, changed object)

	mutex      sync.Mutex
	entries    []object
	executions []object
	records    []object
	model      string
	calls      int
	client     *http.Client
}

// Channel is a channel adapter.
type Channel struct {
	ID      string
	Adapter string // the id of its capability
	Modes   []string
	Widget  string // the kind of element that shows a capability
}

// Call is one invocation.
type Call struct {
	ID, Mode, Channel, Principal string
	Permissions                  []string
	Input                        map[string]any
	Entry                        map[string]any // of the registry; nil if the id is unknown
}

// Executor runs a capability.
type Executor func(ctx context.Context, call *Call) (any, error)

// Gate stops an invocation before anything runs.
type Gate struct {
	Name  string
	Check func(h *Host, call *Call) error
}

// Entries returns copies of the registered descriptors, in order.
func (h *Host) Entries() []object {
	all := h.registered()
	for i, e := range all {
		all[i] = clone(e)
	}
	return all
}

// registered returns the registered descriptors, in order. They must not be changed.
func (h *Host) registered() []object {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return slices.Clone(h.entries)
}

// Find returns a copy of the descriptor of an id, or nil if there is none.
func (h *Host) Find(id string) object {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if at := h.index(id); at >= 0 {
		return clone(h.entries[at])
	}
	return nil
}

// Put replaces the descriptor with the same id, or appends the descriptor if there is none.
func (h *Host) Put(descriptor object) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if at := h.index(text(descriptor, "capability_id")); at >= 0 {
		h.entries[at] = clone(descriptor)
		return
	}
	h.entries = append(h.entries, clone(descriptor))
}

// Delete removes the descriptor of an id.
func (h *Host) Delete(id string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.entries = slices.DeleteFunc(h.entries, func(e object) bool { return text(e, "capability_id") == id })
}

// index returns the position of an entry. The caller must hold the mutex.
func (h *Host) index(id string) int {
	return slices.IndexFunc(h.entries, func(e object) bool { return text(e, "capability_id") == id })
}

// refuse returns an error without a code, because the text defines none.
func refuse(message string) *rpc.Error {
	return &rpc.Error{Number: rpc.ProtocolError, Message: message}
}

func (h *Host) channel(id string) (Channel, bool) {
	at := slices.IndexFunc(h.Channels, func(c Channel) bool { return c.ID == id })
	if at < 0 {
		return Channel{}, false
	}
	return h.Channels[at], true
}
