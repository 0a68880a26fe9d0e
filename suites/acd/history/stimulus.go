package history

// The names of the stimuli in the record. They are the same in every run.
const (
	Described  = "descriptions-again"      // the manifest and the registry once more
	Declared   = "channel-declarations"    // what each channel declares
	BothAgain  = "both-protocols-again"    // settles a doubt: the lists of CAP and of ACD
	NamesAgain = "names-and-entries-again" // settles a doubt: the answer that names an id, and the registry

	Ordinary         = "ordinary-invocation"    // the entries that may be invoked, in each declared mode
	EchoInputs       = "unusual-inputs"         // inputs that hosts often corrupt
	AtOnce           = "concurrent-invocations" // each with an input that occurs nowhere else
	UnknownID        = "unknown-capability"     // ids that do not exist
	Permissions      = "missing-permissions"    // callers without some permission, and one with all
	PermissionAbsent = "permission-unsaid"      // a copy without permissions.granted_by_default
	Granted          = "granted-permissions"    // a copy whose permissions are granted by default
	OtherModes       = "unlisted-modes"         // copies in modes that they do not list
	Disabled         = "disabled-copies"        // copies that are disabled
	Entries          = "entries-out-of-bounds"  // entries in other modes and without required permissions
	Substrates       = "substrates"             // entries and copies on each substrate, and the log of executions
	Created          = "copies-created"         // copies, and readings of them
	ReadEntries      = "entries-read"           // entries, and ids that do not exist
	Updated          = "copies-updated"         // a copy that is changed several times
	DeletedOnes      = "copies-deleted"         // a copy that is deleted, and another one with the same id
	ByOne            = "queries-by-one-filter"  // every value that entries have, and copies that are added and removed
	BySeveral        = "queries-by-several"     // several filters in one query
	OldLists         = "old-lists"              // in each form, and the queries that replace them
	Immutables       = "immutable-capability"   // every way to change an immutable entry
	Audits           = "logged-invocations"     // copies whose invocations must be logged
	EntriesLogged    = "logged-entries"         // entries, between two readings of the records
	AuditAbsent      = "audit-unsaid"           // copies without some members of audit
	Values           = "logged-values"          // copies that declare which values are logged
	HooksBefore      = "hooks-before"           // copies with hooks of pre_invoke
	HooksAfter       = "hooks-after"            // copies with hooks of post_invoke
	HooksOnError     = "hooks-on-error"         // copies with hooks of on_error
	EnabledAbsent    = "enabled-unsaid"         // copies without status.enabled
	MutableAbsent    = "mutable-unsaid"         // copies without status.mutable
	UsedAtOnce       = "used-at-once"           // a copy, directly after it was created
	Rejected         = "projections-rejected"   // projections that a channel must refuse
	Shells           = "shells-on-channels"     // shells, and a copy that names a channel
	ThroughCLI       = "through-cli"            // the capabilities for people, on the channel cli
	ProjectAgain     = "projection-again"       // settles a doubt: a projection, between two readings of the entry
	// ShownAgain settles a doubt: a declaration of a channel, between two readings of the entry.
	ShownAgain   = "shown-again"
	DeclareAgain = "declaration-again" // settles a doubt: a declaration, between two manifests
	Indexed      = "copies-indexed"    // the manifest, while copies are created, changed and deleted
	Documented   = "copies-documented" // the documentation, while a copy is created, renamed and deleted
	// IndexAgain settles a doubt: the manifest, between two readings of the whole registry.
	IndexAgain     = "index-and-registry-again"
	DocsAgain      = "documentation-again" // settles a doubt: the documentation, the registry and the manifest
	ByCreate       = "capability.create"   // which capabilities it creates
	ByEnable       = "capability.enable"   // which capabilities it enables
	ByBind         = "capability.bind"     // which capabilities it binds
	Composites     = "composites"          // with a language model, with one that fails, and without one
	Proxies        = "proxies"             // the same
	Scripts        = "scripts"             // of the shell, for a caller with all required permissions
	RefusedScripts = "barred-scripts"      // for callers who lack a required permission
	Sandbox        = "sandbox"             // a file and a listener of the suite
	RunAgain       = "invocation-again"    // settles a doubt: a refused call and one that is accepted
	Orthogonal     = "orthogonal-members"  // copies that differ in members that affect no call
	// RefuseAgain settles a doubt: a call that the descriptor forbids, between two readings of it.
	RefuseAgain = "forbidden-call-again"
	ViewAgain   = "list-and-registry-again" // settles a doubt: a list, between two readings of the whole registry
	ReadAgain   = "entry-and-list-again"    // settles a doubt: an entry, between two readings of the whole registry
	WhereAgain  = "where-it-ran-again"      // settles a doubt: calls and the log of executions, between two readings
)

// The parameters of stimuli (Entry.About).
const (
	AboutID      = "id"      // the id that the doubt is about
	AboutBy      = "by"      // which answer names it: see ByManifest
	AboutChannel = "channel" // whose declaration it is
	AboutOf      = "of"      // the entry that has a hook
	AboutMode    = "mode"    // of a call that is repeated
	AboutHeld    = "held"    // which permissions its caller has: see HeldAll
	AboutView    = "view"    // the operation of a list
	AboutParams  = "params"  // its params, as JSON
	AboutStep    = "step"    // of a stimulus: see StepPlain
	AboutCopyOf  = "copy-of" // the original of the copy that the call creates
	AboutPart    = "part"    // of a repetition: see PartRefused
)

// The answers that may name an id.
const (
	ByManifest    = "manifest"
	ByDeclaration = "declaration"
	ByHook        = "hook"
)

// StepPlain marks a permitted change of a copy.
const StepPlain = "plain"

// StepBefore marks the first reading of an entry before the attempts to change it, or of the records before a call, and
// StepRestore the call that restores it.
const (
	StepBefore  = "before"
	StepRestore = "restore"
)

// ByView means that a list names the id.
const ByView = "view"

// The permissions of a caller.
const (
	HeldAll  = "all"
	HeldNone = "none"
)

// The parts of a repetition that compares two calls.
const (
	PartRefused = "refused"
	PartControl = "control"
)

// The permissions that copies need.
const (
	FirstPermission  = "conformance.first"
	SecondPermission = "conformance.second"
	ThirdPermission  = "conformance.third"
)

// The effects of the shell on the suite, if no sandbox prevents them.
const (
	OpFile       = "write"   // to a file of the suite
	OpConnection = "connect" // to a listener of the suite
)

// The steps of Composites and Proxies.
const (
	StepModel   = "with a model"
	StepFails   = "with a model that fails"
	StepNoModel = "without a model"
	StepUpdate  = "update"
)

// Alive is the output of AliveScript, and Escaped the output of a script that wrote a file of
// the suite.
const (
	Alive       = "capconform-alive"
	AliveScript = "echo " + Alive
	Escaped     = "capconform-escaped"
)
