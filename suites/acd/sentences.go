package acdsuite

import (
	"context"
	"regexp"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/judge"
)

// Steps implements suites.Examination.
func (e *examination) Steps(voc suites.Vocabulary, sc *suites.Scenario) {
	for _, s := range judgements {
		voc.Step(s.expression(), s.bind(e.judge, sc))
	}
}

// judgement is a sentence that names a judgement, and nothing else.
type judgement struct {
	expression func() *regexp.Regexp
	bind       func(*judge.Judge, *suites.Scenario) any
}

// decide makes a sentence of a judgement.
func decide(expression string, by func(*judge.Judge) suites.Verdict) judgement {
	return judgement{suites.Expression(expression), func(j *judge.Judge, sc *suites.Scenario) any {
		return func(ctx context.Context) error {
			return sc.Judge(ctx, func() suites.Verdict { return by(j) })
		}
	}}
}

// about makes a sentence of a judgement about one member or id.
func about(expression string, by func(*judge.Judge, string) suites.Verdict) judgement {
	return judgement{suites.Expression(expression), func(j *judge.Judge, sc *suites.Scenario) any {
		return func(ctx context.Context, name string) error {
			return sc.Judge(ctx, func() suites.Verdict { return by(j, name) })
		}
	}}
}

// judgements are the sentences that judge everything that a run saw.
var judgements = []judgement{
	decide(`everything that the agent names is registered`, (*judge.Judge).NamedRegistered),
	decide(`both protocols say the same of each capability`, (*judge.Judge).SameInBoth),

	about(`each descriptor has (?:its|sound) ([a-z_. ]+)`, (*judge.Judge).DescriptorsHave),
	decide(`no descriptor branches by an old type`, (*judge.Judge).NoOldType),
	decide(`no shell is shown to people`, (*judge.Judge).NoShellForPeople),

	about(`the manifest has (?:its|sound) ([a-z_. ]+)`, (*judge.Judge).ManifestHas),
	decide(`no channel of the manifest defines behaviour`, (*judge.Judge).NoBehaviour),
	decide(`each capability that a channel exposes is registered`, (*judge.Judge).ExposedRegistered),
	decide(`the manifest has no registry of an old type`, (*judge.Judge).NoOwnRegistry),

	about(`(/list[A-Za-z]+) lists what its query describes`, (*judge.Judge).OldList),
	about(`each query by (kind|execution|invocation|exposure|enabled|several) gives the entries that fit`, (*judge.Judge).QueriedBy),
	decide(`each list is a view of the registry`, (*judge.Judge).ViewsOfOne),
	decide(`what is created is in the registry as it was given`, (*judge.Judge).CreatesAsGiven),
	decide(`each entry reads as it is listed`, (*judge.Judge).ReadsAsListed),
	decide(`what is updated is as the update says`, (*judge.Judge).Updates),
	decide(`what is deleted is gone`, (*judge.Judge).Deletes),
	about(`there is a capability (create|enable|bind) that does so and nothing else`, (*judge.Judge).MetaCapability),
	about(`no (composite|proxy) is created without a language model`, (*judge.Judge).NeedsModel),
	decide(`the shell can be used from within`, (*judge.Judge).ShellWithin),
	decide(`the shell asks each caller for its permission`, (*judge.Judge).ShellAsks),
	decide(`the sandbox of the shell holds`, (*judge.Judge).ShellSandboxed),
	decide(`two exit statuses come back`, (*judge.Judge).ExitStatuses),
	decide(`the list of each manifest follows the registry`, func(j *judge.Judge) suites.Verdict { return j.IndexFollows(false) }),
	decide(`each manifest is true both ways`, func(j *judge.Judge) suites.Verdict { return j.IndexFollows(true) }),
	decide(`the documentation follows the registry`, (*judge.Judge).DocsFollow),
	decide(`no channel exposes a shell`, (*judge.Judge).NoShellOnChannels),
	about(`each channel declares its (capabilities|modes)`, (*judge.Judge).ChannelsDeclare),
	decide(`each channel rejects what it has no mode for`, rejects(judge.NoMode)),
	decide(`each channel rejects what leaves it out`, rejects(judge.LeftOut)),
	decide(`each channel rejects what is not registered`, rejects(judge.NotRegistered)),
	decide(`the whole agent can be operated through the CLI`, (*judge.Judge).OperatedByCLI),
	decide(`some capability is rendered differently on two channels`, (*judge.Judge).RenderedDifferently),

	decide(`each copy that leaves status.enabled out is enabled`, (*judge.Judge).EnabledUnsaid),
	decide(`each copy that leaves status.mutable out can be changed`, (*judge.Judge).MutableUnsaid),
	decide(`each invocation of a copy that leaves audit.log_invocation out is logged`, func(j *judge.Judge) suites.Verdict { return j.Logged(true) }),
	decide(`no value of a copy that leaves out what is logged stands in a record`, (*judge.Judge).ValuesSilent),
	decide(`what is created is used at once`, (*judge.Judge).UsedAtOnce),

	decide(`each invocation that is to be logged has a record`, func(j *judge.Judge) suites.Verdict { return j.Logged(false) }),
	about(`(inputs|outputs) stand in records where the descriptor says so, and only there`, (*judge.Judge).ValuesLogged),
	about(`each hook of (pre_invoke|post_invoke|on_error) runs once for each call, in its place`, (*judge.Judge).HooksRun),
	decide(`what is immutable stays as it is`, (*judge.Judge).ImmutableStays),

	decide(`capabilities run in each mode that they declare`, (*judge.Judge).RunsAsDeclared),
	decide(`each call by a caller who lacks a required permission is refused`, refuses(judge.Permission)),
	decide(`each call of a copy that leaves granted_by_default out needs its permissions`, refuses(judge.Unsaid)),
	decide(`each call runs once, on its substrate`, (*judge.Judge).RunsWhereItShould),
	decide(`each call in a mode that is not listed is refused`, refuses(judge.OtherMode)),
	decide(`each call of what is disabled is refused`, refuses(judge.Disabled)),
	decide(`each call of an id that nobody has is refused`, (*judge.Judge).UnknownRefused),
	decide(`what is granted by default needs no permission`, (*judge.Judge).Grants),

	about(`the exemplar ships with (cap\.[a-z_.]+)`, (*judge.Judge).ShipsWith),
	decide(`the CLI adapter is there`, (*judge.Judge).CLIAdapter),
}

// refuses gives the judgement of one reason for which calls have to be refused.
func refuses(reason string) func(*judge.Judge) suites.Verdict {
	return func(j *judge.Judge) suites.Verdict { return j.Refuses(reason) }
}

// rejects gives the judgement of one reason for which a channel has to refuse a projection.
func rejects(reason string) func(*judge.Judge) suites.Verdict {
	return func(j *judge.Judge) suites.Verdict { return j.ChannelsReject(reason) }
}
