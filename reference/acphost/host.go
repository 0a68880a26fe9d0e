// Package acphost is the ACP part of the reference host: a router with its runtime, a publisher, a
// registry and an index. Its behaviours are fields, so that a mutant or a variant can replace one of
// them and leave the others unchanged.
package acphost

import (
	"context"
	"crypto/sha256"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/Masterminds/semver/v3"
	"github.com/google/uuid"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/capconform/capconform/reference/rpc"
)

// The operations that control an ACP subject.
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

// Host plays all actors of ACP. The behaviours must be set before the first call and not changed
// afterwards; then the operations are safe for concurrent use.
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
	// Store contains the state that survives a restart.
	Store *Store
	// Reopen restarts the store.
	Reopen func() error
	// Now returns the current time.
	Now func() time.Time
	// NewID returns a new unique id.
	NewID func() string

	client    *http.Client
	ownAuthor Author // the author as which the host publishes

	expressions sync.Map   // func(text string) bool, by the text of a regular expression
	files       sync.Map   // *file, by the SHA-256 of its text
	contracts   sync.Map   // see file
	chainMutex  sync.Mutex // held while a transaction is checked

	mutex         sync.Mutex
	configuration Configuration
	conversations map[string]*Conversation
	packages      []*Package // in the order of installation
	models        []Model    // of the configured service, nil before the first request
	services      map[string]*mcp.ClientSession
	index         *index
}

// Installation contains the steps of an installation.
type Installation struct {
	// Fetch downloads a file by its CID.
	Fetch func(ctx context.Context, cid string) ([]byte, error)
	// CheckCID returns an error unless the bytes match a CID.
	CheckCID func(cid string, content []byte) error
	// Parse parses a file.
	Parse func(text []byte) (*Package, error)
	// Rules contains the rules for packages.
	Rules []Rule
	// AuthorOf returns the DID of the author who must have signed a package.
	AuthorOf func(ctx context.Context, p *Package) (string, error)
	// KeysOf returns the keys of a DID that may sign, the likeliest first.
	KeysOf func(ctx context.Context, did string) ([]Key, error)
	// Expired reports whether a key of a document has expired.
	Expired func(key Key) bool
	// Verify returns an error unless one of the keys signed a package.
	Verify func(p *Package, keys []Key) error
	// CheckPrompt returns an error if a prompt must not be mounted.
	CheckPrompt func(prompt string) error
	// Mount returns the installed packages with a verified package added.
	Mount func(installed []*Package, p *Package) []*Package
	// Dismount returns the installed packages without one package.
	Dismount func(installed []*Package, p *Package) []*Package
	// Cached returns an installed file by its CID, nil if there is none.
	Cached func(cid string) []byte
}

// Routing contains the steps by which a message finds its capability.
type Routing struct {
	// Commands contains the explicit commands of a user, by their first word.
	Commands map[string]func(c *Conversation, argument string) string
	// Find returns the installed package with a name, nil if there is none.
	Find func(name string) *Package
	// Route returns the capability for a message, nil if there is none.
	Route func(ctx context.Context, c *Conversation, text string) *Package
	// Classify returns the installed capability whose triggers match a message, nil if there is none.
	Classify func(ctx context.Context, text string) *Package
	// Triggers contains, by type, functions that report whether a trigger matches a message.
	Triggers map[string]func(value, text string) bool
	// ReplaceActive replaces a capability on the stack by another one. The argument from is nil if the
	// stack was empty.
	ReplaceActive func(c *Conversation, from, to *Package)
	// Fallback answers a message that no capability fits.
	Fallback func(ctx context.Context, c *Conversation, text string) (string, error)
	// Finished reports whether the result of a tool ends the capability.
	Finished func(result Result) bool
	// Leave removes the capability on top at the end of a turn.
	Leave func(c *Conversation, p *Package)
	// AnswerTimeout returns the time that a tool or the model may take.
	AnswerTimeout func() time.Duration
	// GiveUp ends a capability that took too long.
	GiveUp func(c *Conversation, p *Package) string
}

