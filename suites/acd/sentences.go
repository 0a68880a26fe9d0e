package acdsuite

import (
	"context"
	"regexp"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/judge"
)

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

	about(`the exemplar ships with (cap\.[a-z_.]+)`, (*judge.Judge).ShipsWith),
	decide(`the CLI adapter is there`, (*judge.Judge).CLIAdapter),
}
