package capsuite

import (
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/cap/judge"
)

// Steps implements suites.Examination.
func (e *examination) Steps(voc suites.Vocabulary, sc *suites.Scenario) {
	suites.Register(voc, sc, e.judge, sentences)
}

// sentences is the vocabulary of the live half, by section of the text.
var sentences = []suites.Sentence[*judge.Judge]{
	suites.Say(`no list has a pair of id and version twice`, (*judge.Judge).PairsUnique),
	suites.Say(`the version of each manifest follows semantic versioning`, (*judge.Judge).VersionsKept),
	suites.Say(`the kind of each manifest is tool or skill`, (*judge.Judge).KindsKept),
	suites.Say(`no description is the manifest of another version`, (*judge.Judge).VersionsApart),
	suites.Say(`each reference of the list designates its capability`, (*judge.Judge).ReferencesTaken),

	suites.Say(`each list is a list of manifests, complete in itself`, (*judge.Judge).ListsComplete),
	suites.Say(`nothing that the source knows is left out of the list`, (*judge.Judge).NothingLeftOut),
	suites.Say(`each description is the manifest of its pair`, (*judge.Judge).PairsDescribed),
	suites.Say(`list, describe and invoke are provided`, (*judge.Judge).OperationsProvided),
	suites.Say(`each description of what nobody lists is NOT_FOUND`, (*judge.Judge).UnlistedUnknown),
	suites.Say(`a pair that was exchanged is gone and the new one is validated by its own manifest`,
		(*judge.Judge).NewContractHolds),
	suites.Say(`each description equals the manifest in the list`, (*judge.Judge).SameAsListed),

	suites.Say(`each invocation of what nobody lists is NOT_FOUND`, (*judge.Judge).UnlistedNotFound),
	suites.Say(`no sound input is refused as INVALID_INPUT`, (*judge.Judge).SoundTaken),
	suites.Say(`some input that breaks a keyword is refused`, (*judge.Judge).SomeUnsoundRefused),
	suites.SayOfTwo(`each answer of the role ([a-z]+) is ([A-Z_]+)`, (*judge.Judge).AnswerHasCode),
	suites.SayOf(`the source still serves after the role ([a-z]+)`, (*judge.Judge).StillServes),
	suites.Say(`the failure of an attached tool is EXECUTION_FAILED`, (*judge.Judge).AttachedFailures),
	suites.Say(`each error has one of the codes of the text`, (*judge.Judge).CodesClosed),

	suites.Say(`no manifest of a tool has a prompt template or a resource`, (*judge.Judge).ToolsPlain),
	suites.SayOf(`the role ([a-z]+) is answered by an InvokeResult like that of a tool`, (*judge.Judge).SkillTakenUp),
	suites.Say(`each skill reduces to tools, prompt instructions, resources and permissions`, (*judge.Judge).SkillsReduce),

	suites.Say(`each invocation is answered by an InvokeResult`, (*judge.Judge).ResultsGiven),
	suites.Say(`some capability came back ok`, (*judge.Judge).SomeSucceeded),
	suites.Say(`no input that breaks its schema is accepted`, (*judge.Judge).NoneAccepted),
	suites.Say(`no attached tool takes an input that breaks its schema`, (*judge.Judge).AttachedValidate),
	suites.Say(`each refusal of an input that breaks its schema is INVALID_INPUT`, (*judge.Judge).RefusalsInvalidInput),
	suites.Say(`no handler runs for an input that breaks its schema`, (*judge.Judge).NothingExecuted),
	suites.Say(`each output keeps the output schema that is declared`, (*judge.Judge).OutputsKept),
	suites.SayOf(`no answer of the role ([a-z]+) is a success`, (*judge.Judge).NoSuccess),
	suites.Say(`each answer is final`, (*judge.Judge).ResultsFinal),
	suites.Say(`each answer to one of several callers belongs to its own input`, (*judge.Judge).AnswersNotCrossed),

	suites.Say(`each member of each manifest has the type of the text`, (*judge.Judge).TypesKept),
	suites.Say(`the input schema of each manifest is present and is a JSON Schema`, (*judge.Judge).InputSchemasKept),
	suites.Say(`each manifest declares an output schema`, (*judge.Judge).OutputSchemasDeclared),
	suites.Say(`each skill has the members that its source supports`, (*judge.Judge).SkillsHaveMembers),
	suites.Say(`no invocation is refused for want of what only a custom member announces`,
		(*judge.Judge).NothingCustomWanted),

	suites.Say(`nothing of the transport shows in a manifest or a result`, (*judge.Judge).TransportHidden),
	suites.Say(`each tool of an attached server is listed and described with its own input schema`,
		(*judge.Judge).ToolsListed),
	suites.Say(`each invocation of an attached tool is a call of that tool`, (*judge.Judge).ToolsCalled),
	suites.Say(`no attached tool is called without an invocation`, (*judge.Judge).NothingCalledEarly),
	suites.Say(`nothing of the way to the attached server shows`, (*judge.Judge).AttachedHidden),
	suites.Say(`each attached skill is listed with its instructions, resources and permissions`,
		(*judge.Judge).SkillsListed),
	suites.Say(`each attached skill is invoked as any other`, (*judge.Judge).SkillsRun),
	suites.Say(`the same capabilities have the same references`, (*judge.Judge).ReferencesStable),
	suites.Say(`the same capabilities have the same references after a restart`, (*judge.Judge).ReferencesSurvive),
}
