package capsuite

import (
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/cap/judge"
	"github.com/capconform/capconform/suites/verdict"
)

// Steps implements suites.Examination.
func (e *examination) Steps(voc suites.Vocabulary, sc *suites.Scenario) {
	suites.Register(voc, sc, e.judge, sentences)
}

// sentences is the vocabulary of the live half, by section of the text.
var sentences = []verdict.Sentence[*judge.Judge]{
	verdict.Say(`no list has a pair of id and version twice`, (*judge.Judge).PairsUnique),
	verdict.Say(`the version of each manifest follows semantic versioning`, (*judge.Judge).VersionsKept),
	verdict.Say(`the kind of each manifest is tool or skill`, (*judge.Judge).KindsKept),
	verdict.Say(`no description is the manifest of another version`, (*judge.Judge).VersionsApart),
	verdict.Say(`each reference of the list designates its capability`, (*judge.Judge).ReferencesTaken),

	verdict.Say(`each list is a list of manifests, complete in itself`, (*judge.Judge).ListsComplete),
	verdict.Say(`nothing that the source knows is left out of the list`, (*judge.Judge).NothingLeftOut),
	verdict.Say(`each description is the manifest of its pair`, (*judge.Judge).PairsDescribed),
	verdict.Say(`list, describe and invoke are provided`, (*judge.Judge).OperationsProvided),
	verdict.Say(`each description of what nobody lists is NOT_FOUND`, (*judge.Judge).UnlistedUnknown),
	verdict.Say(`a pair that was exchanged is gone and the new one is validated by its own manifest`,
		(*judge.Judge).NewContractHolds),
	verdict.Say(`each description equals the manifest in the list`, (*judge.Judge).SameAsListed),

	verdict.Say(`each invocation of what nobody lists is NOT_FOUND`, (*judge.Judge).UnlistedNotFound),
	verdict.Say(`no sound input is refused as INVALID_INPUT`, (*judge.Judge).SoundTaken),
	verdict.Say(`some input that breaks a keyword is refused`, (*judge.Judge).SomeUnsoundRefused),
	verdict.SayOfTwo(`each answer of the role ([a-z]+) is ([A-Z_]+)`, (*judge.Judge).AnswerHasCode),
	verdict.SayOf(`the source still serves after the role ([a-z]+)`, (*judge.Judge).StillServes),
	verdict.Say(`the failure of an attached tool is EXECUTION_FAILED`, (*judge.Judge).AttachedFailures),
	verdict.Say(`each error has one of the codes of the text`, (*judge.Judge).CodesClosed),

	verdict.Say(`no manifest of a tool has a prompt template or a resource`, (*judge.Judge).ToolsPlain),
	verdict.SayOf(`the role ([a-z]+) is answered by an InvokeResult like that of a tool`, (*judge.Judge).SkillTakenUp),
	verdict.Say(`each skill reduces to tools, prompt instructions, resources and permissions`, (*judge.Judge).SkillsReduce),

	verdict.Say(`each invocation is answered by an InvokeResult`, (*judge.Judge).ResultsGiven),
	verdict.Say(`some capability came back ok`, (*judge.Judge).SomeSucceeded),
	verdict.Say(`no input that breaks its schema is accepted`, (*judge.Judge).NoneAccepted),
	verdict.Say(`no attached tool takes an input that breaks its schema`, (*judge.Judge).AttachedValidate),
	verdict.Say(`each refusal of an input that breaks its schema is INVALID_INPUT`, (*judge.Judge).RefusalsInvalidInput),
	verdict.Say(`no handler runs for an input that breaks its schema`, (*judge.Judge).NothingExecuted),
	verdict.Say(`each output keeps the output schema that is declared`, (*judge.Judge).OutputsKept),
	verdict.SayOf(`no answer of the role ([a-z]+) is a success`, (*judge.Judge).NoSuccess),
	verdict.Say(`each answer is final`, (*judge.Judge).ResultsFinal),
	verdict.Say(`each answer to one of several callers belongs to its own input`, (*judge.Judge).AnswersNotCrossed),

	verdict.Say(`each member of each manifest has the type of the text`, (*judge.Judge).TypesKept),
	verdict.Say(`the input schema of each manifest is present and is a JSON Schema`, (*judge.Judge).InputSchemasKept),
	verdict.Say(`each manifest declares an output schema`, (*judge.Judge).OutputSchemasDeclared),
	verdict.Say(`each skill has the members that its source supports`, (*judge.Judge).SkillsHaveMembers),
	verdict.Say(`no invocation is refused for want of what only a custom member announces`,
		(*judge.Judge).NothingCustomWanted),

	verdict.Say(`nothing of the transport shows in a manifest or a result`, (*judge.Judge).TransportHidden),
	verdict.Say(`each tool of an attached server is listed and described with its own input schema`,
		(*judge.Judge).ToolsListed),
	verdict.Say(`each invocation of an attached tool is a call of that tool`, (*judge.Judge).ToolsCalled),
	verdict.Say(`no attached tool is called without an invocation`, (*judge.Judge).NothingCalledEarly),
	verdict.Say(`nothing of the way to the attached server shows`, (*judge.Judge).AttachedHidden),
	verdict.Say(`each attached skill is listed with its instructions, resources and permissions`,
		(*judge.Judge).SkillsListed),
	verdict.Say(`each attached skill is invoked as any other`, (*judge.Judge).SkillsRun),
	verdict.Say(`the same capabilities have the same references`, (*judge.Judge).ReferencesStable),
	verdict.Say(`the same capabilities have the same references after a restart`, (*judge.Judge).ReferencesSurvive),
}
