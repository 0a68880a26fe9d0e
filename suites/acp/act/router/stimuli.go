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
		{Name: history.Duties, Perform: routes{p}.duties},
		{Name: history.OwnExpressions, Perform: routes{p}.ownTriggers(byExpression)},
		{Name: history.OwnKeywords, Perform: routes{p}.ownTriggers(byKeyword)},
		{Name: history.Alternating, Perform: routes{p}.alternate},
		{Name: history.TopByEither, Perform: routes{p}.topKeeps(byEither)},
		{Name: history.TopByKeyword, Perform: routes{p}.topKeeps(byKeyword)},
		{Name: history.Elsewhere, Perform: routes{p}.elsewhere},
		{Name: history.Back, Perform: routes{p}.back},
		{Name: history.BackElsewhere, Perform: routes{p}.backElsewhere},
		{Name: history.Switch, Perform: routes{p}.switchOver},
		{Name: history.Neutral, Perform: routes{p}.neutral},
		{Name: history.Done, Perform: completions{p}.done},
		{Name: history.DoneElsewhere, Perform: completions{p}.doneElsewhere},
		{Name: history.DoneAbove, Perform: completions{p}.doneAbove},
		{Name: history.LostMessage, Perform: completions{p}.lost},
		{Name: history.Removed, Perform: removals{b}.removed},
		{Name: history.Upgraded, Perform: removals{b}.upgraded},
		{Name: history.Unserved, Perform: removals{b}.unserved},
		{Name: history.LongMessages, Perform: routes{p}.longMessages},
		{Name: history.Kept, Perform: states{b}.objects},
		{Name: history.Patched, Perform: changes{b}.patches},
		{Name: history.Deleted, Perform: changes{b}.deletions},
		{Name: history.Filtered, Perform: states{b}.filters},
		{Name: history.Paged, Perform: states{b}.pages},
		{Name: history.Invalid, Perform: validations{b}.invalid},
		{Name: history.ForeignURI, Perform: changes{b}.foreignURI},
		{Name: history.Undeclared, Perform: changes{b}.undeclared},
		{Name: history.OtherScope, Perform: changes{b}.otherScope},
		{Name: history.BoundVerbs, Perform: changes{b}.boundVerbs},
		{Name: history.StricterSchema, Perform: validations{b}.stricterSchema},
		{Name: history.Failing, Perform: validations{b}.failing},
		{Name: history.Attacking, Perform: offers{b}.attacking},
		{Name: history.Bound, Perform: bindings{b}.bound},
		{Name: history.Placeholder, Perform: bindings{b}.placeholder},
		{Name: history.Unbound, Perform: bindings{b}.unbound},
		{Name: history.UnknownType, Perform: bindings{b}.unknownType},
		{Name: history.ToolsOfOneName, Perform: bindings{b}.toolsOfOneName},
		{Name: history.Replaced, Perform: bindings{b}.replaced},
		{Name: history.Families, Perform: bindings{b}.families},
		{Name: history.Confined, Perform: bindings{b}.confined},
		{Name: history.Unreached, Perform: removals{b}.unreached},
	}
	for _, kind := range history.Flaws() {
		all = append(all, act.Stimulus{Name: history.Flawed + kind, Perform: offers{b}.flawed(kind)})
	}
	return append(all, act.Stimulus{Name: history.ToolThatHangs, Perform: completions{p}.hanging},
		act.Stimulus{Name: history.Restarted, Perform: states{b}.restart})
}
