package acpsuite

import (
	"context"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/content"
	"github.com/capconform/capconform/suites/driver"
)

// manner is how filters are given to a search.
type manner int

const (
	anyManner manner = iota // without, or with an empty map where that gives no list
	withoutFilters
	emptyFilters
)

// searchWords searches for one word of each capability.
func (w *world) searchWords(ctx context.Context) (err error) {
	w.index.searched, err = w.searchAll(ctx, anyManner)
	return err
}

func (w *world) searchBoth(ctx context.Context) (err error) {
	if w.index.without, err = w.searchAll(ctx, withoutFilters); err != nil {
		return err
	}
	w.index.filtered, err = w.searchAll(ctx, emptyFilters)
	return err
}

func (w *world) searchAll(ctx context.Context, how manner) ([]lookup, error) {
	var all []lookup
	seen := map[string]bool{}
	for _, n := range w.index.listing.entries {
		if seen[n.name] {
			continue
		}
		seen[n.name] = true
		word := n.word
		if word == "" { // listed by others: it is taken from the metadata
			answer, err := w.resolve(ctx, n.uri)
			if err != nil {
				return nil, err
			}
			word = wordOf(lookup{answer: answer}.metadata(), n.name)
		}
		k, err := w.find(ctx, n, word, how)
		if err != nil {
			return nil, err
		}
		all = append(all, k)
	}
	return all, nil
}

// wordOf gives what a capability can be searched by: its name for people, else the
// name in its URI.
func wordOf(metadata object, name string) string {
	if text, ok := metadata["name"].(string); ok && strings.TrimSpace(text) != "" {
		return text
	}
	return name
}

func (w *world) find(ctx context.Context, n entry, word string, how manner) (lookup, error) {
	k := lookup{entry: n, asked: word}
	for _, filters := range [...][]object{anyManner: {nil, {}}, withoutFilters: {nil}, emptyFilters: {{}}}[how] {
		var err error
		k.answer, err = w.insist(ctx, func() (driver.Answer, error) { return w.search(ctx, word, filters) }, func(a driver.Answer) bool {
			k.hits = nil
			if a.Outcome == driver.Returned {
				k.hits = hitsOf(schemas.ReadValue(a.Result))
			}
			return k.hits == nil || n.uri == "" || w.rank(k, n.name) >= 0
		})
		if err != nil {
			return k, err
		}
		if k.hits != nil {
			break
		}
	}
	return k, nil
}

// hitsOf reads the list of results, bare or under one of its names. Nil: there is none.
func hitsOf(result any) []object {
	list, isList := result.([]any)
	members, _ := result.(object)
	for _, name := range []string{"list_of_results", "results"} {
		if !isList {
			list, isList = members[name].([]any)
		}
	}
	if !isList {
		return nil
	}
	hits := []object{}
	for _, item := range list {
		hit, _ := item.(object)
		hits = append(hits, hit)
	}
	return hits
}

// rank gives where a capability stands among the hits, in any version; -1: nowhere.
func (w *world) rank(k lookup, name string) int {
	return slices.IndexFunc(k.hits, func(hit object) bool { return w.isOf(hit, name) })
}

// isOf tells whether a hit is of a capability, by its id or by one of its files.
func (w *world) isOf(hit object, name string) bool {
	metadata, _ := hit["acp_metadata"].(object)
	id, _ := metadata["id"].(string)
	cid, _ := hit["ipfs_cid"].(string)
	return newEntry(id).name == name || cid != "" && slices.ContainsFunc(w.index.listing.entries, func(n entry) bool {
		return n.name == name && content.SameCID(n.cid, cid)
	})
}

// found leaves the question open where a search gave no list: that is judged once.
func (w *world) found(all []lookup) error {
	for _, k := range all {
		if k.hits == nil || w.rank(k, k.name) < 0 {
			return suites.Undecided("a search for a word does not find its capability: see ACP-INDEX-02")
		}
	}
	return nil
}

// wordsFind wants each word to find its capability and, before it, no other. A
// search by meaning may go on with what is further away.
func (w *world) wordsFind() error {
	for _, k := range w.index.searched {
		at := w.rank(k, k.name)
		if at < 0 {
			named := slices.ContainsFunc(k.hits, func(hit object) bool { return hit["acp_metadata"] != nil || hit["ipfs_cid"] != nil })
			if open := w.otherNames(opSearch, k, !named, w.valuesOf(k.entry)...); open != nil {
				return open
			}
		}
		if k.hits == nil {
			return w.violated(k.answer, "a search gives no list of results", "list_of_results: [{acp_metadata, ipfs_cid}]", suites.Received(k.answer, nil))
		}
		if at < 0 {
			return w.violated(k.answer, "a search for a word of its metadata does not find a capability", k.bare()+" for "+k.asked, suites.Received(k.answer, nil))
		}
		cid, _ := k.hits[at]["ipfs_cid"].(string)
		if cid != "" && !w.ofOurs(k.entry, cid) {
			return w.violated(k.answer, "a result of a search has the CID of another file", "that of a version of "+k.bare(), suites.Print(k.hits[at]))
		}
		w.sc.Cite(k.answer, nil)
	}
	return w.wordsDiffer()
}

