// Package acphost is the reference's ACP side: a router with its runtime, a
// publisher, a registry and an index, whose behaviours are fields, so that a
// mutant or a variant replaces one of them and leaves the rest sound.
package acphost

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/Masterminds/semver/v3"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/capconform/capconform/reference/rpc"
)

// The operations, by which an ACP subject is controlled.
const (
	OpConfigure = "acp.configure"
	OpInstall   = "acp.install"
	OpUninstall = "acp.uninstall"
	OpMessage   = "acp.message"
	OpState     = "acp.state"
	OpAuthor    = "acp.author"
	OpPublish   = "acp.publish"
	OpGet       = "acp.get"
	OpEvents    = "acp.events"
	OpResolve   = "resolve_capability"
	OpSearch    = "search_capabilities"
)

// Host plays every actor of ACP. The behaviours are set before the first call
// and not changed afterwards; the operations are then safe for concurrent use.
type Host struct {
	// Provided are the operations by name.
	Provided map[string]rpc.Operation

	Installation
	Routing
	Prompting
	Runtime
	Chain
	Publishing
	Indexing

	// Profile is the signature profile.
	Profile string
	// Store keeps what survives a restart.
	Store *Store
	// Reopen is what becomes of the store when the host restarts.
	Reopen func() error
	// Now is the clock.
	Now func() time.Time
	// NewID makes an id that was never given before.
	NewID func() string

	client *http.Client
	own    Author // whom the host itself publishes as

	expressions sync.Map   // func(text string) bool by the text of a regular expression
	files       sync.Map   // weak.Pointer[file] by the SHA-256 of its text
	contracts   sync.Map   // see file
	chainTurn   sync.Mutex // held while a transaction is judged

	mutex         sync.Mutex
	configuration Configuration
	conversations map[string]*Conversation
	packages      []*Package // installed, in the order of their installation
	models        []Model    // of the configured service, nil until asked for
	services      map[string]*mcp.ClientSession
	index         *index
}

// Installation is how a package gets in.
type Installation struct {
	// Fetch downloads a file by its CID.
	Fetch func(ctx context.Context, cid string) ([]byte, error)
	// Fits says whether bytes are those of a CID.
	Fits func(cid string, content []byte) error
	// Read reads a file.
	Read func(text []byte) (*Package, error)
	// Rules are what a package has to keep.
	Rules []Rule
	// AuthorOf gives the DID of who has to have signed a package.
	AuthorOf func(ctx context.Context, p *Package) (string, error)
	// KeysOf gives the keys of a DID that may sign, the likeliest first.
	KeysOf func(ctx context.Context, did string) ([]Key, error)
	// Expired tells the keys of a document that hold no longer.
	Expired func(key Key) bool
	// Verify says whether one of the keys signed a package.
	Verify func(p *Package, keys []Key) error
	// Lint says whether a prompt may be mounted.
	Lint func(prompt string) error
	// Mount puts a verified package among the installed ones and gives these.
	Mount func(installed []*Package, p *Package) []*Package
	// Dismount takes a package away and gives what is left.
	Dismount func(installed []*Package, p *Package) []*Package
	// Cached gives an installed file by its CID, nil if there is none.
	Cached func(cid string) []byte
}

// Routing is how a message finds its capability.
type Routing struct {
	// Commands are what a user orders explicitly, by their first word.
	Commands map[string]func(c *Conversation, argument string) string
	// Find gives the installed package of a name, nil if there is none.
	Find func(name string) *Package
	// Route gives the capability of a message, nil if there is none.
	Route func(ctx context.Context, c *Conversation, text string) *Package
	// Classify gives the installed capability whose triggers fit, nil if none does.
	Classify func(ctx context.Context, text string) *Package
	// Triggers match a message, by their type.
	Triggers map[string]func(value, text string) bool
	// Turn puts a capability on the stack in the place of another, which is nil
	// if nothing was on top.
	Turn func(c *Conversation, from, to *Package)
	// Fallback answers where no capability is meant.
	Fallback func(ctx context.Context, c *Conversation, text string) (string, error)
	// Finished says whether what a tool gave ends the capability.
	Finished func(result Result) bool
	// Leave takes the capability on top away at the end of a turn.
	Leave func(c *Conversation, p *Package)
	// Patience is how long a tool or the model may take.
	Patience func() time.Duration
	// GiveUp ends a capability that took too long.
	GiveUp func(c *Conversation, p *Package) string
}

