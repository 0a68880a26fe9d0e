package history

// The stimuli of the suite, as they stand in the record. The names are the same in every
// run.
const (
	Described  = "descriptions-again"      // the manifest and the registry once more
	Declared   = "channel-declarations"    // what each channel declares
	BothAgain  = "both-protocols-again"    // settles a doubt: the lists of CAP and of ACD
	NamesAgain = "names-and-entries-again" // settles a doubt: who names an id, and the registry

	Ordinary         = "ordinary-invocation"    // what may be invoked, in each mode that it declares
	EchoInputs       = "unusual-inputs"         // inputs that are easily mangled
	AtOnce           = "concurrent-invocations" // each with an input that nobody else has
	UnknownID        = "unknown-capability"     // ids that nobody has
	Permissions      = "missing-permissions"    // callers who lack something, and one who lacks nothing
	PermissionAbsent = "permission-unsaid"      // a copy without permissions.granted_by_default
	Granted          = "granted-permissions"    // a copy whose permissions are granted by default
	OtherModes       = "unlisted-modes"         // copies in modes that they do not list
	Disabled         = "disabled-copies"        // copies that are disabled
	Entries          = "entries-out-of-bounds"  // entries in other modes and without what they require
	Substrates       = "substrates"             // entries and copies on each substrate, and where they ran
	Created          = "copies-created"         // copies, and what is read of them
	ReadEntries      = "entries-read"           // an entry, and ids that nobody has
	Updated          = "copies-updated"         // a copy that is changed several times
	DeletedOnes      = "copies-deleted"         // a copy that is deleted, and its id taken again
	ByOne            = "queries-by-one-filter"  // every value that entries have, and copies that come and go
	BySeveral        = "queries-by-several"     // filters that are given together
	OldLists         = "old-lists"              // in each form, and the queries that replace them
	Immutables       = "immutable-capability"   // every way to change what is immutable
	Audits           = "logged-invocations"     // copies whose invocations are to be logged
	EntriesLogged    = "logged-entries"         // entries, between two readings of the records
	AuditAbsent      = "audit-unsaid"           // copies that do not say what is logged
	Values           = "logged-values"          // copies that say which values are logged
	HooksBefore      = "hooks-before"           // copies with hooks of pre_invoke
	HooksAfter       = "hooks-after"            // copies with hooks of post_invoke
	HooksOnError     = "hooks-on-error"         // copies with hooks of on_error
	EnabledAbsent    = "enabled-unsaid"         // copies that do not say whether they are enabled
	MutableAbsent    = "mutable-unsaid"         // copies that do not say whether they are mutable
	UsedAtOnce       = "used-at-once"           // a copy, directly after it was created
	Rejected         = "projections-rejected"   // what a channel has to refuse
	Shells           = "shells-on-channels"     // shells, and a copy that asks to be shown
	ThroughCLI       = "through-cli"            // what people may use, on the channel cli
	ProjectAgain     = "projection-again"       // settles a doubt: a projection, between two readings of the entry
	// settles a doubt: what a channel shows, between two readings of the entry
	ShownAgain   = "shown-again"
	DeclareAgain = "declaration-again" // settles a doubt: a declaration, between two manifests
	Indexed      = "copies-indexed"    // the manifest, while copies come, go and change
	Documented   = "copies-documented" // the documentation, while a copy comes, is renamed and goes
	// settles a doubt: the manifest, between two readings of the whole registry
	IndexAgain     = "index-and-registry-again"
	DocsAgain      = "documentation-again" // settles a doubt: the documentation, the registry and the manifest
	ByCreate       = "capability.create"   // what it makes
	ByEnable       = "capability.enable"   // what it enables
	ByBind         = "capability.bind"     // what it binds
	Composites     = "composites"          // with a language model, with one that fails, and without one
	Proxies        = "proxies"             // likewise
	Scripts        = "scripts"             // of the shell, for a caller who has what it requires
	RefusedScripts = "barred-scripts"      // for callers who lack something
	Sandbox        = "sandbox"             // a file and a listener of ours
	RunAgain       = "invocation-again"    // settles a doubt: a refused call and one that is accepted
	Orthogonal     = "orthogonal-members"  // copies that differ in members that affect no call
	// settles a doubt: a call that the descriptor forbids, between two readings of it
	RefuseAgain = "forbidden-call-again"
	ViewAgain   = "list-and-registry-again" // settles a doubt: a list, between two readings of the whole registry
	ReadAgain   = "entry-and-list-again"    // settles a doubt: an entry, between two readings of the whole registry
	WhereAgain  = "where-it-ran-again"      // settles a doubt: calls and the log of executions, between two readings
)

// The parameters of stimuli (Entry.About).
const (
	AboutID      = "id"      // that is looked for
	AboutBy      = "by"      // who names it: see ByManifest
	AboutChannel = "channel" // whose declaration it is
	AboutOf      = "of"      // the entry that has a hook
	AboutMode    = "mode"    // of a call that is made again
	AboutHeld    = "held"    // which permissions the caller of it has: see HeldAll
	AboutView    = "view"    // the operation of a list
	AboutParams  = "params"  // its params, as JSON
	AboutStep    = "step"    // of a stimulus: see StepPlain
	AboutCopyOf  = "copy-of" // of what the copy is one that the call makes
	AboutPart    = "part"    // of a look: see PartRefused
)

// Who names an id.
const (
	ByManifest    = "manifest"
	ByDeclaration = "declaration"
	ByHook        = "hook"
)

// StepPlain marks the change of a copy that nothing forbids.
const StepPlain = "plain"

// StepBefore marks the first reading of what is tried to be changed, and StepRestore what puts
// it back.
const (
	StepBefore  = "before"
	StepRestore = "restore"
)

// ByView names a list as the place that names an id.
const ByView = "view"

// The permissions of a caller.
const (
	HeldAll  = "all"
	HeldNone = "none"
)

// The parts of a look that compares two calls.
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

// What the shell does to us, if nothing keeps it from that.
const (
	OpFile       = "write"   // to a file of ours
	OpConnection = "connect" // to a listener of ours
)

// The steps of Composites and Proxies.
const (
	StepModel   = "with a model"
	StepFails   = "with a model that fails"
	StepNoModel = "without a model"
	StepUpdate  = "update"
)

// Alive is what AliveScript says, and Escaped what a script says that wrote a file of ours.
const (
	Alive       = "capconform-alive"
	AliveScript = "echo " + Alive
	Escaped     = "capconform-escaped"
)
