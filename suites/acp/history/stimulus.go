package history

// The names of the stimuli of the suite in the record. They are the same in every run.
const (
	RequiredOperations = "operations-of-a-router" // the operations that a router must serve, with empty params
	LongMessages       = "long-messages"          // to packages with long prompts, each alone and all in one conversation
)

// The stimuli for the built-in tools. Each call that changes an object is followed by a query for the
// object.
const (
	ObjectsStored    = "objects-kept"             // objects are created, also with unusual values
	ObjectsPatched   = "objects-patched"          // by each operation of JSON Patch
	ObjectsDeleted   = "objects-deleted"          // by soft and hard deletion
	FilteredQueries  = "queries-by-filter"        // by each operator
	PagedQuery       = "query-in-pages"           // more objects than a page contains
	InvalidObjects   = "unsound-objects"          // objects that break the schema
	ForeignURI       = "calls-under-another-uri"  // under a schema URI that no package owns
	UndeclaredVerbs  = "undeclared-verbs"         // calls of tools that the package did not declare
	OtherScope       = "calls-from-another-scope" // on the objects of another package
	BoundVerbs       = "built-in-tools-bound"     // by bindings of the package
	StricterSchema   = "package-of-objects-grown" // upgraded by a version with another verb and a stricter schema
	FailingTool      = "tool-that-fails"          // shows how the subject reports a failure
	SubjectRestarted = "restart"                  // of the subject
)

// The parameters of stimuli (Entry.About).
const (
	AboutBreaks = "breaks" // the rule that a call of the model breaks on purpose: see BreaksSchema
	AboutSince  = "since"  // "upgrade": the previous version lacked the verb or the rule
	AboutFilter = "filter" // the operator of a query
	AboutPage   = "page"   // of a query in pages: "limited" or "whole"
	AboutForm   = "form"   // of an object, or of a result: see FormFails
	AboutMode   = "mode"   // of a deletion
)

// The values of AboutBreaks.
const (
	BreaksSchema = "schema"
	BreaksPatch  = "schema-by-patch"
	BreaksURI    = "schema-uri"
	BreaksVerb   = "verb"
	BreaksScope  = "memory-scope"
)

// ModeUnstated is the value of AboutMode for a deletion whose call names no mode.
const ModeUnstated = "unstated"

// SinceUpgrade marks a call that depends on what only the newer version of a package contains.
const SinceUpgrade = "upgrade"

// FormManyKeywords is the form of a valid object whose schema has many keywords.
const FormManyKeywords = "narrow"

// FormModel is the form of a turn in which the model hangs, not a tool.
const FormModel = "model"

// The forms of patches that a subject may refuse as a whole. What it reports as applied is applied.
const (
	FormNull  = "null"
	FormWhole = "the whole object"
)

// The forms of results of Failing.
const (
	FormFails = "fails"
	FormWorks = "works"
)

// FormUnusualNames is the form of a valid object whose members have names or values that mean something
// to some stores.
const FormUnusualNames = "named"

// The stimuli about the other tools of a package.
const (
	BoundTools         = "bound-tools"             // two places for each type of binding
	AgentPlaceholder   = "agent-by-a-placeholder"  // a binding names its agent by an argument
	UnboundTool        = "tool-that-is-not-bound"  // in a package that binds other tools
	UnknownBindingType = "binding-of-unknown-type" // a type that does not exist
	ToolsOfOneName     = "tools-of-one-name"       // of two packages; both bind the tool, or only one does
	PackageReplaced    = "package-replaced"        // by a version with another trigger and another binding
	ModelFamilies      = "models-of-families"      // packages that require a model family
	ConfinedTool       = "tool-in-a-sandbox"       // it requests an address
)

// UndefinedBindingType is a type of binding that does not exist.
const UndefinedBindingType = "capconform_teleport"

// ConfinedPathPrefix is the prefix of the place that a tool in a sandbox requests.
const ConfinedPathPrefix = "confined-"

