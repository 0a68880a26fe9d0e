package history

// The operations of CAP.
const (
	OpList     = "capability.list"
	OpDescribe = "capability.describe"
	OpInvoke   = "capability.invoke"
)

// The operations of MCP that arrive at the server of the harness, and the folder of skills that
// it offers.
const (
	ServiceTools  = "tools/list"
	ServiceCall   = "tools/call"
	ServiceSkills = "skills"
)

// The names of the stimuli in the record. They are the same in every run.
const (
	Described         = "descriptions"         // each listed pair is described
	Valid             = "sound-input"          // inputs that satisfy the input schema
	Invalid           = "unsound-input"        // inputs that each break one keyword
	UnlistedDescribed = "unlisted-description" // describe of references that are not listed
	UnlistedInvoked   = "unlisted-reference"   // invoke of references that are not listed
	Neighbours        = "neighbouring-version" // versions next to the listed ones, and fixtures
	InRole            = "role-invocation"      // the capability of each role
	// FailingInvalid: inputs that break a keyword, for capabilities that fail on a valid one
	FailingInvalid = "unsound-input-for-failing"
	AtOnce         = "concurrent-callers"     // each with a different input
	Together       = "concurrent-invocations" // of ordinary capabilities, each with a different input if possible
	Reduced        = "tools-of-reductions"    // describe of each tool that a skill is reduced to
	ListedAgain    = "list-again"             // three more lists
	Changed        = "changed-pairs"          // describe of removed and of new pairs
	Replaced       = "replacement"            // a pair is replaced
	Counted        = "counted-executions"     // invalid inputs between two readings of the counter
	AttachedTools  = "attached-tools"         // an MCP server of the harness
	AttachedSkills = "attached-skills"        // a folder of skills
	Restart        = "restart"

	// These settle doubts.
	ListNow       = "list-now"           // a list
	DescribeAgain = "description-again"  // the same description again, and one that was correct before
	InvokeAgain   = "invocation-again"   // the same invocation again, and one that succeeded before
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
	AboutRandom = "random" // the reference is random, so that no other user can have registered it
	AboutBreaks = "breaks" // the keyword that an input breaks
	AboutWhy    = "why"    // how it breaks the keyword
	AboutEdge   = "edge"   // the limit of the schema at which a valid input is
	AboutDoubt  = "doubt"  // why a valid input may still be refused
	AboutStep   = "step"   // the part of a stimulus that has several
	AboutRound  = "round"  // of Counted
	AboutTool   = "tool"   // of AttachedTools and AttachedSkills: the tool or skill of the capability
	AboutNumber = "number" // of AtOnce and Together: the caller
)

// The steps of stimuli.
const (
	StepAgain        = "again"
	StepBefore       = "before"
	StepAfter        = "after"
	StepControl      = "control"
	StepAfterRefusal = "after-refusal" // of Invalid and UnlistedInvoked: a success again
	StepServes       = "serves"        // of InRole: a capability that worked before
	StepFails        = "fails"         // of InRole, in doubt: the capability that failed
	StepWaits        = "waits"         // of InRole, in doubt: until it serves again
	StepRead         = "read"          // of Counted: the counter
	StepRepeat       = "repeat"        // of Counted: an invalid input
	StepOld          = "old"           // of Replaced: the removed pair
	StepForeign      = "foreign"       // of Replaced: another version of its id
	StepNew          = "new"           // of Replaced: the new pair
	StepOldWith      = "old-input"
	StepAttach       = "attach"
	StepDetach       = "detach"
	StepWith         = "with"    // of WithCustom: with the members
	StepWithout      = "without" // of WithCustom
)