// Prompting contains the steps that determine what the model receives, and how its answer is processed.
type Prompting struct {
	// System returns the first message.
	System func(p *Package) string
	// Role is the role of the first message.
	Role string
	// History reports whether requests contain earlier turns of a capability.
	History bool
	// ToolsOf returns the tools that the model receives.
	ToolsOf func(p *Package) []Tool
	// Rename returns the name of a tool as the model receives it.
	Rename func(name string) string
	// Parameters returns the schema of a tool's arguments as the model receives it.
	Parameters func(p *Package, tool Tool) any
	// ChangeRequest may change the first request of a turn.
	ChangeRequest func(turn *Turn, request map[string]any) map[string]any
	// ChooseModel returns the model for a package.
	ChooseModel func(models []Model, p *Package) string
	// Complete sends a request to a model.
	Complete func(ctx context.Context, request object) (Reply, error)
	// FormatResult returns the result of a tool as text for the model.
	FormatResult func(result Result) string
}

// Runtime contains the steps by which tools are executed.
type Runtime struct {
	// BuiltIn reports whether the runtime itself provides a tool.
	BuiltIn func(p *Package, name string) bool
	// Verbs contains the built-in tools, by name.
	Verbs map[string]Verb
	// CheckPermission returns an error unless a package may use a tool of the runtime.
	CheckPermission func(p *Package, name string) error
	// CheckSchemaURI returns an error unless a package may pass a schema URI to a tool of the runtime.
	CheckSchemaURI func(p *Package, verb, uri string) error
	// CheckObject returns an error unless an object is valid against the schema of a package.
	CheckObject func(p *Package, value any) error
	// Partition returns the name of the partition of a package's objects.
	Partition func(p *Package, uri string) string
	// Patch applies a JSON Patch.
	Patch func(p *Package, document, patch []byte) ([]byte, error)
	// Matches reports whether an object matches a filter.
	Matches func(filter any, value any) (bool, error)
	// PageSize returns the number of objects in a page for a limit, which is zero if the query has none.
	PageSize func(limit int) int
	// FormatPage combines objects with the cursor of the next page, which may be empty, into a result.
	FormatPage func(objects []any, cursor string) any
	// FormatChange returns the result of a verb on an object, as the model receives it.
	FormatChange func(verb, id string, value any) any
	// BindingOf returns the binding of a tool, and false if it has none.
	BindingOf func(p *Package, name string) (Binding, bool)
	// Binders contains the functions that execute tools, by the type of their binding.
	Binders map[string]Binder
	// ReachFromSandbox requests an address for a tool in the sandbox.
	ReachFromSandbox func(ctx context.Context, address string) error
	// RunUnknownType executes a binding of an unknown type.
	RunUnknownType func(binding Binding) (Result, error)
	// RunUnbound answers a call of a tool without a binding.
	RunUnbound func(p *Package, name string) (Result, error)
	// Arguments returns the arguments that a binding receives.
	Arguments func(arguments object) object
}

// Chain contains the steps of the registry.
type Chain struct {
	// Checks contains the checks of a transaction before it is written, in order.
	Checks []TransactionCheck
	// RecordOf returns what the registry stores of a transaction.
	RecordOf func(t *Transaction) object
	// EventsOf returns the events of a transaction.
	EventsOf func(t *Transaction) []object
	// RefusalEvents returns the events of a refused transaction, nil if there are none.
	RefusalEvents func(t *Transaction) []object
}

