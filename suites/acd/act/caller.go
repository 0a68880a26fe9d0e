// Package act provokes what an agent does: it holds the stimuli of the suite (DESIGN
// section 5). It calls, and judges nothing.
package act

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/acp/environment"
)

// Caller performs the stimuli on one agent. Its fields are set before the first call.
type Caller struct {
	History *history.History
	Subject *suites.Subject
	Gate    *suites.Gate
	Entries []*history.Item // of the registry that can be named
	Players map[string]suites.Cast[*history.Item]
	Pool    []*history.Item          // what may be invoked
	Models  *environment.Environment // opens the language models that the suite plays
	// Input gives an input that an entry should take, and whether one could be made.
	Input func(*history.Item) (any, bool)
}

// stimulus is one of the suite.
type stimulus struct {
	name    string
	perform func(*bench, context.Context) error
}

// stimuli are all of the suite in the order in which they are performed. Most need what
// Ordinary showed.
var stimuli = []stimulus{
	{history.Ordinary, (*bench).ordinary},
	{history.EchoInputs, (*bench).inputs},
	{history.AtOnce, (*bench).atOnce},
	{history.UnknownID, (*bench).unknown},
	{history.Permissions, (*bench).permissions},
	{history.Unsaid, (*bench).unsaid},
	{history.Granted, (*bench).granted},
	{history.OtherModes, (*bench).otherModes},
	{history.Disabled, (*bench).disabled},
	{history.Entries, (*bench).outOfBounds},
	{history.Substrates, (*bench).substrates},
	{history.Created, (*bench).creates},
	{history.ReadEntries, (*bench).readsEntries},
	{history.Updated, (*bench).updatesCopies},
	{history.DeletedOnes, (*bench).deletesCopies},
	{history.ByOne, (*bench).queriesByOne},
	{history.BySeveral, (*bench).queriesBySeveral},
	{history.OldLists, (*bench).legacyLists},
	{history.Audits, (*bench).audits},
	{history.AuditUnsaid, (*bench).unsaidAudits},
	{history.Values, (*bench).values},
	{history.HooksBefore, (*bench).beforeHooks},
	{history.HooksAfter, (*bench).afterHooks},
	{history.HooksOnError, (*bench).errorHooks},
	{history.EnabledUnsaid, (*bench).unsaidEnabled},
	{history.MutableUnsaid, (*bench).unsaidMutable},
	{history.UsedAtOnce, (*bench).usedAtOnce},
	{history.Immutables, (*bench).immutables},
	{history.Declared, (*bench).declared},
	{history.Rejected, (*bench).rejected},
	{history.Shells, (*bench).shells},
	{history.ThroughCLI, (*bench).throughCLI},
	{history.Indexed, (*bench).indexed},
	{history.Documented, (*bench).documented},
	{history.ByCreate, (*bench).makesByMeta},
	{history.ByEnable, (*bench).enablesByMeta},
	{history.ByBind, (*bench).bindsByMeta},
	{history.Composites, (*bench).composites},
	{history.Proxies, (*bench).proxies},
	{history.Scripts, (*bench).scripts},
	{history.BarredScripts, (*bench).barredScripts},
	{history.Sandbox, (*bench).sandbox},
	{history.Described, (*bench).described},
}

// PerformAll performs every stimulus once.
func (c *Caller) PerformAll(ctx context.Context, sc *suites.Scenario) {
	for _, s := range stimuli {
		perform := func(ctx context.Context, l *suites.Laboratory) *suites.Unperformed {
			b := &bench{Caller: c, lab: l}
			defer b.clean(ctx)
			return suites.Because(s.perform(b, ctx))
		}
		_ = sc.Perform(ctx, s.name, perform) // the record holds the reason: see history.Conclusion
	}
}

// find gives an entry by its id, nil where there is none.
func (c *Caller) find(id string) *history.Item {
	if i := slices.IndexFunc(c.Entries, func(one *history.Item) bool { return one.ID == id }); i >= 0 {
		return c.Entries[i]
	}
	return nil
}

// described asks for the manifest and the registry once more, with all that the run has done
// in between.
func (b *bench) described(ctx context.Context) error {
	b.call(ctx, history.OpManifest, nil)
	b.whole(ctx)
	return nil
}
