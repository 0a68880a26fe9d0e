package acpsuite

import (
	"context"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// searchWords searches for one word of each capability.
func (w *world) searchWords(ctx context.Context) (err error) {
	w.index.searched, err = w.searchAll(ctx, nil)
	return err
}

func (w *world) searchFiltered(ctx context.Context) (err error) {
	w.index.filtered, err = w.searchAll(ctx, object{})
	return err
}

func (w *world) searchAll(ctx context.Context, filters object) ([]lookup, error) {
	var all []lookup
	seen := map[string]bool{}
	for _, n := range w.index.listing.entries {
		if seen[n.name] {
			continue
		}
		seen[n.name] = true
		if n.word == "" { // listed by others: the word is taken from the metadata
			answer, err := w.resolve(ctx, n.uri)
			if err != nil {
				return nil, err
			}
			n.word = wordOf(lookup{answer: answer}.metadata(), n.name)
		}
		k, err := w.find(ctx, n, n.word, filters)
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

func (w *world) find(ctx context.Context, n entry, word string, filters object) (lookup, error) {
	answer, err := w.search(ctx, word, filters)
	k := lookup{entry: n, asked: word, answer: answer}
	if err != nil {
		return k, err
	}
	if answer.Outcome == driver.Returned {
		k.hits = hitsOf(readValue(answer.Result))
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

// place gives where a capability stands among the hits, in any version; -1: nowhere.
func (k lookup) place(name string) int {
	return slices.IndexFunc(k.hits, func(hit object) bool {
		metadata, _ := hit["acp_metadata"].(object)
		id, _ := metadata["id"].(string)
		return newEntry(id).name == name
	})
}

// found leaves the question open where a search gave no list: that is judged once.
func (w *world) found(all []lookup) error {
	for _, k := range all {
		if k.hits == nil || k.place(k.name) < 0 {
			return suites.Undecided("a search for a word does not find its capability: see ACP-INDEX-02")
		}
	}
	return nil
}

// wordsFind wants each word to find its capability and, before it, no other. A
// search by meaning may go on with what is further away.
func (w *world) wordsFind() error {
	for _, k := range w.index.searched {
		at := k.place(k.name)
		if k.hits == nil {
			return w.violated(k.answer, "a search gives no list of results", "list_of_results: [{acp_metadata, ipfs_cid}]", suites.Received(k.answer, nil))
		}
		if at < 0 {
			return w.violated(k.answer, "a search for a word of its metadata does not find a capability", k.bare()+" for "+k.asked, suites.Received(k.answer, nil))
		}
		if cid, _ := k.hits[at]["ipfs_cid"].(string); cid == "" {
			return w.violated(k.answer, "a result of a search has no CID", "ipfs_cid beside acp_metadata", suites.Print(k.hits[at]))
		}
		w.sc.Cite(k.answer, nil)
	}
	return w.wordsDiffer()
}

// wordsDiffer compares with the other capabilities whose words are ours.
func (w *world) wordsDiffer() error {
	for _, k := range w.index.searched {
		for _, other := range w.index.searched {
			if k.entry.word == "" || k.name == other.name {
				continue
			}
			if at := k.place(other.name); at >= 0 && at < k.place(k.name) {
				return w.violated(k.answer, "a search finds a capability before the one whose word was searched for", k.bare()+" for "+k.asked, suites.Received(k.answer, nil))
			}
		}
	}
	return nil
}

// sameFound compares which of the known capabilities were found.
func (w *world) sameFound() error {
	if err := w.found(w.index.searched); err != nil {
		return err
	}
	for i, k := range w.index.filtered {
		for _, other := range w.index.searched {
			without, with := w.index.searched[i].place(other.name) >= 0, k.place(other.name) >= 0
			if k.hits == nil || without != with {
				return w.violated(k.answer, "a search with an empty map of filters finds something else than one without", suites.Received(w.index.searched[i].answer, nil), suites.Received(k.answer, nil))
			}
		}
		w.sc.Cite(k.answer, nil)
	}
	return nil
}

func (w *world) searchNothing(ctx context.Context) (err error) {
	w.index.nothing, err = w.find(ctx, entry{}, freshWord(), nil)
	return err
}

// emptyList is about a search that filters. One that ranks by meaning always finds
// something, which shows where each word finds every capability.
func (w *world) emptyList() error {
	if err := w.found(w.index.searched); err != nil {
		return err
	}
	k := w.index.nothing
	w.sc.Cite(k.answer, nil)
	if k.hits == nil {
		return suites.Violated("a search that finds nothing gives no list", "an empty list", suites.Received(k.answer, nil))
	}
	if len(k.hits) > 0 && w.ranks() {
		return suites.Undecided("the search ranks what it has by meaning, so that it always finds something")
	}
	if len(k.hits) > 0 {
		return suites.Violated("a search for a word that stands nowhere finds something", "an empty list", suites.Received(k.answer, nil))
	}
	return nil
}

// ranks tells a search that gives every capability whatever the word, its own first.
func (w *world) ranks() bool {
	for _, k := range w.index.searched {
		for _, other := range w.index.searched {
			if k.place(other.name) < 0 {
				return false
			}
		}
	}
	return len(w.index.searched) > 1
}
