package chpsuite

import (
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/chp/judge"
	"github.com/capconform/capconform/suites/verdict"
)

// Steps implements suites.Examination.
func (e *examination) Steps(voc suites.Vocabulary, sc *suites.Scenario) {
	suites.Register(voc, sc, e.judge, sentences)
}

// sentences is the vocabulary of the live half, by section of the text.
var sentences = []verdict.Sentence[*judge.Judge]{
	verdict.SayOf(`each capability descriptor has its ([a-z_]+)`, (*judge.Judge).CapabilitiesHave),
	verdict.SayOf(`each ([a-z_]+) that is given has its type`, (*judge.Judge).GivenHasType),
	verdict.SayOf(`each ([a-z_]+) that is given is a JSON Schema`, (*judge.Judge).GivenIsSchema),
	verdict.SayOf(`each ([a-z-]+) keeps to its closed reading`, (*judge.Judge).Closed),
	verdict.Say(`the modes of each capability include sync`, (*judge.Judge).ModesIncludeSync),
	verdict.Say(`each capability URI is id and version`, (*judge.Judge).URIIsPair),
	verdict.Say(`id and version name one capability each`, (*judge.Judge).PairsNameOne),
	verdict.Say(`the same pairs are declared again`, (*judge.Judge).PairsStay),
	verdict.Say(`each capability descriptor has the recommended members`, (*judge.Judge).Recommended),
	verdict.Say(`no type is emitted that its capability does not list`, (*judge.Judge).TypesListed),
	verdict.Say(`no payload that breaks the input schema succeeds`, (*judge.Judge).NoneSucceeds),
	verdict.Say(`the data of each success keeps the output schema`, (*judge.Judge).DataKeepsSchema),

	verdict.SayOf(`the host descriptor has its ([a-z_]+)`, (*judge.Judge).HostHas),
	verdict.Say(`the host describes itself`, (*judge.Judge).HostDescribed),
	verdict.Say(`0.1 is among the versions that it says it speaks`, (*judge.Judge).SaysOldVersion),
	verdict.Say(`the evidence metadata say whether the store is append-only`, (*judge.Judge).SaysAppendOnly),
	verdict.Say(`host descriptor and discovery show the same capabilities`, (*judge.Judge).SameCapabilities),
	verdict.Say(`the id of the host is the same each time`,
		func(j *judge.Judge) verdict.Verdict { return j.SameHost(false) }),
	verdict.Say(`the id of the host is the same after a restart`,
		func(j *judge.Judge) verdict.Verdict { return j.SameHost(true) }),

	verdict.Say(`each envelope is answered by its own result`, (*judge.Judge).AnsweredByResult),
	verdict.Say(`some capability came back with success`, (*judge.Judge).SomeSuccess),
	verdict.Say(`no result bears the ids of another envelope`, (*judge.Judge).OwnIDs),
	verdict.Say(`each result bears the ids of its envelope as they were sent`, (*judge.Judge).IDsAsSent),
	verdict.Say(`no mark of a payload is found in the evidence that the host writes`, (*judge.Judge).MarksAbsent),
	verdict.Say(`nothing that is no envelope is executed`, (*judge.Judge).NoneExecuted),
	verdict.Say(`the host goes on serving`, (*judge.Judge).StillServes),
	verdict.Say(`whatever is no envelope is refused in the form of the binding`, (*judge.Judge).RefusedInForm),

	verdict.Say(`each attempt leaves evidence`, (*judge.Judge).AttemptsLeaveEvidence),
	verdict.Say(`the evidence that each result names is there`, (*judge.Judge).NamedEvidenceExists),
	verdict.SayOf(`each event has its ([a-z_]+)`, (*judge.Judge).EventsHave),
	verdict.Say(`each event is of an invocation that was sent`, (*judge.Judge).EventsOfOurs),
	verdict.Say(`each event is about the capability that was asked for`, (*judge.Judge).EventsOfCapability),
	verdict.Say(`each event is of the host that was asked`, (*judge.Judge).EventsOfHost),
	verdict.Say(`each event stands there once`, (*judge.Judge).EventsOnce),
	verdict.Say(`the events of a capability's own are structured and correlated`, (*judge.Judge).CustomEvents),
	verdict.Say(`what a replay showed is in each later one, unchanged`, (*judge.Judge).Unchanged),

	verdict.Say(`result and events bear the correlation id of the caller`, (*judge.Judge).CorrelationKept),
	verdict.Say(`each result has its correlation context`, (*judge.Judge).ResultsHaveContext),
	verdict.Say(`each event has its correlation context`,
		func(j *judge.Judge) verdict.Verdict { return j.EventsHave("correlation") }),
	verdict.Say(`the host makes an id where none is given, in result and evidence`, (*judge.Judge).CorrelationMade),
	verdict.Say(`no two invocations get the same id`, (*judge.Judge).MadeIDsDiffer),
	verdict.Say(`each unusual or shared id comes back as it was sent or is refused openly`, (*judge.Judge).NoneReplaced),
	verdict.Say(`each form of a missing id is taken`, (*judge.Judge).FormsTaken),
	verdict.Say(`the rest of each context comes back too`, (*judge.Judge).ContextKept),
	verdict.Say(`no empty id is carried on`, (*judge.Judge).NoEmptyID),

	verdict.Say(`each outcome is one of the text`, (*judge.Judge).OutcomesKnown),
	verdict.Say(`success is true with the outcome success alone`, (*judge.Judge).SuccessMeansSuccess),
	verdict.Say(`success is a boolean and true with the outcome success`, (*judge.Judge).SuccessIsSaid),
	verdict.Say(`each success gives the data of its handler`, (*judge.Judge).ValueComesBack),
	verdict.Say(`each execution that went wrong is a failure`, (*judge.Judge).FailureIsFailure),
	verdict.Say(`the host goes on serving after a failure`, (*judge.Judge).ServesAfterFailures),
	verdict.Say(`each rejection at the boundary is a denial`, (*judge.Judge).RejectionIsDenial),
	verdict.Say(`nothing of a skipped invocation was executed`, (*judge.Judge).NotExecuted),
	verdict.SayOfThree(`each outcome ([a-z]+) leaves (\w+) and then (\w+)`, (*judge.Judge).LeavesInOrder),
	verdict.SayOfTwo(`each outcome ([a-z]+) leaves (\w+)`, (*judge.Judge).Leaves),
	verdict.Say(`each result and its events tell one story with one end`, (*judge.Judge).OneStory),

	verdict.Say(`each failure carries an error and each denial a denial`, (*judge.Judge).ErrorsAndDenials),
	verdict.Say(`each capability that nobody has is denied`, (*judge.Judge).UnknownDenied),
	verdict.Say(`each mode that is not listed is denied`, (*judge.Judge).ModeDenied),
	verdict.Say(`a disabled capability is skipped or denied`, (*judge.Judge).SkippedOrDenied),
	verdict.Say(`the missing entitlement is a denial`, (*judge.Judge).EntitlementDenied),
	verdict.Say(`each denied result carries a denial record`, (*judge.Judge).DenialRecords),
	verdict.SayOf(`each denial record has its ([a-z_]+)`, (*judge.Judge).DenialsHave),
	verdict.Say(`each denial record names an invariant, if at all, by its id`,
		func(j *judge.Judge) verdict.Verdict { return j.DenialsHave("invariant_id") }),
	verdict.Say(`the same denial has the same code`, (*judge.Judge).CodesStable),

	verdict.Say(`each replay shows all of its correlation`, (*judge.Judge).ReplaysShowAll),
	verdict.Say(`each replay contains only events of the correlation that was asked for`, (*judge.Judge).OwnEventsAlone),
	verdict.Say(`each limit bounds its replay`, (*judge.Judge).LimitsBound),
	verdict.Say(`each replay since a sequence begins there`, (*judge.Judge).SincesBegin),
	verdict.Say(`each replay has the payloads that it is asked for`, (*judge.Judge).PayloadsAsAsked),
	verdict.SayOf(`each replay result has its ([a-z_]+)`, (*judge.Judge).ReplaysHave),
	verdict.Say(`each replay result bears the id that was asked for`, (*judge.Judge).ReplaysOfAsked),
	verdict.Say(`each whole replay tells the number of its events`, (*judge.Judge).CountsAreTrue),
	verdict.Say(`each other replay tells its own number or that of all`, (*judge.Judge).LimitedCounts),
	verdict.Say(`the events of each replay stand in the order of their sequence`, (*judge.Judge).SequencesRise),
}

// strictAlone are the requirements that advise in a strict run only: readings
// that are narrower than the prose, and that lawful hosts break.
func strictAlone() []string {
	return []string{"CHP-3-07", "CHP-3-19", "CHP-4-11", "CHP-5-13", "CHP-6-18", "CHP-7-08", "CHP-8-14", "CHP-10-11",
		"CHP-10-12"}
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