// ofOurs tells whether a CID is that of a version of a capability. Of those that
// others published not every version is known.
func (w *world) ofOurs(of entry, cid string) bool {
	return of.word == "" || slices.ContainsFunc(w.index.listing.entries, func(n entry) bool {
		return n.name == of.name && content.SameCID(n.cid, cid)
	})
}

// wordsDiffer compares with the other capabilities whose words are ours.
func (w *world) wordsDiffer() error {
	for _, k := range w.index.searched {
		for _, other := range w.index.searched {
			if k.entry.word == "" || k.name == other.name {
				continue
			}
			if at := w.rank(k, other.name); at >= 0 && at < w.rank(k, k.name) {
				return w.violated(k.answer, "a search finds a capability before the one whose word was searched for", k.bare()+" for "+k.asked, suites.Received(k.answer, nil))
			}
		}
	}
	return nil
}

// sameFound compares which of the known capabilities were found. Where neither search
// finds anything, that is not for the filters to answer.
func (w *world) sameFound(ctx context.Context) error {
	judged := 0
	for i, with := range w.index.filtered {
		without := w.index.without[i]
		if w.sees(with) != w.sees(without) {
			met, err := w.meet(ctx, without, with)
			if err != nil {
				return err
			}
			if !met {
				w.sc.Cite(without.answer, nil)
				return w.violated(with.answer, "a search finds one thing with an empty map of filters and another without", suites.Received(without.answer, nil), suites.Received(with.answer, nil))
			}
		}
		if strings.Contains(w.sees(with), "+") {
			judged++
		}
		w.sc.Cite(with.answer, nil)
	}
	if judged == 0 {
		return suites.Undecided("a search for a word does not find its capability: see ACP-INDEX-02")
	}
	return nil
}

// sees writes down which of the capabilities that were searched for a search found.
func (w *world) sees(k lookup) string {
	var signs strings.Builder
	for _, other := range w.index.filtered {
		sign := "-"
		if w.rank(k, other.name) >= 0 {
			sign = "+"
		}
		signs.WriteString(sign)
	}
	return signs.String()
}

// meet asks again in the order there and back, and tells whether anything was ever found
// in both ways: what is listed beside ours comes and goes, and a list has its end.
func (w *world) meet(ctx context.Context, without, with lookup) (bool, error) {
	seen := map[manner]map[string]bool{withoutFilters: {w.sees(without): true}, emptyFilters: {w.sees(with): true}}
	for _, how := range []manner{withoutFilters, emptyFilters, emptyFilters, withoutFilters} {
		k, err := w.find(ctx, with.entry, with.asked, how)
		if err != nil {
			return false, err
		}
		seen[how][w.sees(k)] = true
	}
	for found := range seen[withoutFilters] {
		if seen[emptyFilters][found] {
			return true, nil
		}
	}
	return false, nil
}

func (w *world) searchNothing(ctx context.Context) (err error) {
	w.index.nothing, err = w.find(ctx, entry{}, freshWord(), anyManner)
	return err
}

// nothingFound is about a search that filters. A search that ranks by meaning always
// finds something, which shows where each word finds every capability.
func (w *world) nothingFound() error {
	if err := w.found(w.index.searched); err != nil {
		return err
	}
	k := w.index.nothing
	w.sc.Cite(k.answer, nil)
	switch {
	case len(k.hits) == 0 || saysError(k.answer.Result):
		return nil
	case w.ranks():
		return suites.Undecided("the search ranks what it has by meaning, so that it always finds something")
	}
	return suites.Violated("a search for a word that stands nowhere finds something", "an empty list, or an error", suites.Received(k.answer, nil))
}

// ranks tells a search that goes on with others behind what it was asked for, whatever
// the word. How many it shows is its own.
func (w *world) ranks() bool {
	for _, k := range w.index.searched {
		if !slices.ContainsFunc(k.hits, func(hit object) bool { return !w.isOf(hit, k.name) }) {
			return false
		}
	}
	return len(w.index.searched) > 1
}
