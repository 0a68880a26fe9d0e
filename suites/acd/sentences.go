package acdsuite

import (
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/judge"
	"github.com/capconform/capconform/suites/verdict"
)

// Steps implements suites.Examination.
func (e *examination) Steps(voc suites.Vocabulary, sc *suites.Scenario) {
	suites.Register(voc, sc, e.judge, judgements)
}

// judgements are the sentences that judge everything that a run saw.
var judgements = []verdict.Sentence[*judge.Judge]{
	verdict.Say(`everything that the agent names is registered`, (*judge.Judge).NamedRegistered),
	verdict.Say(`both protocols say the same of each capability`, (*judge.Judge).SameInBoth),

	verdict.SayOf(`each descriptor has (?:its|sound) ([a-z_. ]+)`, (*judge.Judge).DescriptorsHave),
	verdict.Say(`no descriptor branches by an old type`, (*judge.Judge).NoOldType),
	verdict.Say(`no shell is shown to people`, (*judge.Judge).NoShellForPeople),

	verdict.SayOf(`the manifest has (?:its|sound) ([a-z_. ]+)`, (*judge.Judge).ManifestHas),
	verdict.Say(`no channel of the manifest defines behaviour`, (*judge.Judge).NoBehaviour),
	verdict.Say(`each capability that a channel exposes is registered`, (*judge.Judge).ExposedRegistered),
	verdict.Say(`the manifest has no registry of an old type`, (*judge.Judge).NoOwnRegistry),

	verdict.SayOf(`(/list[A-Za-z]+) lists what its query describes`, (*judge.Judge).OldList),
	verdict.SayOf(`each query by (kind|execution|invocation|exposure|enabled|several) gives the entries that fit`,
		(*judge.Judge).QueriedBy),
	verdict.Say(`each list is a view of the registry`, (*judge.Judge).ViewsOfOne),
	verdict.Say(`what is created is in the registry as it was given`, (*judge.Judge).CreatesAsGiven),
	verdict.Say(`each entry reads as it is listed`, (*judge.Judge).ReadsAsListed),
	verdict.Say(`what is updated is as the update says`, (*judge.Judge).Updates),
	verdict.Say(`what is deleted is gone`, (*judge.Judge).Deletes),
	verdict.SayOf(`there is a capability (create|enable|bind) that does so and nothing else`,
		(*judge.Judge).MetaCapability),
	verdict.SayOf(`no (composite|proxy) is created without a language model`, (*judge.Judge).NeedsModel),
	verdict.Say(`the shell can be used from within`, (*judge.Judge).ShellWithin),
	verdict.Say(`the shell asks each caller for its permission`, (*judge.Judge).ShellAsks),
	verdict.Say(`the sandbox of the shell holds`, (*judge.Judge).ShellSandboxed),
	verdict.Say(`two exit statuses come back`, (*judge.Judge).ExitStatuses),
	verdict.Say(`the list of each manifest follows the registry`,
		func(j *judge.Judge) verdict.Verdict { return j.IndexFollows(false) }),
	verdict.Say(`each manifest is true both ways`, func(j *judge.Judge) verdict.Verdict { return j.IndexFollows(true) }),
	verdict.Say(`the documentation follows the registry`, (*judge.Judge).DocsFollow),
	verdict.Say(`no channel exposes a shell`, (*judge.Judge).NoShellOnChannels),
	verdict.SayOf(`each channel declares its (capabilities|modes)`, (*judge.Judge).ChannelsDeclare),
	verdict.SayOf(`each channel rejects what (it has no mode for|leaves it out|is not registered)`,
		(*judge.Judge).ChannelsReject),
	verdict.Say(`the whole agent can be operated through the CLI`, (*judge.Judge).OperatedByCLI),
	verdict.Say(`some capability is rendered differently on two channels`, (*judge.Judge).RenderedDifferently),

	verdict.Say(`each copy that leaves status.enabled out is enabled`, (*judge.Judge).EnabledUnsaid),
	verdict.Say(`each copy that leaves status.mutable out can be changed`, (*judge.Judge).MutableUnsaid),
	verdict.Say(`each invocation of a copy that leaves audit.log_invocation out is logged`,
		func(j *judge.Judge) verdict.Verdict { return j.Logged(true) }),
	verdict.Say(`no value of a copy that leaves out what is logged stands in a record`, (*judge.Judge).ValuesSilent),
	verdict.Say(`what is created is used at once`, (*judge.Judge).UsedAtOnce),

	verdict.Say(`each invocation that is to be logged has a record`,
		func(j *judge.Judge) verdict.Verdict { return j.Logged(false) }),
	verdict.SayOf(`(inputs|outputs) stand in records where the descriptor says so, and only there`,
		(*judge.Judge).ValuesLogged),
	verdict.SayOf(`each hook of (pre_invoke|post_invoke|on_error) runs once for each call, in its place`,
		(*judge.Judge).HooksRun),
	verdict.Say(`what is immutable stays as it is`, (*judge.Judge).ImmutableStays),

	verdict.Say(`capabilities run in each mode that they declare`, (*judge.Judge).RunsAsDeclared),
	verdict.SayOf(`each call (by a caller who lacks a required permission|in a mode that is not listed|of what is disabled|of an id that nobody has) is refused`,
		(*judge.Judge).Refuses),
	verdict.Say(`each call of a copy that leaves granted_by_default out needs its permissions`,
		func(j *judge.Judge) verdict.Verdict { return j.Refuses(judge.Unsaid) }),
	verdict.Say(`each call runs once, on its substrate`, (*judge.Judge).RunsWhereItShould),
	verdict.Say(`what is granted by default needs no permission`, (*judge.Judge).Grants),

	verdict.SayOf(`the exemplar ships with (cap\.[a-z_.]+)`, (*judge.Judge).ShipsWith),
	verdict.Say(`the CLI adapter is there`, (*judge.Judge).CLIAdapter),
}
