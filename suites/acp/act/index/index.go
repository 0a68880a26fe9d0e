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
	Maker         *act.PackageMaker
	History       *history.History
	Subject       *suites.Subject
	KnownReleases []*history.Release         // the versions that the target file names
	Configured    func() bool                // reports whether the index accepted acp.configure
	HasAddresses  bool                       // the environment of the index names the chain
	AnswerError   func(*history.Query) error // returns the reason why an answer cannot be used, or nil

	profile     signature.Profile // the profile by which the packages for the index are signed
	copiesAgree time.Time         // until this time, one copy of the index may be behind another one
}

// Stimuli returns all stimuli for an index, in the order in which they are performed.
func (c *Caller) Stimuli() []act.Stimulus {
	return []act.Stimulus{
		{Name: history.Listing, Perform: c.listing},
		{Name: history.ResolveEach, Perform: c.requireListing(c.resolveEach)},
		{Name: history.ResolveWithoutVersion, Perform: c.requireListing(c.resolveWithoutVersion)},
		{Name: history.ResolveUnknown, Perform: c.requireListing(c.resolveUnknown)},
		{Name: history.SearchWords, Perform: c.requireListing(c.searchWords)},
		{Name: history.SearchFilters, Perform: c.requireListing(c.searchFilters)},
		{Name: history.SearchUnknownWord, Perform: c.requireListing(c.searchUnknownWord)},
		{Name: history.FurtherPublication, Perform: c.furtherPublication},
		{Name: history.QueriesRepeated, Perform: c.requireListing(c.repeatQueries)},
	}
}

// releases returns the listed versions.
func (c *Caller) releases() []*history.Release {
	if len(c.KnownReleases) > 0 {
		return c.KnownReleases
	}
	return c.History.Releases()
}

