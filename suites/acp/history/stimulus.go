package history

// The stimuli of the suite, as they stand in the record. The names are the same in every
// run.
const (
	Duties       = "operations-of-a-router" // what a router cannot do without, asked for nothing
	LongMessages = "long-messages"          // to packages with long prompts, in one conversation as well
)

// The stimuli about the built-in tools. Each call of a tool that has an effect is followed by
// a query for the object.
const (
	Kept           = "objects-kept"             // created, whole and with unusual values
	Patched        = "objects-patched"          // by each operation of JSON Patch
	Deleted        = "objects-deleted"          // softly, and for good
	Filtered       = "queries-by-filter"        // by each operator
	Paged          = "query-in-pages"           // more objects than a page holds
	Invalid        = "unsound-objects"          // that break the schema
	ForeignURI     = "calls-under-another-uri"  // that no package owns
	Undeclared     = "undeclared-verbs"         // calls of tools that the package did not declare
	OtherScope     = "calls-from-another-scope" // on the objects of another package
	BoundVerbs     = "built-in-tools-bound"     // by bindings of the package
	StricterSchema = "package-of-objects-grown" // upgraded by one with another verb and a stricter schema
	Failing        = "tool-that-fails"          // how a failure is told
	Restarted      = "restart"                  // of the subject
)

// The parameters of stimuli (Entry.About).
const (
	AboutBreaks = "breaks" // what a call of the model breaks on purpose: see BreaksSchema
	AboutSince  = "since"  // "upgrade": what the version before did not have
	AboutFilter = "filter" // the operator of a query
	AboutPage   = "page"   // of a query in pages: "limited" or "whole"
	AboutForm   = "form"   // of an object, or of a result: see FormFails
	AboutMode   = "mode"   // of a deletion
)

// What a call of the model breaks.
const (
	BreaksSchema = "schema"
	BreaksPatch  = "schema-by-patch"
	BreaksURI    = "schema-uri"
	BreaksVerb   = "verb"
	BreaksScope  = "memory-scope"
)

// ModeUnstated is a deletion whose call names no mode.
const ModeUnstated = "unstated"

// SinceUpgrade marks what only the newer version of a package has.
const SinceUpgrade = "upgrade"

// FormNarrow is the form of a valid object whose schema asks for much.
const FormNarrow = "narrow"

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

// FormNamed is the form of a valid object whose members have names or values that mean something to some stores.
const FormNamed = "named"

// The stimuli about the other tools of a package.
const (
	Bound          = "bound-tools"             // of each type of binding, to two places each
	Placeholder    = "agent-by-a-placeholder"  // a binding names its agent by an argument
	Unbound        = "tool-that-is-not-bound"  // in a package that binds others
	UnknownType    = "binding-of-unknown-type" // a type that nobody knows
	ToolsOfOneName = "tools-of-one-name"       // of two packages, of which both or one binds its own
	Replaced       = "package-replaced"        // by one with another trigger and another binding
	Families       = "models-of-families"      // packages that ask for them
	Confined       = "tool-in-a-sandbox"       // that requests an address
)

// TypeUnknown is a type of binding that nobody knows.
const TypeUnknown = "capconform_teleport"

// PlaceOfConfined begins the address that a tool in a sandbox requests.
const PlaceOfConfined = "confined-"

// The stimuli by which unsound packages are offered, each with a sound twin.
const (
	Flawed    = "packages-"            // with the kind of the flaw
	Attacking = "prompts-of-an-attack" // on the model
)

// The parameters of an installation of an unsound package.
const (
	AboutFlaw = "flaw" // its kind: see FlawUnsigned
	AboutWhat = "what" // what is wrong, in words that stand behind "a package"
	AboutRule = "rule" // the requirement that the package breaks
)

// The kinds of flaws.
const (
	FlawUnsigned     = "unsigned"
	FlawUnverifiable = "unverifiable"
	FlawForeign      = "foreign" // signed by somebody else
	FlawChanged      = "changed"
	FlawInvalid      = "invalid"
	FlawReformatted  = "reformatted"
	FlawMisplaced    = "misplaced" // under the CID of other bytes
)

// Flaws are all kinds.
func Flaws() []string {
	return []string{FlawUnsigned, FlawUnverifiable, FlawForeign, FlawChanged, FlawInvalid, FlawReformatted, FlawMisplaced}
}

// The forms in which an unsound package is offered, unless it was never seen before.
const (
	FormNewer = "newer" // as a newer version of one that is installed
	FormBack  = "back"  // in place of its sound form, which was uninstalled
	FormLarge = "large" // as FormBack, with a long prompt; a subject may refuse its sound form as too large
)

// The stimuli about routing, and about packages that come and go.
const (
	OwnExpressions = "own-regular-expressions" // begin a conversation each
	OwnKeywords    = "own-keywords"            // as above
	Alternating    = "to-and-fro"              // one conversation with two packages
	TopByEither    = "top-by-either"           // a message that the active capability and another one match
	TopByKeyword   = "top-by-keyword"          // as above, by keywords alone
	Elsewhere      = "trigger-of-another"      // in a conversation in which one is active
	Back           = "back"                    // the command
	BackElsewhere  = "back-elsewhere"          // in another conversation
	Switch         = "switch"                  // the command
	Neutral        = "no-trigger"              // a message that none matches
	Done           = "done"                    // tools that say it, and some that do not
	DoneElsewhere  = "done-elsewhere"          // in another conversation
	DoneAbove      = "done-above"              // another capability, which stays
	LostMessage    = "lost-message"            // to another capability, and then back
	ToolThatHangs  = "tool-that-hangs"
	Removed        = "package-removed" // installed again, and removed again
	Upgraded       = "package-upgraded"
	Unserved       = "package-unserved"  // by the gateway, after it was installed
	Unreached      = "package-unreached" // by any message so far: two more, each behind one that reaches another package
)

// AboutCase is what a message, a look at a stack or an installation is for.
const AboutCase = "case"

// The cases.
const (
	CaseOwn             = "own"       // only the trigger of one package matches
	CaseLong            = "long"      // as CaseOwn, in a message that a subject may refuse as too long
	CaseOther           = "other"     // as CaseOwn, after another package was uninstalled
	CaseActivates       = "activates" // as CaseOwn: what follows in the conversation is about that package
	CaseKept            = "kept"      // the triggers of two match, and the active one is to get it
	CaseLeft            = "left"      // as above, and the one that was active is not to get it
	CaseSwitched        = "switched"  // as above, and the other one is to get it
	CaseNewConversation = "contest"   // as above, in a new conversation
	CaseCommand         = "command"
	CaseNone            = "none"  // no trigger matches
	CaseHangs           = "hangs" // the tool that the model calls hangs
	CaseAgain           = "again" // an installation after an uninstallation
)
