// Package act provokes what a capability source does: it holds the stimuli of the suite
// (DESIGN section 5). It calls, and judges nothing.
package act

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/record"
)

// The roles of the fixture profile (DESIGN section 10).
const (
	Echo       = "echo"
	Fails      = "fails"
	Slow       = "slow"
	Restricted = "restricted"
	Malformed  = "malformed"
	Skill      = "skill"
	Counter    = "counter"
	Replace    = "replace"
	Attach     = "attach"
)

// describedAtMost bounds how many capabilities of a source are described: enough for any
// real one, and linear for one that lists 10,000.
const (
	describedAtMost = 2000
	faultsAtMost    = 60
	edgesAtMost     = 16
	grownAtMost     = 6
	silencesAtMost  = 3
	againAtMost     = 30 // descriptions that are asked for twice
	askedAgain      = 2  // how often what may be a limit is asked again
)

// Capability is a listed capability.
type Capability struct {
	*history.Sheet
	Cache *instance.Cache

	pace    pace
	compile sync.Once
	input   *instance.Template
}

// Input gives the compiled input schema, nil where it is none.
func (c *Capability) Input() *instance.Template {
	c.compile.Do(func() {
		switch schema := c.Manifest()[history.MemberInput].(type) {
		case map[string]any, bool:
			c.input, _ = c.Cache.Template(schema) // a broken one is CAP-MAN-02's
		}
	})
	return c.input
}

// Player is a listed capability in a role.
type Player struct {
	*Capability
	Given json.RawMessage // the input of the target file, nil: made from the schema
}

// Caller performs the stimuli on one source. Its fields are set before the first call.
type Caller struct {
	History  *history.History
	Subject  *suites.Subject
	Gate     *suites.Gate
	Cache    *instance.Cache
	Running  context.Context // of the run: no more inputs are made when it ends
	List     *history.List   // that the run began with
	Players  map[string]*Player
	Pool     []*Capability                       // ordinary capabilities that may be invoked
	Fixtures []history.Ref                       // what of the fixture profile and the target file may be there, unlisted
	Offer    func(history.Ref, history.Manifest) // enters a further manifest
	Ready    func() error                        // why nothing may be invoked
	Adapted  bool                                // a plain MCP server

	ahead     instance.Ahead
	impatient atomic.Bool    // see limitOf
	kinds     map[string]int // of inputs that were tried, see rare
}

// stimuli are all of the suite in the order in which they are performed. Some need what
// earlier ones brought. Those that change the source come last.
var stimuli = []suites.Act[*Caller]{
	{Name: history.Described, Perform: (*Caller).describeAll},
	{Name: history.Sound, Perform: (*Caller).invokeSound},
	{Name: history.Unsound, Perform: (*Caller).invokeUnsound},
	{Name: history.UnlistedDescribed, Perform: (*Caller).describeStrangers},
	{Name: history.UnlistedInvoked, Perform: (*Caller).invokeStrangers},
	{Name: history.Neighbours, Perform: (*Caller).neighbours},
	{Name: history.Reduced, Perform: (*Caller).describeReduced},
	{Name: history.InRole, Perform: (*Caller).inRoles},
	{Name: history.FailingUnsound, Perform: (*Caller).invokeFailing},
	{Name: history.AtOnce, Perform: (*Caller).atOnce},
	{Name: history.ListedAgain, Perform: (*Caller).listAgain},
	{Name: history.Changed, Perform: (*Caller).describeChanged},
	{Name: history.Replaced, Perform: (*Caller).exchange},
	{Name: history.Counted, Perform: (*Caller).count},
	{Name: history.AttachedTools, Perform: (*Caller).attachTools},
	{Name: history.AttachedSkills, Perform: (*Caller).attachSkills},
	{Name: history.Restart, Perform: (*Caller).restart},
}

// PerformAll performs every stimulus once.
func (c *Caller) PerformAll(ctx context.Context, sc *suites.Scenario) {
	suites.PerformEach(ctx, sc, c, stimuli)
}

// Close implements io.Closer: nothing is made any more.
func (c *Caller) Close() error { return c.ahead.Close() }

// Fruitless lists the ordinary capabilities that answered so far, and never with ok.
func (c *Caller) Fruitless() []string {
	var never []string
	all := c.History.Of(history.Sound)
	for _, of := range c.Pool {
		answered := func(a *history.Attempt) bool { return a.Asked == of.Ref() && a.Lost == nil }
		accepted := func(a *history.Attempt) bool { return a.Asked == of.Ref() && a.Succeeded() }
		if slices.ContainsFunc(all, answered) && !slices.ContainsFunc(all, accepted) {
			never = append(never, of.ID)
		}
	}
	return never
}

// needList says why there is no list to work with.
func (c *Caller) needList() error {
	first := c.History.First()
	if first.Lost != nil {
		return first.Lost
	}
	if c.List.Empty() {
		return suites.Undecided("no capability is listed, so there is nothing to look at")
	}
	return nil
}

// listOperation asks for the list.
func listOperation() driver.Operation {
	return driver.Operation{Name: history.OpList, List: true, Single: true}
}