// The stimuli that offer invalid packages, each followed by its valid form.
const (
	FlawedPackages   = "packages-"            // followed by the kind of the flaw
	AttackingPrompts = "prompts-of-an-attack" // on the model
)

// The parameters of the installation of an invalid package.
const (
	AboutFlaw = "flaw" // the kind of flaw: see FlawUnsigned
	AboutWhat = "what" // what is wrong, in words that follow "a package"
	AboutRule = "rule" // the requirement that the package breaks
)

// The kinds of flaws.
const (
	FlawUnsigned     = "unsigned"
	FlawUnverifiable = "unverifiable"
	FlawForeign      = "foreign" // signed by another author
	FlawChanged      = "changed"
	FlawInvalid      = "invalid"
	FlawReformatted  = "reformatted"
	FlawMisplaced    = "misplaced" // under the CID of other bytes
)

// Flaws returns all kinds of flaws.
func Flaws() []string {
	return []string{FlawUnsigned, FlawUnverifiable, FlawForeign, FlawChanged, FlawInvalid, FlawReformatted, FlawMisplaced}
}

// The forms in which an invalid package is offered. The parameter is absent if the package was never
// seen before.
const (
	FormNewer       = "newer" // as a newer version of an installed package
	FormReinstalled = "back"  // in place of its valid form, which was uninstalled
	FormLarge       = "large" // as FormReinstalled, with a long prompt; a subject may refuse the valid form as too large
)

// The stimuli for routing, and for packages that are removed or upgraded.
const (
	OwnExpressions          = "own-regular-expressions" // each begins a conversation
	OwnKeywords             = "own-keywords"            // as above
	Alternating             = "to-and-fro"              // one conversation with two packages
	TopByEither             = "top-by-either"           // a message that the active capability and another one match
	TopByKeyword            = "top-by-keyword"          // as above, by keywords only
	TriggerOfOther          = "trigger-of-another"      // in a conversation with another active capability
	BackCommand             = "back"                    // the command
	BackInOtherConversation = "back-elsewhere"          // in another conversation
	SwitchCommand           = "switch"                  // the command
	NoTriggerMatches        = "no-trigger"              // a message that no trigger matches
	DoneReported            = "done"                    // tools that report done, and tools that do not
	DoneInOtherConversation = "done-elsewhere"          // in another conversation
	DoneAbove               = "done-above"              // another capability is done, and this one stays
	LostMessage             = "lost-message"            // to another capability, and then back
	ToolThatHangs           = "tool-that-hangs"
	PackageRemoved          = "package-removed" // installed again, and removed again
	PackageUpgraded         = "package-upgraded"
	PackageUnserved         = "package-unserved"  // by the gateway, after its installation
	PackageUnreached        = "package-unreached" // by any message; two more follow, each after one for another package
)

// AboutCase is the purpose of a message, a call of acp.state or an installation.
const AboutCase = "case"

// The cases.
const (
	CaseOwnTrigger      = "own"       // only the trigger of one package matches
	CaseLongMessage     = "long"      // as CaseOwnTrigger, with a message that a subject may refuse as too long
	CaseOtherPackage    = "other"     // as CaseOwnTrigger, after another package was uninstalled
	CaseActivates       = "activates" // as CaseOwnTrigger; the rest of the conversation is about that package
	CaseStillActive     = "kept"      // the triggers of two packages match, and the active one must receive the message
	CaseNotActive       = "left"      // as above, but the package that was active must not receive the message
	CaseSwitched        = "switched"  // as above, and the other one must receive the message
	CaseNewConversation = "contest"   // as above, in a new conversation
	CaseCommand         = "command"
	CaseNoTrigger       = "none"  // no trigger matches
	CaseHangs           = "hangs" // the tool that the model calls hangs
	CaseReinstall       = "again" // an installation after an uninstallation
)
