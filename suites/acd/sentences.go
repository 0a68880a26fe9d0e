package acdsuite

import (
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/judge"
)

// Steps implements suites.Examination.
func (e *examination) Steps(voc suites.Vocabulary, sc *suites.Scenario) {
	suites.Register(voc, sc, e.judge, judgements)
}

// judgements are the sentences that judge everything that a run saw.
var judgements = []suites.Sentence[*judge.Judge]{
	suites.Say(`everything that the agent names is registered`, (*judge.Judge).NamedRegistered),
	suites.Say(`both protocols say the same of each capability`, (*judge.Judge).SameInBoth),

	suites.SayOf(`each descriptor has (?:its|sound) ([a-z_. ]+)`, (*judge.Judge).DescriptorsHave),
	suites.Say(`no descriptor branches by an old type`, (*judge.Judge).NoOldType),
	suites.Say(`no shell is shown to people`, (*judge.Judge).NoShellForPeople),

	suites.SayOf(`the manifest has (?:its|sound) ([a-z_. ]+)`, (*judge.Judge).ManifestHas),
	suites.Say(`no channel of the manifest defines behaviour`, (*judge.Judge).NoBehaviour),
	suites.Say(`each capability that a channel exposes is registered`, (*judge.Judge).ExposedRegistered),
	suites.Say(`the manifest has no registry of an old type`, (*judge.Judge).NoOwnRegistry),

	suites.SayOf(`(/list[A-Za-z]+) lists what its query describes`, (*judge.Judge).OldList),
	suites.SayOf(`each query by (kind|execution|invocation|exposure|enabled|several) gives the entries that fit`,
		(*judge.Judge).QueriedBy),
	suites.Say(`each list is a view of the registry`, (*judge.Judge).ViewsOfOne),
	suites.Say(`what is created is in the registry as it was given`, (*judge.Judge).CreatesAsGiven),
	suites.Say(`each entry reads as it is listed`, (*judge.Judge).ReadsAsListed),
	suites.Say(`what is updated is as the update says`, (*judge.Judge).Updates),
	suites.Say(`what is deleted is gone`, (*judge.Judge).Deletes),
	suites.SayOf(`there is a capability (create|enable|bind) that does so and nothing else`,
		(*judge.Judge).MetaCapability),
	suites.SayOf(`no (composite|proxy) is created without a language model`, (*judge.Judge).NeedsModel),
	suites.Say(`the shell can be used from within`, (*judge.Judge).ShellWithin),
	suites.Say(`the shell asks each caller for its permission`, (*judge.Judge).ShellAsks),
	suites.Say(`the sandbox of the shell holds`, (*judge.Judge).ShellSandboxed),
	suites.Say(`two exit statuses come back`, (*judge.Judge).ExitStatuses),
	suites.Say(`the list of each manifest follows the registry`,
		func(j *judge.Judge) suites.Verdict { return j.IndexFollows(false) }),
	suites.Say(`each manifest is true both ways`, func(j *judge.Judge) suites.Verdict { return j.IndexFollows(true) }),
	suites.Say(`the documentation follows the registry`, (*judge.Judge).DocsFollow),
	suites.Say(`no channel exposes a shell`, (*judge.Judge).NoShellOnChannels),
	suites.SayOf(`each channel declares its (capabilities|modes)`, (*judge.Judge).ChannelsDeclare),
	suites.SayOf(`each channel rejects what (it has no mode for|leaves it out|is not registered)`,
		(*judge.Judge).ChannelsReject),
	suites.Say(`the whole agent can be operated through the CLI`, (*judge.Judge).OperatedByCLI),
	suites.Say(`some capability is rendered differently on two channels`, (*judge.Judge).RenderedDifferently),

	suites.Say(`each copy that leaves status.enabled out is enabled`, (*judge.Judge).EnabledUnsaid),
	suites.Say(`each copy that leaves status.mutable out can be changed`, (*judge.Judge).MutableUnsaid),
	suites.Say(`each invocation of a copy that leaves audit.log_invocation out is logged`,
		func(j *judge.Judge) suites.Verdict { return j.Logged(true) }),
	suites.Say(`no value of a copy that leaves out what is logged stands in a record`, (*judge.Judge).ValuesSilent),
	suites.Say(`what is created is used at once`, (*judge.Judge).UsedAtOnce),

	suites.Say(`each invocation that is to be logged has a record`,
		func(j *judge.Judge) suites.Verdict { return j.Logged(false) }),
	suites.SayOf(`(inputs|outputs) stand in records where the descriptor says so, and only there`,
		(*judge.Judge).ValuesLogged),
	suites.SayOf(`each hook of (pre_invoke|post_invoke|on_error) runs once for each call, in its place`,
		(*judge.Judge).HooksRun),
	suites.Say(`what is immutable stays as it is`, (*judge.Judge).ImmutableStays),

	suites.Say(`capabilities run in each mode that they declare`, (*judge.Judge).RunsAsDeclared),
	suites.SayOf(`each call (by a caller who lacks a required permission|in a mode that is not listed|of what is disabled|of an id that nobody has) is refused`,
		(*judge.Judge).Refuses),
	suites.Say(`each call of a copy that leaves granted_by_default out needs its permissions`,
		func(j *judge.Judge) suites.Verdict { return j.Refuses(judge.Unsaid) }),
	suites.Say(`each call runs once, on its substrate`, (*judge.Judge).RunsWhereItShould),
	suites.Say(`what is granted by default needs no permission`, (*judge.Judge).Grants),

	suites.SayOf(`the exemplar ships with (cap\.[a-z_.]+)`, (*judge.Judge).ShipsWith),
	suites.Say(`the CLI adapter is there`, (*judge.Judge).CLIAdapter),
}