// Prompting is what reaches the model, and what becomes of its answer.
type Prompting struct {
	// System gives the first message.
	System func(p *Package) string
	// Role is whose the first message is.
	Role string
	// History says whether earlier turns of a capability are told.
	History bool
	// Offer gives the tools that a model is shown.
	Offer func(p *Package) []Tool
	// Rename gives the name under which a model sees a tool.
	Rename func(name string) string
	// Parameters gives the schema of a tool's arguments as a model sees it.
	Parameters func(p *Package, tool Tool) any
	// Shape has the last word on the first request of a turn.
	Shape func(turn *Turn, request map[string]any) map[string]any
	// Choose gives the model for a package.
	Choose func(models []Model, p *Package) string
	// Complete asks a model.
	Complete func(ctx context.Context, request object) (Reply, error)
	// Say writes what a tool gave, for the model.
	Say func(result Result) string
}

// Runtime is how tools are executed.
type Runtime struct {
	// BuiltIn tells the tools that the runtime itself provides.
	BuiltIn func(p *Package, name string) bool
	// Verbs are those tools, by name.
	Verbs map[string]Verb
	// Permits says whether a package may use a tool of the runtime.
	Permits func(p *Package, name string) error
	// Addresses says whether a package may name a schema URI to a tool of the runtime.
	Addresses func(p *Package, verb, uri string) error
	// Valid says whether an object keeps the schema of a package.
	Valid func(p *Package, value any) error
	// Partition names where the objects of a package are kept.
	Partition func(p *Package, uri string) string
	// Patch applies a JSON Patch.
	Patch func(p *Package, document, patch []byte) ([]byte, error)
	// Select says whether an object meets a filter.
	Select func(filter any, value any) (bool, error)
	// Page is how many objects a query gives at most, and without a limit.
	Page func(limit int) int
	// Pages puts objects and the cursor of a further page, which may be empty, together.
	Pages func(objects []any, cursor string) any
	// Told gives what a verb tells about an object.
	Told func(verb, id string, value any) any
	// Bound gives the binding of a tool, false if it has none.
	Bound func(p *Package, name string) (Binding, bool)
	// Binders execute tools by the type of their binding.
	Binders map[string]Binder
	// Reach requests an address for a tool in the sandbox.
	Reach func(ctx context.Context, address string) error
	// Strange is what comes of a binding of a type that there is no binder for.
	Strange func(binding Binding) (Result, error)
	// Unbound is what comes of a tool that nobody can execute.
	Unbound func(p *Package, name string) (Result, error)
	// Arguments gives what a binding is passed.
	Arguments func(arguments object) object
}

// Chain is the registry.
type Chain struct {
	// Gates are what a transaction passes before it is written, in this order.
	Gates []Gate
	// Record gives what is kept of a transaction.
	Record func(t *Transaction) object
	// Event gives what is told of it.
	Event func(t *Transaction) []object
	// Refused gives the event of a transaction that was refused, nil for none.
	Refused func(t *Transaction) []object
}

// Publishing is the publisher.
type Publishing struct {
	// Prepare says whether a file may be published.
	Prepare func(p *Package) error
	// Holds says whether an author has a key of its DID.
	Holds func(ctx context.Context, by Author) error
	// Sign gives the file with its signature.
	Sign func(text []byte, by Author) ([]byte, error)
	// Upload stores a file and gives its CID.
	Upload func(ctx context.Context, content []byte) (string, error)
	// Submission gives what is submitted of a file.
	Submission func(p *Package, content []byte, cid string, by Author) object
	// Submit brings it to the registry.
	Submit func(ctx context.Context, submission object) error
}

// Indexing is the index.
type Indexing struct {
	// Attentive says whether the registry is asked for events that came since.
	Attentive func(since int) bool
	// Learn reads the file that an event tells of.
	Learn func(ctx context.Context, event object) (*Entry, error)
	// Newer says which of two versions of a name is the latest.
	Newer func(a, b *semver.Version) bool
	// Shown gives an entry as results hold it.
	Shown func(e *Entry) object
	// Found says whether an entry meets a query.
	Found func(e *Entry, query string) bool
	// Filtered says whether an entry meets filters.
	Filtered func(e *Entry, filters object) bool
	// Listed makes the result of a search.
	Listed func(entries []*Entry) any
	// Missing answers where nothing is known.
	Missing func(uri string) (any, error)
}

// Verb executes a tool of the runtime for a package. An error is told to the model.
type Verb func(ctx context.Context, p *Package, arguments object) (any, error)

// Binder executes a tool as its binding says. An error is told to the model.
type Binder func(ctx context.Context, binding Binding, arguments object) (Result, error)

// Installed gives the installed packages, in the order of their installation.
func (h *Host) Installed() []*Package {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return slices.Clone(h.packages)
}

// Triggered says whether a trigger of a package fits a message. Triggers of
// types that the host does not know, such as embeddings, fit nothing.
func (h *Host) Triggered(p *Package, text string) bool {
	return slices.ContainsFunc(p.Triggers, func(t Trigger) bool {
		matches := h.Triggers[t.Type]
		return matches != nil && matches(t.Value, text)
	})
}
