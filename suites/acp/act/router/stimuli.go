package router

import (
	"github.com/capconform/capconform/suites/acp/act"
	"github.com/capconform/capconform/suites/acp/history"
)

// Stimuli returns all stimuli for a router in the order in which they are performed. Those that affect
// the whole subject are last. This is the only place that lists them.
func (c *Caller) Stimuli() []act.Stimulus {
	b := bench{installer{c}}
	p := pairing{b}
	all := []act.Stimulus{
		{Name: history.RequiredOperations, Perform: routes{p}.requiredOperations},
		{Name: history.OwnExpressions, Perform: routes{p}.ownTriggers(byExpression)},
		{Name: history.OwnKeywords, Perform: routes{p}.ownTriggers(byKeyword)},
		{Name: history.Alternating, Perform: routes{p}.alternate},
		{Name: history.TopByEither, Perform: routes{p}.activeKeeps(byEither)},
		{Name: history.TopByKeyword, Perform: routes{p}.activeKeeps(byKeyword)},
		{Name: history.TriggerOfOther, Perform: routes{p}.triggerOfOther},
		{Name: history.BackCommand, Perform: routes{p}.back},
		{Name: history.BackInOtherConversation, Perform: routes{p}.backInOtherConversation},
		{Name: history.SwitchCommand, Perform: routes{p}.switchOver},
		{Name: history.NoTriggerMatches, Perform: routes{p}.noTriggerMatches},
		{Name: history.DoneReported, Perform: completions{p}.done},
		{Name: history.DoneInOtherConversation, Perform: completions{p}.doneInOtherConversation},
		{Name: history.DoneAbove, Perform: completions{p}.doneAbove},
		{Name: history.LostMessage, Perform: completions{p}.lostMessage},
		{Name: history.PackageRemoved, Perform: removals{b}.removed},
		{Name: history.PackageUpgraded, Perform: removals{b}.upgraded},
		{Name: history.PackageUnserved, Perform: removals{b}.unserved},
		{Name: history.LongMessages, Perform: routes{p}.longMessages},
		{Name: history.ObjectsStored, Perform: states{b}.objects},
		{Name: history.ObjectsPatched, Perform: changes{b}.patches},
		{Name: history.ObjectsDeleted, Perform: changes{b}.deletions},
		{Name: history.FilteredQueries, Perform: states{b}.filters},
		{Name: history.PagedQuery, Perform: states{b}.pages},
		{Name: history.InvalidObjects, Perform: validations{b}.invalid},
		{Name: history.ForeignURI, Perform: changes{b}.foreignURI},
		{Name: history.UndeclaredVerbs, Perform: changes{b}.undeclared},
		{Name: history.OtherScope, Perform: changes{b}.otherScope},
		{Name: history.BoundVerbs, Perform: changes{b}.boundVerbs},
		{Name: history.StricterSchema, Perform: validations{b}.stricterSchema},
		{Name: history.FailingTool, Perform: validations{b}.failingTool},
		{Name: history.AttackingPrompts, Perform: offers{b}.attackingPrompts},
		{Name: history.BoundTools, Perform: bindings{b}.boundTools},
		{Name: history.AgentPlaceholder, Perform: bindings{b}.placeholder},
		{Name: history.UnboundTool, Perform: bindings{b}.unbound},
		{Name: history.UnknownBindingType, Perform: bindings{b}.unknownType},
		{Name: history.ToolsOfOneName, Perform: bindings{b}.toolsOfOneName},
		{Name: history.PackageReplaced, Perform: bindings{b}.replaced},
		{Name: history.ModelFamilies, Perform: bindings{b}.modelFamilies},
		{Name: history.ConfinedTool, Perform: bindings{b}.confined},
		{Name: history.PackageUnreached, Perform: removals{b}.unreached},
	}
	for _, kind := range history.Flaws() {
		all = append(all, act.Stimulus{Name: history.FlawedPackages + kind, Perform: offers{b}.flawed(kind)})
	}
	return append(all, act.Stimulus{Name: history.ToolThatHangs, Perform: completions{p}.whatHangs},
		act.Stimulus{Name: history.SubjectRestarted, Perform: states{b}.restart})
}
