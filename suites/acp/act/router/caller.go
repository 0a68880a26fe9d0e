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
	History *history.History
	Ready   func() error // why no package can be installed, or none is reached by messages
	Guest   func(capURI string)
	Flaws   []Flaw // that break rules on packages

	keeper *sample.Package // has every built-in tool
}

// stimulus is one of the suite.
type stimulus struct {
	name    string
	perform func(*Caller, context.Context, *suites.Laboratory) error
}

// stimuli are all of a router in the order in which they are performed.
var stimuli = []stimulus{
	{history.Duties, (*Caller).duties},
	{history.Spoken, (*Caller).spoken},
	{history.Kept, (*Caller).objects},
	{history.Patched, (*Caller).patches},
	{history.Deleted, (*Caller).deletions},
	{history.Filtered, (*Caller).filters},
	{history.Paged, (*Caller).pages},
	{history.Unsound, (*Caller).unsound},
	{history.ForeignURI, (*Caller).foreignURI},
	{history.Undeclared, (*Caller).undeclared},
	{history.OtherScope, (*Caller).otherScope},
	{history.BoundVerbs, (*Caller).boundVerbs},
	{history.Grown, (*Caller).grown},
	{history.Failing, (*Caller).failing},
	{history.Flawed + history.FlawUnsigned, flawed(history.FlawUnsigned)},
	{history.Flawed + history.FlawUnverifiable, flawed(history.FlawUnverifiable)},
	{history.Flawed + history.FlawForeign, flawed(history.FlawForeign)},
	{history.Flawed + history.FlawChanged, flawed(history.FlawChanged)},
	{history.Flawed + history.FlawInvalid, flawed(history.FlawInvalid)},
	{history.Flawed + history.FlawReformatted, flawed(history.FlawReformatted)},
	{history.Flawed + history.FlawMisplaced, flawed(history.FlawMisplaced)},
	{history.Attacking, (*Caller).attacking},
	{history.Bound, (*Caller).bound},
	{history.Placeholder, (*Caller).placeholder},
	{history.Unbound, (*Caller).unbound},
	{history.UnknownType, (*Caller).unknownType},
	{history.Namesakes, (*Caller).namesakes},
	{history.Replaced, (*Caller).replaced},
	{history.Families, (*Caller).families},
	{history.Confined, (*Caller).confined},
	{history.Restarted, nil},
}

// PerformAll performs every stimulus once.
func (c *Caller) PerformAll(ctx context.Context, sc *suites.Scenario) {
	for _, s := range stimuli {
		perform := func(ctx context.Context, l *suites.Laboratory) *suites.Unperformed {
			if s.name == history.Restarted {
				return suites.Because(c.restart(ctx, sc, l))
			}
			return suites.Because(s.perform(c, ctx, l))
		}
		_ = sc.Perform(ctx, s.name, perform) // the record holds the reason: see history.Conclusion
	}
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
