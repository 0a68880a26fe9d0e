// Package index contains the stimuli for an indexing service of ACP: they resolve and search (DESIGN
// section 5). It makes calls and judges nothing.
package index

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/act"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/signature"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// Caller performs the stimuli on one index. The exported fields must be set before the first call.
type Caller struct {
	Maker   *act.Maker
	History *history.History
	Subject *suites.Subject
	Known   []*history.Release         // the versions that the target file names
	Follows func() bool                // reports whether the index accepted acp.configure
	Hinted  bool                       // the environment of the index names the chain
	Usable  func(*history.Query) error // returns the reason why an answer cannot be used, or nil

	profile signature.Profile // the profile by which the packages for the index are signed
	settled time.Time         // until this time, one copy of the index may be behind another one
}

// Stimuli returns all stimuli for an index, in the order in which they are performed.
func (c *Caller) Stimuli() []act.Stimulus {
	return []act.Stimulus{
		{Name: history.Listing, Perform: c.listing},
		{Name: history.ResolveEach, Perform: c.listed(c.resolveEach)},
		{Name: history.ResolveBare, Perform: c.listed(c.resolveBare)},
		{Name: history.ResolveUnknown, Perform: c.listed(c.resolveUnknown)},
		{Name: history.SearchWords, Perform: c.listed(c.searchWords)},
		{Name: history.SearchFilters, Perform: c.listed(c.searchFilters)},
		{Name: history.SearchNothing, Perform: c.listed(c.searchNothing)},
		{Name: history.Further, Perform: c.further},
		{Name: history.ResolveLater, Perform: c.listed(c.resolveLater)},
	}
}

// releases returns the listed versions.
func (c *Caller) releases() []*history.Release {
	if len(c.Known) > 0 {
		return c.Known
	}
	return c.History.Releases()
}

// listed returns a performance that fails if no listed versions are known.
func (c *Caller) listed(perform act.Performance) act.Performance {
	return func(ctx context.Context, l *suites.Laboratory) error {
		if err := c.History.Conclusion(history.Listing); err != nil {
			return err
		}
		return perform(ctx, l)
	}
}

// query is a request to the index.
type query struct {
	operation string
	params    history.Object
	about     map[string]string
	links     []record.Link
}

func resolve(uri string) query {
	return query{operation: history.OpResolve, params: history.Object{history.MemberURI: uri}}
}

func search(word string) query {
	return query{operation: history.OpSearch, params: history.Object{"query_string": word}}
}

// with returns the search with an empty map of filters.
func (q query) with() query {
	q.params = history.Object{"query_string": q.params["query_string"], "filters": history.Object{}}
	return q
}

func (q query) in(name, value string) query {
	q.about = map[string]string{name: value}
	return q
}

func (q query) linked(relation record.Relation, to record.Tick) query {
	q.links = append(q.links[:len(q.links):len(q.links)], record.Link{Relation: relation, To: to})
	return q
}

// ask sends a request to the index. The error states why the answer cannot be used.
func (c *Caller) ask(ctx context.Context, l *suites.Laboratory, q query) (*history.Query, error) {
	op := driver.Operation{Name: q.operation, Params: jsonvalue.Encode(q.params), List: q.operation == history.OpSearch}
	entry, _, err := l.Do(ctx, suites.Call{About: q.about, Links: q.links, Operation: op})
	asked := c.History.Query(entry.Begun)
	if err != nil {
		return asked, fmt.Errorf("index: %s: %w", op.Name, err)
	}
	return asked, c.Usable(asked)
}

// askUntil repeats a request until wanted is true for the answer, or until all copies of the index have
// had as much time as the first one needed to show the listing. It returns the last answer.
func (c *Caller) askUntil(ctx context.Context, l *suites.Laboratory, q query,
	wanted func(*history.Query) bool) (*history.Query, error) {
	last, err := c.ask(ctx, l, q)
	if err != nil || wanted(last) || time.Now().After(c.settled) {
		return last, err
	}
	within, cancel := context.WithDeadline(ctx, c.settled)
	defer cancel()
	err = poll(within, func() (bool, error) {
		again, err := c.ask(ctx, l, q.linked(record.PollOf, last.Entry))
		if err != nil {
			return false, err
		}
		last = again
		return wanted(last), nil
	})
	if errors.Is(err, errNotYet) {
		err = nil
	}
	return last, err
}

func (c *Caller) resolveEach(ctx context.Context, l *suites.Laboratory) error {
	for _, r := range c.releases() {
		if _, err := c.askUntil(ctx, l, resolve(r.URI), func(q *history.Query) bool { return !q.Refused() }); err != nil {
			return err
		}
	}
	return nil
}