// Publishing contains the steps of the publisher.
type Publishing struct {
	// CheckPackage returns an error if a file must not be published.
	CheckPackage func(p *Package) error
	// CheckKey returns an error unless an author has a key of its DID.
	CheckKey func(ctx context.Context, by Author) error
	// Sign returns the file with its signature.
	Sign func(text []byte, by Author) ([]byte, error)
	// Upload stores a file and returns its CID.
	Upload func(ctx context.Context, content []byte) (string, error)
	// Submission returns the values that are submitted for a file.
	Submission func(p *Package, content []byte, cid string, by Author) object
	// Submit sends them to the registry.
	Submit func(ctx context.Context, submission object) error
}

// Indexing contains the steps of the index.
type Indexing struct {
	// AsksForEvents reports whether the index asks the registry for new events.
	AsksForEvents func(since int) bool
	// Learn downloads the file of an event and returns its entry.
	Learn func(ctx context.Context, event object) (*Entry, error)
	// Newer reports whether the first of two versions of a name is later.
	Newer func(a, b *semver.Version) bool
	// FormatEntry returns an entry in the form in which results contain it.
	FormatEntry func(e *Entry) object
	// MatchesQuery reports whether an entry matches a query.
	MatchesQuery func(e *Entry, query string) bool
	// MatchesFilters reports whether an entry matches filters.
	MatchesFilters func(e *Entry, filters object) bool
	// FormatResults returns the result of a search.
	FormatResults func(entries []*Entry) any
	// AnswerUnknown answers a request for an unknown capability.
	AnswerUnknown func(uri string) (any, error)
}

// Verb executes a built-in tool for a package. Its error is reported to the model.
type Verb func(ctx context.Context, p *Package, arguments object) (any, error)

// Binder executes a tool by its binding. Its error is reported to the model.
type Binder func(ctx context.Context, binding Binding, arguments object) (Result, error)

// Installed returns the installed packages, in the order of installation.
func (h *Host) Installed() []*Package {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return slices.Clone(h.packages)
}

// MatchesTrigger reports whether a trigger of a package matches a message. Triggers of
// types that the host does not know, such as embeddings, match nothing.
func (h *Host) MatchesTrigger(p *Package, text string) bool {
	return slices.ContainsFunc(p.Triggers, func(t Trigger) bool {
		matches := h.Triggers[t.Type]
		return matches != nil && matches(t.Value, text)
	})
}

// parse returns the package in a text. The YAML of each text is parsed only once.
func (h *Host) parse(text []byte) (*Package, error) {
	sum := sha256.Sum256(text)
	if known, is := h.files.Load(sum); is {
		f, _ := known.(*file)
		return packageOf(text, f, nil), nil
	}
	f, err := readFile(text)
	if err != nil {
		return nil, err
	}
	f.contracts = &h.contracts
	h.files.Store(sum, f)
	return packageOf(text, f, nil), nil
}

// New returns a conforming host that stores its state in store.
func New(store *Store) *Host {
	h := &Host{
		Profile: BlankToken, Store: store, Now: time.Now, NewID: uuid.NewString,
		client: newClient(), conversations: map[string]*Conversation{}, services: map[string]*mcp.ClientSession{},
		index: newIndex(),
	}
	h.ownAuthor, h.Reopen = NewAuthor(), store.Restart
	h.Provided = map[string]rpc.Operation{
		OpConfigure: h.configure, OpInstall: installer{h}.install, OpUninstall: installer{h}.uninstall,
		OpMessage: router{h}.message, OpState: router{h}.state,
		OpAuthor: publisher{h}.author, OpPublish: registrar{h}.publish, OpGet: registrar{h}.getRecord,
		OpEvents: registrar{h}.events, OpResolve: indexer{h}.resolve, OpSearch: indexer{h}.search,
	}
	h.Installation = installer{h}.installation()
	h.Routing = router{h}.routing()
	h.Prompting = prompter{h}.prompting()
	h.Runtime = verbs{h}.runtime()
	h.Chain = registrar{h}.chain()
	h.Publishing = publisher{h}.publishing()
	h.Indexing = indexer{h}.indexing()
	return h
}