// list asks what is listed now, and asks again where a limit may have refused it.
func (c *Caller) list(ctx context.Context, l *suites.Laboratory, about map[string]string,
	links ...record.Link) *history.Listing {
	call := suites.Call{About: about, Operation: listOperation(), Links: links}
	for again := 0; ; again++ {
		entry, _, _ := l.Do(ctx, call) // the entry says what came of it
		now := c.History.Listing(entry.Begun)
		if now == nil {
			return &history.Listing{}
		}
		if again == askedAgain || !now.MayBeLimit() {
			return now
		}
		call.Links = append(slices.Clone(links), record.Link{Relation: record.RetryOf, To: entry.Begun})
	}
}

// describe asks for one pair.
func (c *Caller) describe(ctx context.Context, l *suites.Laboratory, r history.Ref, about map[string]string,
	links ...record.Link) *history.Lookup {
	call := suites.Call{About: about, Links: links, Operation: driver.Operation{Name: history.OpDescribe,
		Params: suites.Encode(r)}}
	entry, _, _ := l.Do(ctx, call) // the entry says what came of it
	if found := c.History.Lookup(entry.Begun); found != nil {
		return found
	}
	return &history.Lookup{Asked: r}
}

// invocation is one call of capability.invoke.
type invocation struct {
	asked history.Ref
	input json.RawMessage
	about map[string]string
	slow  bool
	links []record.Link
}

// with adds a parameter, unless it is empty.
func (i invocation) with(name, value string) invocation {
	about := map[string]string{}
	for n, v := range i.about {
		about[n] = v
	}
	if value != "" {
		about[name] = value
	}
	i.about = about
	return i
}

// of makes an invocation with a sound input.
func (c *Capability) of(s instance.Sample) invocation {
	return invocation{asked: c.Ref(), input: s.Text}.with(history.AboutDoubt, s.Doubt)
}

// breaking makes an invocation with an unsound input.
func (c *Capability) breaking(f instance.Sample) invocation {
	return invocation{asked: c.Ref(), input: f.Text}.with(history.AboutBreaks, f.Keyword).with(history.AboutWhy, f.Note)
}

// params writes what invoke takes. The input is JSON already.
func (i invocation) params() json.RawMessage {
	params := append([]byte(`{"`+history.MemberInvoked+`":`), i.input...)
	params = append(params, `,"`+history.MemberRef+`":`...)
	return append(append(params, suites.Encode(i.asked)...), '}')
}

func (c *Caller) invoke(ctx context.Context, l *suites.Laboratory, i invocation) *history.Attempt {
	return c.send(ctx, l, i, i.params())
}

func (c *Caller) send(ctx context.Context, l *suites.Laboratory, i invocation,
	params json.RawMessage) *history.Attempt {
	call := suites.Call{About: i.about, Links: i.links, Limit: c.limitOf(i),
		Operation: driver.Operation{Name: history.OpInvoke, Params: params}}
	begun := time.Now()
	entry, _, err := l.Do(ctx, call) // the entry says what came of it
	c.notePace(ctx, i, time.Since(begun), err)
	if a := c.History.Attempt(entry.Begun); a != nil {
		return a
	}
	return &history.Attempt{Call: history.Call{Observed: suites.Observed{Lost: context.Canceled}}, Asked: i.asked,
		Input: i.input}
}

// like makes the invocation of an attempt again.
func (c *Caller) like(a *history.Attempt) invocation {
	slow := c.Players[Slow]
	return invocation{asked: a.Asked, input: a.Input, about: a.About, slow: slow != nil && slow.Ref() == a.Asked}
}

// tried are the sound inputs that a capability was invoked with, without those at a limit of
// its schema.
func (c *Caller) tried(r history.Ref) []*history.Attempt {
	return slices.DeleteFunc(c.History.Of(history.Sound), func(a *history.Attempt) bool {
		return a.Asked != r || a.About[history.AboutEdge] != ""
	})
}

func firstSuccess(all []*history.Attempt) *history.Attempt {
	for _, a := range all {
		if a.Succeeded() {
			return a
		}
	}
	return nil
}

// working gives one success of an ordinary capability, nil if there is none.
func (c *Caller) working() *history.Attempt {
	for _, of := range c.Pool {
		if a := firstSuccess(c.tried(of.Ref())); a != nil {
			return a
		}
	}
	return nil
}

// Plays tells whether a capability plays a role.
func (c *Caller) Plays(r history.Ref, role string) bool {
	p := c.Players[role]
	return p != nil && p.Ref() == r
}

// capability gives a sheet as a capability that can be invoked.
func (c *Caller) capability(s *history.Sheet) *Capability {
	for _, of := range c.Pool {
		if of.Sheet == s {
			return of
		}
	}
	for _, p := range c.Players {
		if p.Sheet == s {
			return p.Capability
		}
	}
	return &Capability{Sheet: s, Cache: c.Cache}
}

// Once invokes a capability as a role is invoked in a run. It is no part of a run: nothing of
// it stands in a record.
func (c *Caller) Once(ctx context.Context, sc *suites.Scenario, r history.Ref, input json.RawMessage,
	role string) (history.Result, error) {
	limit := c.Subject.Deadlines.Call
	if role == Slow {
		limit = c.Subject.Deadlines.Slow
	}
	op := driver.Operation{Name: history.OpInvoke, Params: invocation{asked: r, input: input}.params()}
	answer, err := sc.Ask(ctx, op, limit)
	if err != nil || answer.Outcome != driver.Returned {
		return history.Result{}, err
	}
	return history.ReadResult(answer.Result), nil
}
