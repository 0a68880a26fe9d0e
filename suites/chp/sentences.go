package chpsuite

import (
	"context"
	"regexp"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/chp/judge"
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

// about makes a sentence of a judgement about one member, outcome or kind of object.
func about(expression string, decide func(*judge.Judge, string) suites.Verdict) sentence {
	return sentence{suites.Expression(expression), func(e *examination, sc *suites.Scenario) any {
		return func(ctx context.Context, name string) error {
			return sc.Judge(ctx, func() suites.Verdict { return decide(e.judge, name) })
		}
	}}
}

// leaves makes the sentences about the events of an outcome.
func leaves(expression string) sentence {
	return sentence{suites.Expression(expression), func(e *examination, sc *suites.Scenario) any {
		return func(ctx context.Context, outcome, first, second string) error {
			return sc.Judge(ctx, func() suites.Verdict { return e.judge.LeavesInOrder(outcome, first, second) })
		}
	}}
}

// leavesOne is leaves for outcomes with one event.
func leavesOne(expression string) sentence {
	return sentence{suites.Expression(expression), func(e *examination, sc *suites.Scenario) any {
		return func(ctx context.Context, outcome, kind string) error {
			return sc.Judge(ctx, func() suites.Verdict { return e.judge.Leaves(outcome, kind) })
		}
	}}
}

// sentences is the vocabulary of the live half, by section of the text.
var sentences = []sentence{
	about(`each capability descriptor has its ([a-z_]+)`, (*judge.Judge).CapabilitiesHave),
	about(`each ([a-z_]+) that is given has its type`, (*judge.Judge).GivenHasType),
	about(`each ([a-z_]+) that is given is a JSON Schema`, (*judge.Judge).GivenIsSchema),
	about(`each ([a-z-]+) keeps to its closed reading`, (*judge.Judge).Closed),
	say(`the modes of each capability include sync`, (*judge.Judge).ModesIncludeSync),
	say(`each capability URI is id and version`, (*judge.Judge).URIIsPair),
	say(`id and version name one capability each`, (*judge.Judge).PairsNameOne),
	say(`the same pairs are declared again`, (*judge.Judge).PairsStay),
	say(`each capability descriptor has the recommended members`, (*judge.Judge).Recommended),
	say(`no type is emitted that its capability does not list`, (*judge.Judge).TypesListed),
	say(`no payload that breaks the input schema succeeds`, (*judge.Judge).NoneSucceeds),
	say(`the data of each success keeps the output schema`, (*judge.Judge).DataKeepsSchema),

	about(`the host descriptor has its ([a-z_]+)`, (*judge.Judge).HostHas),
	say(`the host describes itself`, (*judge.Judge).HostDescribed),
	say(`0.1 is among the versions that it says it speaks`, (*judge.Judge).SaysOldVersion),
	say(`the evidence metadata say whether the store is append-only`, (*judge.Judge).SaysAppendOnly),
	say(`host descriptor and discovery show the same capabilities`, (*judge.Judge).SameCapabilities),
	say(`the id of the host is the same each time`, func(j *judge.Judge) suites.Verdict { return j.SameHost(false) }),
	say(`the id of the host is the same after a restart`, func(j *judge.Judge) suites.Verdict { return j.SameHost(true) }),

	say(`each envelope is answered by its own result`, (*judge.Judge).AnsweredByResult),
	say(`some capability came back with success`, (*judge.Judge).SomeSuccess),
	say(`no result bears the ids of another envelope`, (*judge.Judge).OwnIDs),
	say(`each result bears the ids of its envelope as they were sent`, (*judge.Judge).IDsAsSent),
	say(`no mark of a payload is found in the evidence that the host writes`, (*judge.Judge).MarksAbsent),
	say(`nothing that is no envelope is executed`, (*judge.Judge).NoneExecuted),
	say(`the host goes on serving`, (*judge.Judge).StillServes),
	say(`whatever is no envelope is refused in the form of the binding`, (*judge.Judge).RefusedInForm),

	say(`each attempt leaves evidence`, (*judge.Judge).AttemptsLeaveEvidence),
	say(`the evidence that each result names is there`, (*judge.Judge).NamedEvidenceExists),
	about(`each event has its ([a-z_]+)`, (*judge.Judge).EventsHave),
	say(`each event is of an invocation that was sent`, (*judge.Judge).EventsOfOurs),
	say(`each event is about the capability that was asked for`, (*judge.Judge).EventsOfCapability),
	say(`each event is of the host that was asked`, (*judge.Judge).EventsOfHost),
	say(`each event stands there once`, (*judge.Judge).EventsOnce),
	say(`the events of a capability's own are structured and correlated`, (*judge.Judge).CustomEvents),
	say(`what a replay showed is in each later one, unchanged`, (*judge.Judge).Unchanged),

	say(`result and events bear the correlation id of the caller`, (*judge.Judge).CorrelationKept),
	say(`each result has its correlation context`, (*judge.Judge).ResultsHaveContext),
	say(`each event has its correlation context`, func(j *judge.Judge) suites.Verdict { return j.EventsHave("correlation") }),
	say(`the host makes an id where none is given, in result and evidence`, (*judge.Judge).CorrelationMade),
	say(`no two invocations get the same id`, (*judge.Judge).MadeIDsDiffer),
	say(`each unusual or shared id comes back as it was sent or is refused openly`, (*judge.Judge).NoneReplaced),
	say(`each form of a missing id is taken`, (*judge.Judge).FormsTaken),
	say(`the rest of each context comes back too`, (*judge.Judge).ContextKept),
	say(`no empty id is carried on`, (*judge.Judge).NoEmptyID),

	say(`each outcome is one of the text`, (*judge.Judge).OutcomesKnown),
	say(`success is true with the outcome success alone`, (*judge.Judge).SuccessMeansSuccess),
	say(`success is a boolean and true with the outcome success`, (*judge.Judge).SuccessIsSaid),
	say(`each success gives the data of its handler`, (*judge.Judge).ValueComesBack),
	say(`each execution that went wrong is a failure`, (*judge.Judge).FailureIsFailure),
	say(`the host goes on serving after a failure`, (*judge.Judge).ServesAfterFailures),
	say(`each rejection at the boundary is a denial`, (*judge.Judge).RejectionIsDenial),
	say(`nothing of a skipped invocation was executed`, (*judge.Judge).NotExecuted),
	leaves(`each outcome ([a-z]+) leaves (\w+) and then (\w+)`),
	leavesOne(`each outcome ([a-z]+) leaves (\w+)`),
	say(`each result and its events tell one story with one end`, (*judge.Judge).OneStory),

	say(`each failure carries an error and each denial a denial`, (*judge.Judge).ErrorsAndDenials),
	say(`each capability that nobody has is denied`, (*judge.Judge).UnknownDenied),
	say(`each mode that is not listed is denied`, (*judge.Judge).ModeDenied),
	say(`a disabled capability is skipped or denied`, (*judge.Judge).SkippedOrDenied),
	say(`the missing entitlement is a denial`, (*judge.Judge).EntitlementDenied),
	say(`each denied result carries a denial record`, (*judge.Judge).DenialRecords),
	about(`each denial record has its ([a-z_]+)`, (*judge.Judge).DenialsHave),
	say(`each denial record names an invariant, if at all, by its id`, func(j *judge.Judge) suites.Verdict { return j.DenialsHave("invariant_id") }),
	say(`the same denial has the same code`, (*judge.Judge).CodesStable),

	say(`each replay shows all of its correlation`, (*judge.Judge).ReplaysShowAll),
	say(`each replay holds events of its own correlation alone`, (*judge.Judge).OwnEventsAlone),
	say(`each limit bounds its replay`, (*judge.Judge).LimitsBound),
	say(`each replay since a sequence begins there`, (*judge.Judge).SincesBegin),
	say(`each replay has the payloads that it is asked for`, (*judge.Judge).PayloadsAsAsked),
	about(`each replay result has its ([a-z_]+)`, (*judge.Judge).ReplaysHave),
	say(`each replay result bears the id that was asked for`, (*judge.Judge).ReplaysOfAsked),
	say(`each whole replay tells the number of its events`, (*judge.Judge).CountsAreTrue),
	say(`each other replay tells its own number or that of all`, (*judge.Judge).LimitedCounts),
	say(`the events of each replay stand in the order of their sequence`, (*judge.Judge).SequencesRise),
}

// strictAlone are the requirements that advise in a strict run only: readings
// that are narrower than the prose, and that lawful hosts break.
func strictAlone() []string {
	return []string{"CHP-3-07", "CHP-3-19", "CHP-4-11", "CHP-5-13", "CHP-6-18", "CHP-7-08", "CHP-8-14", "CHP-10-11", "CHP-10-12"}
}

// beyondPlainRuns says so for a run that is not strict.
func beyondPlainRuns(subject *suites.Subject) map[string]string {
	beyond := map[string]string{}
	if subject.Options["strict"] == "true" {
		return beyond
	}
	for _, id := range strictAlone() {
		beyond[id] = "narrower than the prose: looked at with --strict alone"
	}
	return beyond
}