// requireListing returns a performance that fails if no listed versions are known.
func (c *Caller) requireListing(perform act.PerformFunc) act.PerformFunc {
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

// withEmptyFilters returns the search with an empty map of filters.
func (q query) withEmptyFilters() query {
	q.params = history.Object{"query_string": q.params["query_string"], "filters": history.Object{}}
	return q
}

func (q query) withAbout(name, value string) query {
	q.about = map[string]string{name: value}
	return q
}

func (q query) withLink(relation record.Relation, to record.Tick) query {
	q.links = append(q.links[:len(q.links):len(q.links)], record.Link{Relation: relation, To: to})
	return q
}

// send sends a request to the index. The error states why the answer cannot be used.
func (c *Caller) send(ctx context.Context, l *suites.Laboratory, q query) (*history.Query, error) {
	op := driver.Operation{Name: q.operation, Params: jsonvalue.Encode(q.params), List: q.operation == history.OpSearch}
	entry, _, err := l.Do(ctx, suites.Call{About: q.about, Links: q.links, Operation: op})
	answer := c.History.Query(entry.Begun)
	if err != nil {
		return answer, fmt.Errorf("index: %s: %w", op.Name, err)
	}
	return answer, c.AnswerError(answer)
}

// sendUntil repeats a request until accept is true for the answer, or until all copies of the index have
// had as much time as the first one needed to show the listing. It returns the last answer.
func (c *Caller) sendUntil(ctx context.Context, l *suites.Laboratory, q query,
	accept func(*history.Query) bool) (*history.Query, error) {
	last, err := c.send(ctx, l, q)
	if err != nil || accept(last) || time.Now().After(c.copiesAgree) {
		return last, err
	}
	deadlineCtx, cancel := context.WithDeadline(ctx, c.copiesAgree)
	defer cancel()
	err = poll(deadlineCtx, func() (bool, error) {
		again, err := c.send(ctx, l, q.withLink(record.PollOf, last.Entry))
		if err != nil {
			return false, err
		}
		last = again
		return accept(last), nil
	})
	if errors.Is(err, errWaitDeadline) {
		err = nil
	}
	return last, err
}

func (c *Caller) resolveEach(ctx context.Context, l *suites.Laboratory) error {
	for _, r := range c.releases() {
		if _, err := c.sendUntil(ctx, l, resolve(r.URI), func(q *history.Query) bool { return !q.Refused() }); err != nil {
			return err
		}
	}
	return nil
}

// resolveWithoutVersion resolves each capability with two listed versions without a version. If the
// index refuses this, it uses the version latest.
func (c *Caller) resolveWithoutVersion(ctx context.Context, l *suites.Laboratory) error {
	for _, r := range history.HighestVersions(c.releases()) {
		shows := func(q *history.Query) bool { return q.Shows(r) }
		answer, err := c.sendUntil(ctx, l, resolve(r.URIWithoutVersion()), shows)
		if err == nil && answer.NotFound() {
			_, err = c.sendUntil(ctx, l, resolve(r.URIWithoutVersion()+"@"+history.Latest).withAbout(history.AboutForm,
				history.Latest), shows)
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
	name := c.Maker.NamePrefix() + strings.ReplaceAll(uuid.NewString(), "-", "")
	if _,
		err := c.send(ctx, l,
		resolve(history.CapabilityPrefix+name+"@1.0.0").withAbout(history.AboutUnknown,
			history.UnknownCapability)); err != nil {
		return err
	}
	of := history.HighestVersions(c.releases())
	if len(of) == 0 {
		of = c.releases()[:1]
	}
	for _, r := range of {
		versions := []string{unknownVersion}
		if len(c.KnownReleases) == 0 { // the target file may not name all listed versions
			versions = append(versions, siblingVersion(r.Version))
		}
		for _, version := range versions {
			q := resolve(r.URIWithoutVersion()+"@"+version).withAbout(history.AboutUnknown, history.UnknownVersion)
			if _, err := c.send(ctx, l, q); err != nil {
				return err
			}
		}
	}
	return nil
}

// siblingVersion returns a version that differs from a published one only in its last number.
func siblingVersion(version string) string {
	return version[:strings.LastIndex(version, ".")+1] + "777"
}

// wordQuery is a search for a word of a capability.
type wordQuery struct {
	query
	name string // the name of the capability
}

// wordQueries returns searches for the words of each capability.
func (c *Caller) wordQueries(ctx context.Context, l *suites.Laboratory) ([]wordQuery, error) {
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
			answer, err := c.send(ctx, l, resolve(r.URI))
			if err != nil {
				return nil, err
			}
			q := search(searchTextOf(answer.Metadata(), r.Name)).withLink(record.CausedBy, answer.Entry)
			all = append(all, wordQuery{q, r.Name})
		}
	}
	return all, nil
}

// searchTextOf returns a text by which to search for a capability: the name in its metadata, or the name
// in its URI if there is none.
func searchTextOf(metadata history.Object, name string) string {
	if text, ok := metadata["name"].(string); ok && strings.TrimSpace(text) != "" {
		return text
	}
	return name
}

// searchUntilFound repeats a search until the index finds the capability with a name.
func (c *Caller) searchUntilFound(ctx context.Context, l *suites.Laboratory, q query,
	name string) (*history.Query, error) {
	return c.sendUntil(ctx, l, q,
		func(answer *history.Query) bool { return !answer.HasList || answer.Rank(name, c.releases()) >= 0 })
}

// searchWords searches for the words of each capability without filters, and with an empty map of
// filters if the result is not a list.
func (c *Caller) searchWords(ctx context.Context, l *suites.Laboratory) error {
	return c.eachWord(ctx, l, func(q query, name string) error {
		answer, err := c.searchUntilFound(ctx, l, q, name)
		if err == nil && !answer.HasList {
			_, err = c.searchUntilFound(ctx, l, q.withEmptyFilters(), name)
		}
		return err
	})
}

func (c *Caller) eachWord(ctx context.Context, l *suites.Laboratory, do func(q query, name string) error) error {
	words, err := c.wordQueries(ctx, l)
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
		for _, one := range []query{q, q.withEmptyFilters()} {
			if _, err := c.searchUntilFound(ctx, l, one, name); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *Caller) searchUnknownWord(ctx context.Context, l *suites.Laboratory) error {
	q := search(newWord()).withAbout(history.AboutUnknown, history.UnknownWord)
	answer, err := c.send(ctx, l, q)
	if err == nil && !answer.HasList {
		_, err = c.send(ctx, l, q.withEmptyFilters())
	}
	return err
}

// repeatQueries repeats all queries after further publications.
func (c *Caller) repeatQueries(ctx context.Context, l *suites.Laboratory) error {
	return errors.Join(c.resolveEach(ctx, l), c.resolveWithoutVersion(ctx, l), c.searchWords(ctx, l))
}

// Settle performs the searches that settle doubts, in both orders.
func (c *Caller) Settle(ctx context.Context, sc *suites.Scenario, what []verdict.Settle) {
	for _, s := range what {
		original := c.History.Query(s.Of)
		if s.Stimulus != history.FiltersRepeated || original == nil {
			continue
		}
		q := search(original.Word).withLink(record.Confirms, s.Of)
		if from, taken := original.Link(record.CausedBy); taken {
			q = q.withLink(record.CausedBy, from)
		}
		for _, one := range []query{q, q.withEmptyFilters(), q.withEmptyFilters(), q} {
			if _, err := c.send(ctx, sc.Laboratory(s.Stimulus), one); err != nil {
				break
			}
		}
	}
}