// resolveBare resolves each capability with two listed versions without a version. If the index refuses
// this, it uses the version latest.
func (c *Caller) resolveBare(ctx context.Context, l *suites.Laboratory) error {
	for _, r := range history.Highest(c.releases()) {
		shows := func(q *history.Query) bool { return q.Shows(r) }
		asked, err := c.askUntil(ctx, l, resolve(r.Bare()), shows)
		if err == nil && asked.None() {
			_, err = c.askUntil(ctx, l, resolve(r.Bare()+"@"+history.Latest).in(history.AboutForm, history.Latest), shows)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unknownVersion is higher than every version, and no capability has it.
const unknownVersion = "77.123.5"

// resolveUnknown resolves a name that nobody published, and versions that no capability has.
func (c *Caller) resolveUnknown(ctx context.Context, l *suites.Laboratory) error {
	name := c.Maker.Beginning() + strings.ReplaceAll(uuid.NewString(), "-", "")
	if _,
		err := c.ask(ctx, l,
		resolve(history.CapabilityPrefix+name+"@1.0.0").in(history.AboutUnknown, history.UnknownCapability)); err != nil {
		return err
	}
	of := history.Highest(c.releases())
	if len(of) == 0 {
		of = c.releases()[:1]
	}
	for _, r := range of {
		versions := []string{unknownVersion}
		if len(c.Known) == 0 { // the target file may not name all listed versions
			versions = append(versions, beside(r.Version))
		}
		for _, version := range versions {
			q := resolve(r.Bare()+"@"+version).in(history.AboutUnknown, history.UnknownVersion)
			if _, err := c.ask(ctx, l, q); err != nil {
				return err
			}
		}
	}
	return nil
}

// beside returns a version that differs from a published one only in its last number.
func beside(version string) string {
	return version[:strings.LastIndex(version, ".")+1] + "777"
}

// wordQuery is a search for a word of a capability.
type wordQuery struct {
	query
	name string // the name of the capability
}

// words returns searches for the words of each capability.
func (c *Caller) words(ctx context.Context, l *suites.Laboratory) ([]wordQuery, error) {
	var all []wordQuery
	known := map[string]bool{}
	for _, r := range c.releases() {
		if known[r.Name] {
			continue
		}
		known[r.Name] = true
		words := r.Words()
		for _, word := range words {
			all = append(all, wordQuery{search(word), r.Name})
		}
		if len(words) == 0 { // another author's capability: a word is taken from its metadata
			asked, err := c.ask(ctx, l, resolve(r.URI))
			if err != nil {
				return nil, err
			}
			q := search(nameIn(asked.Metadata(), r.Name)).linked(record.CausedBy, asked.Entry)
			all = append(all, wordQuery{q, r.Name})
		}
	}
	return all, nil
}

// nameIn returns a text by which to search for a capability: the name in its metadata, or the name in
// its URI if there is none.
func nameIn(metadata history.Object, name string) string {
	if text, ok := metadata["name"].(string); ok && strings.TrimSpace(text) != "" {
		return text
	}
	return name
}

// find repeats a search until the index finds the capability with a name.
func (c *Caller) find(ctx context.Context, l *suites.Laboratory, q query, name string) (*history.Query, error) {
	return c.askUntil(ctx, l, q,
		func(asked *history.Query) bool { return !asked.Listed || asked.Rank(name, c.releases()) >= 0 })
}

// searchWords searches for the words of each capability without filters, and with an empty map of
// filters if the result is not a list.
func (c *Caller) searchWords(ctx context.Context, l *suites.Laboratory) error {
	return c.eachWord(ctx, l, func(q query, name string) error {
		asked, err := c.find(ctx, l, q, name)
		if err == nil && !asked.Listed {
			_, err = c.find(ctx, l, q.with(), name)
		}
		return err
	})
}

func (c *Caller) eachWord(ctx context.Context, l *suites.Laboratory, do func(q query, name string) error) error {
	words, err := c.words(ctx, l)
	if err != nil {
		return err
	}
	for _, one := range words {
		if err := do(one.query, one.name); err != nil {
			return err
		}
	}
	return nil
}

// searchFilters performs the same searches without filters and with an empty map of filters.
func (c *Caller) searchFilters(ctx context.Context, l *suites.Laboratory) error {
	return c.eachWord(ctx, l, func(q query, name string) error {
		for _, one := range []query{q, q.with()} {
			if _, err := c.find(ctx, l, one, name); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *Caller) searchNothing(ctx context.Context, l *suites.Laboratory) error {
	q := search(freshWord()).in(history.AboutUnknown, history.UnknownWord)
	asked, err := c.ask(ctx, l, q)
	if err == nil && !asked.Listed {
		_, err = c.ask(ctx, l, q.with())
	}
	return err
}

// resolveLater repeats all queries after further publications.
func (c *Caller) resolveLater(ctx context.Context, l *suites.Laboratory) error {
	return errors.Join(c.resolveEach(ctx, l), c.resolveBare(ctx, l), c.searchWords(ctx, l))
}

// Settle performs the searches that settle doubts, in both orders.
func (c *Caller) Settle(ctx context.Context, sc *suites.Scenario, what []verdict.Settle) {
	for _, s := range what {
		asked := c.History.Query(s.Of)
		if s.Stimulus != history.FiltersAgain || asked == nil {
			continue
		}
		q := search(asked.Word).linked(record.Confirms, s.Of)
		if from, taken := asked.Link(record.CausedBy); taken {
			q = q.linked(record.CausedBy, from)
		}
		for _, one := range []query{q, q.with(), q.with(), q} {
			if _, err := c.ask(ctx, sc.Laboratory(s.Stimulus), one); err != nil {
				break
			}
		}
	}
}
