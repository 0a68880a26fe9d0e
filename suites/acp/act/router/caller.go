// Package router provokes what a router and its runtime do: it holds the stimuli of these
// actors (DESIGN section 5). It calls, and judges nothing.
package router

import (
	"context"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/act"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/driver"
)

// Caller performs the stimuli on one router. Its fields are set before the first call.
type Caller struct {
	*act.Maker
	History  *history.History
	Ready    func() error // why no package can be installed, or none is reached by messages
	Remember func(capURI string)
	Flaws    []Flaw                 // that break rules on packages
	First    func() *sample.Package // the first one that was installed

	keeper *sample.Package // has every built-in tool
	pairs  map[pairKind]pair
}

// Stimuli are all of a router in the order in which they are performed. Those that concern the
// whole subject come last.
func (c *Caller) Stimuli() []act.Stimulus {
	all := []act.Stimulus{
		{Name: history.Duties, Perform: c.duties},
		{Name: history.OwnExpressions, Perform: c.ownTriggers(byExpression)},
		{Name: history.OwnKeywords, Perform: c.ownTriggers(byKeyword)},
		{Name: history.ToAndFro, Perform: c.toAndFro},
		{Name: history.TopByEither, Perform: c.topKeeps(byEither)},
		{Name: history.TopByKeyword, Perform: c.topKeeps(byKeyword)},
		{Name: history.Elsewhere, Perform: c.elsewhere},
		{Name: history.Back, Perform: c.back},
		{Name: history.BackElsewhere, Perform: c.backElsewhere},
		{Name: history.Switch, Perform: c.switchOver},
		{Name: history.Neutral, Perform: c.neutral},
		{Name: history.Done, Perform: c.done},
		{Name: history.DoneElsewhere, Perform: c.doneElsewhere},
		{Name: history.DoneAbove, Perform: c.doneAbove},
		{Name: history.LostMessage, Perform: c.lost},
		{Name: history.Removed, Perform: c.removed},
		{Name: history.Upgraded, Perform: c.upgraded},
		{Name: history.Unserved, Perform: c.unserved},
		{Name: history.Spoken, Perform: c.spoken},
		{Name: history.Kept, Perform: c.objects},
		{Name: history.Patched, Perform: c.patches},
		{Name: history.Deleted, Perform: c.deletions},
		{Name: history.Filtered, Perform: c.filters},
		{Name: history.Paged, Perform: c.pages},
		{Name: history.Unsound, Perform: c.unsound},
		{Name: history.ForeignURI, Perform: c.foreignURI},
		{Name: history.Undeclared, Perform: c.undeclared},
		{Name: history.OtherScope, Perform: c.otherScope},
		{Name: history.BoundVerbs, Perform: c.boundVerbs},
		{Name: history.Grown, Perform: c.grown},
		{Name: history.Failing, Perform: c.failing},
		{Name: history.Attacking, Perform: c.attacking},
		{Name: history.Bound, Perform: c.bound},
		{Name: history.Placeholder, Perform: c.placeholder},
		{Name: history.Unbound, Perform: c.unbound},
		{Name: history.UnknownType, Perform: c.unknownType},
		{Name: history.Namesakes, Perform: c.namesakes},
		{Name: history.Replaced, Perform: c.replaced},
		{Name: history.Families, Perform: c.families},
		{Name: history.Confined, Perform: c.confined},
		{Name: history.Unreached, Perform: c.unreached},
	}
	for _, kind := range history.Flaws() {
		all = append(all, act.Stimulus{Name: history.Flawed + kind, Perform: c.flawed(kind)})
	}
	return append(all, act.Stimulus{Name: history.Hung, Perform: c.hung},
		act.Stimulus{Name: history.Restarted, Perform: c.restart})
}

func newConversation() string { return "capconform-" + uuid.NewString() }

// nobodysURI is the URI of a capability that nobody published and nothing installed.
const nobodysURI = "did:nuwa:cap:capconform@1.0.0"

// duties asks for what changes nothing: there is no package without a CID, and nobody
// installed the capability.
func (c *Caller) duties(ctx context.Context, l *suites.Laboratory) error {
	for _, op := range []driver.Operation{
		{Name: history.OpInstall, Params: suites.Encode(history.Object{"cid": ""})},
		{Name: history.OpUninstall, Params: suites.Encode(history.Object{"cap_uri": nobodysURI})},
		{Name: history.OpMessage, Params: suites.Encode(history.Object{"conversation": newConversation(), "text": "Hello."})},
	} {
		_, _, _ = l.Do(ctx, suites.Call{Operation: op}) // the entry says what came of it
	}
	return nil
}
