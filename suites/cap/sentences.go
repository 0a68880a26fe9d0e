package capsuite

import (
	"context"
	"regexp"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/cap/judge"
)

// sentence is one step of the vocabulary. It names a judgement, and nothing else.
type sentence struct {
	expression func() *regexp.Regexp
	bind       func(*examination, *suites.Scenario) any
}

// Steps implements suites.Examination.
func (e *examination) Steps(voc suites.Vocabulary, sc *suites.Scenario) {
	for _, s := range sentences {
		voc.Step(s.expression(), s.bind(e, sc))
	}
}

// say makes a sentence of a judgement.
func say(expression string, decide func(*judge.Judge) suites.Verdict) sentence {
	return sentence{suites.Expression(expression), func(e *examination, sc *suites.Scenario) any {
		return func(ctx context.Context) error {
			return sc.Judge(ctx, func() suites.Verdict { return decide(e.judge) })
		}
	}}
}

// about makes a sentence of a judgement about one role.
func about(expression string, decide func(*judge.Judge, string) suites.Verdict) sentence {
	return sentence{suites.Expression(expression), func(e *examination, sc *suites.Scenario) any {
		return func(ctx context.Context, name string) error {
			return sc.Judge(ctx, func() suites.Verdict { return decide(e.judge, name) })
		}
	}}
}

// coded makes the sentence about the code that a role is answered with.
func coded(expression string) sentence {
	return sentence{suites.Expression(expression), func(e *examination, sc *suites.Scenario) any {
		return func(ctx context.Context, role, code string) error {
			return sc.Judge(ctx, func() suites.Verdict { return e.judge.AnswerHasCode(role, code) })
		}
	}}
}

// several binds a judgement on descriptions: of ids that are listed in several versions, or
// of all others.
func several(decide func(*judge.Judge, bool) suites.Verdict, several bool) func(*judge.Judge) suites.Verdict {
	return func(j *judge.Judge) suites.Verdict { return decide(j, several) }
}

// sentences is the vocabulary of the live half, by section of the text.
var sentences = []sentence{
	say(`no list has a pair of id and version twice`, (*judge.Judge).PairsUnique),
	say(`the version of each manifest follows semantic versioning`, (*judge.Judge).VersionsKept),
	say(`the kind of each manifest is tool or skill`, (*judge.Judge).KindsKept),
	say(`each description of one of several versions is the manifest of its pair`, several((*judge.Judge).PairsDescribed, true)),
	say(`no description is the manifest of another version`, (*judge.Judge).VersionsApart),
	say(`each description of one of several versions equals the manifest in the list`, several((*judge.Judge).SameAsListed, true)),
	say(`each reference of the list designates its capability`, (*judge.Judge).ReferencesTaken),

	say(`each list is a list of manifests, complete in itself`, (*judge.Judge).ListsComplete),
	say(`nothing that the source knows is left out of the list`, (*judge.Judge).NothingLeftOut),
	say(`each description is the manifest of its pair`, several((*judge.Judge).PairsDescribed, false)),
	say(`list, describe and invoke are provided`, (*judge.Judge).OperationsProvided),
	say(`each description of what nobody lists is NOT_FOUND`, (*judge.Judge).UnlistedUnknown),
	say(`a pair that was exchanged is gone and the new one is validated by its own manifest`, (*judge.Judge).NewContractHolds),
	say(`each description equals the manifest in the list`, several((*judge.Judge).SameAsListed, false)),

	say(`each invocation of what nobody lists is NOT_FOUND`, (*judge.Judge).UnlistedNotFound),
	say(`no sound input is refused as INVALID_INPUT`, (*judge.Judge).SoundTaken),
	say(`some input that breaks a keyword is refused`, (*judge.Judge).SomeUnsoundRefused),
	coded(`each answer of the role ([a-z]+) is ([A-Z_]+)`),
	about(`the source still serves after the role ([a-z]+)`, (*judge.Judge).StillServes),
	say(`the failure of an attached tool is EXECUTION_FAILED`, (*judge.Judge).AttachedFailures),
	say(`each error has one of the codes of the text`, (*judge.Judge).CodesClosed),

	say(`no manifest of a tool has a prompt template or a resource`, (*judge.Judge).ToolsPlain),
	about(`the role ([a-z]+) is answered by an InvokeResult like that of a tool`, (*judge.Judge).SkillTakenUp),
	say(`each skill reduces to tools, prompt instructions, resources and permissions`, (*judge.Judge).SkillsReduce),

	say(`each invocation is answered by an InvokeResult`, (*judge.Judge).ResultsGiven),
	say(`some capability came back ok`, (*judge.Judge).SomeSucceeded),
	say(`no input that breaks its schema is accepted`, (*judge.Judge).NoneAccepted),
	say(`no attached tool takes an input that breaks its schema`, (*judge.Judge).AttachedValidate),
	say(`each refusal of an input that breaks its schema is INVALID_INPUT`, (*judge.Judge).RefusalsInvalidInput),
	say(`no handler runs for an input that breaks its schema`, (*judge.Judge).NothingExecuted),
	say(`each output keeps the output schema that is declared`, (*judge.Judge).OutputsKept),
	about(`no answer of the role ([a-z]+) is a success`, (*judge.Judge).NoSuccess),
	say(`each answer is final`, (*judge.Judge).ResultsFinal),
	say(`each answer to one of several callers belongs to its own input`, (*judge.Judge).AnswersNotCrossed),

	say(`each member of each manifest has the type of the text`, (*judge.Judge).TypesKept),
	say(`the input schema of each manifest is present and is a JSON Schema`, (*judge.Judge).InputSchemasKept),
	say(`each manifest declares an output schema`, (*judge.Judge).OutputSchemasDeclared),
	say(`each skill has the members that its source supports`, (*judge.Judge).SkillsHaveMembers),
	say(`no invocation is refused for want of what only a custom member announces`, (*judge.Judge).NothingCustomWanted),

	say(`nothing of the transport shows in a manifest or a result`, (*judge.Judge).TransportHidden),
	say(`each tool of an attached server is listed and described with its own input schema`, (*judge.Judge).ToolsListed),
	say(`each invocation of an attached tool is a call of that tool`, (*judge.Judge).ToolsCalled),
	say(`no attached tool is called without an invocation`, (*judge.Judge).NothingCalledEarly),
	say(`nothing of the way to the attached server shows`, (*judge.Judge).AttachedHidden),
	say(`each attached skill is listed with its instructions, resources and permissions`, (*judge.Judge).SkillsListed),
	say(`each attached skill is invoked as any other`, (*judge.Judge).SkillsRun),
	say(`the same capabilities have the same references`, (*judge.Judge).ReferencesStable),
	say(`the same capabilities have the same references after a restart`, (*judge.Judge).ReferencesSurvive),
}
