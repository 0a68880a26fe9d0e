package acpsuite

import (
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/judge"
	"github.com/capconform/capconform/suites/verdict"
)

// routerJudgements are the sentences about routers and runtimes.
var routerJudgements = []judgement{
	about(`the subject serves (acp\.[a-z]+)`, (*judge.Judge).Serves),
	decide(`each package that is installed was downloaded by its CID`, (*judge.Judge).Downloaded),

	decide(`no package acts that has no signature`, refused(history.FlawUnsigned)),
	decide(`no package acts whose signature cannot be verified`, refused(history.FlawUnverifiable)),
	decide(`no package acts that somebody else signed`, refused(history.FlawForeign)),
	decide(`no package acts that was changed after it was signed`, refused(history.FlawChanged)),
	decide(`no package acts that breaks a rule of the text`, refused(history.FlawInvalid)),
	decide(`no package acts whose comments or line ends were changed`, refused(history.FlawReformatted)),
	decide(`no package acts whose bytes belong to another CID`, refused(history.FlawMisplaced)),
	decide(`one of the prompts that attack the model is refused or warned about`, (*judge.Judge).AttacksNoticed),

	decide(`each message reaches the package whose own trigger it matches`, (*judge.Judge).OwnTriggers),
	decide(`each /back is obeyed before the triggers are asked`, (*judge.Judge).GoesBack),
	decide(`each /switch is obeyed before the triggers are asked`, (*judge.Judge).Switches),
	decide(`each message that the active capability matches stays with it`, (*judge.Judge).TopFirst),
	decide(`each message that the active capability does not match reaches the one that does`,
		(*judge.Judge).OthersReached),
	decide(`each message of a conversation with two packages reaches the one whose trigger it matches`,
		(*judge.Judge).Swapped),
	decide(`each message that no trigger matches is answered without a capability`, (*judge.Judge).Fallback),
	decide(`each capability of which a tool says that it is done leaves the stack, and no other`, (*judge.Judge).Done),
	decide(`each capability that takes too long is given up and leaves the stack`, (*judge.Judge).GivenUp),
	decide(`no capability that lost a message is gone back to`, (*judge.Judge).Replaced),

	decide(`nothing of a package that was uninstalled reaches the model, and those beside it act`,
		(*judge.Judge).Uninstalled),
	decide(`each package that was uninstalled acts once it is installed again`, (*judge.Judge).CameBack),
	decide(`each upgraded package acts in its newest version alone`, (*judge.Judge).NewestActs),
	decide(`each package that was fetched acts when the gateway has it no more`, (*judge.Judge).Kept),

	decide(`the model is shown each message whole`, (*judge.Judge).MessagesShown),
	decide(`the model is shown the prompt of the package with each message`, (*judge.Judge).PromptsShown),
	decide(`the model is shown the tools of the package with each message`, (*judge.Judge).ToolsShown),
	decide(`the model is shown nothing of another package`, (*judge.Judge).NothingElseShown),

	decide(`each package is given a model of a family that it asks for`, (*judge.Judge).FamiliesAsked),

	about(`each tool that is bound by http_(?:get|post) is executed by a (GET|POST) of its URL`,
		(*judge.Judge).ExecutedBy),
	decide(`each tool that is bound by nuwa_a2a calls the method of its agent`, (*judge.Judge).AgentsCalled),
	decide(`each tool that is bound by mcp_service calls the action of its service`, (*judge.Judge).ActionsCalled),
	decide(`each placeholder is replaced by the argument of its name`, (*judge.Judge).PlaceholdersReplaced),
	decide(`the arguments of each http_get stand in the query`, (*judge.Judge).ArgumentsInQuery),
	decide(`the arguments of each http_post are the body`, (*judge.Judge).ArgumentsInBody),
	about(`each (service|agent) is given the arguments of each call`, (*judge.Judge).ArgumentsGiven),
	decide(`each tool is executed by the binding under its name in its own package`, (*judge.Judge).OwnBindings),
	decide(`each tool of an upgraded package is executed by the binding of its newest version`,
		(*judge.Judge).NewestBindings),
	decide(`no call of a tool that nothing executes has a success`, (*judge.Judge).NothingMadeUp),
	decide(`no call of a tool that is bound by an unknown type has a success`, (*judge.Judge).UnknownTypes),
	decide(`no tool in a sandbox reaches an address that its package does not declare`, (*judge.Judge).Confined),

	decide(`each object that was created is found by its id`, (*judge.Judge).ObjectsFound),
	decide(`each object is stored as it was given`, (*judge.Judge).ObjectsWhole),
	decide(`each object is what its JSON Patches make of it`, (*judge.Judge).PatchesApplied),
	decide(`each query gives the objects that its filter fits`, (*judge.Judge).FiltersFit),
	decide(`the pages of each large query give each object once`, (*judge.Judge).PagesWhole),
	decide(`each object that was deleted is gone, and no other`, (*judge.Judge).DeletionsDelete),
	decide(`no call under a schema URI that no package owns has an effect`, (*judge.Judge).URIsCount),
	decide(`no verb that its package does not declare has an effect`, (*judge.Judge).VerbsDeclared),
	decide(`each object is behind a restart what it was before`, (*judge.Judge).StateKept),
	decide(`no built-in tool is executed by a binding`, (*judge.Judge).BuiltInDirectly),
	decide(`no object that breaks the schema is stored`, (*judge.Judge).SchemaHolds),
	decide(`verbs and schema of each package are those of its newest version`, (*judge.Judge).UpgradeCounts),
	decide(`nothing of a memory scope is seen or changed from another`, (*judge.Judge).ScopesApart),
}

// refused judges packages with one kind of flaw.
func refused(kind string) func(*judge.Judge) verdict.Verdict {
	return func(j *judge.Judge) verdict.Verdict { return j.Refused(kind) }
}
