package history

// The operations of CAP.
const (
	OpList     = "capability.list"
	OpDescribe = "capability.describe"
	OpInvoke   = "capability.invoke"
)

// The operations of MCP that arrive at the server that the harness plays, and the folder of
// skills that it offers.
const (
	ServiceTools  = "tools/list"
	ServiceCall   = "tools/call"
	ServiceSkills = "skills"
)

// The stimuli of the suite, as they stand in the record. The names are the same in every
// run.
const (
	Described         = "descriptions"              // each listed pair is described
	Sound             = "sound-input"               // inputs that keep the input schema
	Unsound           = "unsound-input"             // inputs that each break one keyword
	UnlistedDescribed = "unlisted-description"      // describe of references that nobody lists
	UnlistedInvoked   = "unlisted-reference"        // invoke of references that nobody lists
	Neighbours        = "neighbouring-version"      // versions next to the listed ones, and fixtures
	InRole            = "role-invocation"           // the capability of each role
	FailingUnsound    = "unsound-input-for-failing" // inputs that break a keyword, for what fails on a sound one
	AtOnce            = "concurrent-callers"        // each with a different input
	Reduced           = "tools-of-reductions"       // describe of each tool that a skill is reduced to
	ListedAgain       = "list-again"                // three lists more
	Changed           = "changed-pairs"             // describe of what is listed no more, and of what came
	Replaced          = "replacement"               // a pair is exchanged for another
	Counted           = "counted-executions"        // unsound inputs between two readings of the counter
	AttachedTools     = "attached-tools"            // an MCP server that the harness plays
	AttachedSkills    = "attached-skills"           // a folder of skills
	Restart           = "restart"

	// These settle doubts.
	ListNow       = "list-now"           // what is listed now?
	DescribeAgain = "description-again"  // the same description once more, and one that came well before
	InvokeAgain   = "invocation-again"   // the same invocation once more, and one that came well before
	WithCustom    = "with-custom-member" // the invocation with the custom members of its manifest
	Hidden        = "hidden-pair"        // a description between two lists
	Flickering    = "flickering-pair"    // descriptions of a pair that some lists lack
)

// DoubtMembers is the doubt about an input with some of the optional members.
const DoubtMembers = "a rule between members that the schema does not state"

// The parameters of stimuli (Entry.About).
const (
	AboutRole   = "role"   // that the capability plays
	AboutForm   = "form"   // how an unlisted reference differs from the listed ones
	AboutRandom = "random" // the reference is such that nobody else can have come to it
	AboutBreaks = "breaks" // the keyword that an input breaks
	AboutWhy    = "why"    // how it breaks the keyword
	AboutEdge   = "edge"   // the limit of the schema at which a sound input is
	AboutDoubt  = "doubt"  // why a sound input may be refused all the same
	AboutStep   = "step"   // the part of a stimulus that has several
	AboutRound  = "round"  // of Counted
	AboutTool   = "tool"   // of AttachedTools and AttachedSkills: what the capability was made of
	AboutNumber = "number" // of AtOnce: the caller
)

// The steps of stimuli.
const (
	StepAgain   = "again"
	StepBefore  = "before"
	StepAfter   = "after"
	StepControl = "control"
	StepServes  = "serves"  // of InRole: a capability that worked before
	StepFails   = "fails"   // of InRole, in doubt: the capability that failed
	StepWaits   = "waits"   // of InRole, in doubt: until it serves again
	StepRead    = "read"    // of Counted: the counter
	StepRepeat  = "repeat"  // of Counted: an unsound input
	StepOld     = "old"     // of Replaced: the pair that is gone
	StepForeign = "foreign" // of Replaced: another version of its id
	StepNew     = "new"     // of Replaced: the pair that came
	StepOldWith = "old-input"
	StepAttach  = "attach"
	StepDetach  = "detach"
	StepWith    = "with"    // of WithCustom: the members are sent along
	StepWithout = "without" // of WithCustom
)
