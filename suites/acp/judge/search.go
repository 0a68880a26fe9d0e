package judge

import (
	"maps"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// searchSentences are the sentences about searches.
var searchSentences = []verdict.Sentence[indexes]{
	decide(`each word finds its own capability before any other`, indexes.WordsFind),
	decide(`each word finds the same with an empty map of filters and without filters`, indexes.FiltersOptional),
	decide(`no word that occurs nowhere finds a capability`, indexes.NothingFound),
}

// search is one answer to a search for a word of a capability that is listed.
type search struct {
	*history.Query
	of     string // the name of the capability
	listed []*history.Release
}

// searches are the answers to searches for words of capabilities that are listed.
func (j indexes) searches(listed []*history.Release) []search {
	var all []search
	for _, q := range j.Queries(history.OpSearch) {
		if q.About[history.AboutWait] != "" || q.About[history.AboutUnknown] != "" {
			continue
		}
		if of := j.wanted(q, listed); of != "" {
			all = append(all, search{q, of, listed})
		}
	}
	return all
}

// wanted returns the name of the capability whose word was searched for: the one that asks to be
// found by it, or the one that the word was taken from.
func (j indexes) wanted(q *history.Query, listed []*history.Release) string {
	for _, r := range listed {
		if r.Answers(q.Word) {
			return r.Name
		}
	}
	if from, taken := q.Link(record.CausedBy); taken {
		if source := j.Query(from); source != nil {
			return history.NameOf(source.URI)
		}
	}
	return ""
}

// rank is where a capability stands among the hits; -1: nowhere.
func (s search) rank(name string) int { return s.Rank(name, s.listed) }

// finds reports whether the search finds its own capability.
func (s search) finds() bool { return s.Listed && s.rank(s.of) >= 0 }

// versions are those that are known of the capability.
func (s search) versions() []*history.Release {
	return slices.DeleteFunc(slices.Clone(s.listed), func(r *history.Release) bool { return r.Name != s.of })
}

// ours reports whether all that is listed of the capability is known.
func (s search) ours() bool { return s.versions()[0].Metadata != nil }

// ofTrigger tells a word that stands in the triggers alone. What a search by meaning makes of it is its own.
func (s search) ofTrigger() bool { return s.versions()[0].Triggers(s.Word) }

// names lists the capabilities that are listed.
func names(listed []*history.Release) []string {
	var all []string
	for _, r := range listed {
		if !slices.Contains(all, r.Name) {
			all = append(all, r.Name)
		}
	}
	return all
}

// WordsFind wants each search to find its capability and, before it, no other. A search by
// meaning may continue with what is further away. What an empty map of filters changes is for
// FiltersOptional.
func (j indexes) WordsFind() verdict.Verdict {
	listed, err := j.listed()
	v := &verdict.Verdict{Open: err}
	if err != nil {
		return *v
	}
	all := j.searches(listed)
	for _, s := range all {
		if !j.usable(v, s.Query) {
			continue
		}
		if !s.finds() {
			j.unfound(v, s, all)
			continue
		}
		v.Judged++
		at := s.rank(s.of)
		cid, _ := s.Hits[at]["ipfs_cid"].(string)
		isVersion := func(r *history.Release) bool { return r.IsCID(cid) }
		if cid != "" && s.ours() && !slices.ContainsFunc(s.versions(), isVersion) {
			v.Broken([]record.Tick{s.Entry}, "a result of a search has the CID of another file",
				"the CID of a version of "+bare(s.of), jsonvalue.Print(s.Hits[at]))
		}
		for _, other := range names(listed) {
			if ahead := s.rank(other); s.ours() && !s.ofTrigger() && other != s.of && ahead >= 0 && ahead < at {
				v.Broken([]record.Tick{s.Entry}, "a search finds another capability before the one that contains the word",
					bare(s.of)+" for "+s.Word, s.Got)
			}
		}
	}
	return v.Otherwise(verdict.Undecided("no search used a word of a listed capability"))
}

func bare(name string) string { return history.CapabilityPrefix + name }

// unfound judges a search that does not find its capability.
func (j indexes) unfound(v *verdict.Verdict, s search, all []search) {
	found := func(filters bool, does func(search) bool) bool {
		return slices.ContainsFunc(all, func(other search) bool {
			return other.Word == s.Word && other.Filters == filters && does(other)
		})
	}
	isList := func(other search) bool { return other.Listed }
	needs := !slices.ContainsFunc(all, func(other search) bool { return !other.Filters && other.Listed })
	switch {
	case s.Filters && found(false, isList), needs && !s.Filters && found(true, isList):
		return // a service may want filters; that it must not is FiltersOptional's
	}
	if s.ofTrigger() && s.Listed && ranks(all) {
		v.Open = verdict.Undecided("the search ranks its results by meaning, so it may find others by a trigger")
		return
	}
	named := slices.ContainsFunc(s.Hits,
		func(hit history.Object) bool { return hit["acp_metadata"] != nil || hit["ipfs_cid"] != nil })
	var values []string
	for _, r := range s.versions() {
		values = append(values, r.URI, r.CID)
	}
	if open := j.otherNames(s.Query, !named, values...); open != nil {
		v.Open = open
		return
	}
	if !s.Listed {
		v.Broken([]record.Tick{s.Entry}, "a search does not return a list of results",
			"list_of_results: [{acp_metadata, ipfs_cid}]", s.Got)
		return
	}
	v.Broken([]record.Tick{s.Entry}, "a search for a word of its metadata does not find a capability",
		bare(s.of)+" for "+s.Word, s.Got)
}

// unfoundYet is that no search finds what it should.
func unfoundYet() error {
	return verdict.Undecided("a search for a word does not find its capability: see ACP-INDEX-02")
}

// looksAtMost is how often a word is searched for in both ways before the two are compared for
// good: what is listed beside ours comes and goes, and a list has its end.
const looksAtMost = 3

// FiltersOptional compares what a word finds with an empty map of filters and without.
func (j indexes) FiltersOptional() verdict.Verdict {
	listed, err := j.listed()
	v := &verdict.Verdict{Open: err}
	if err != nil {
		return *v
	}
	all := j.searches(listed)
	for _, name := range names(listed) {
		with, without := map[string]search{}, map[string]search{}
		looks := 0
		for _, s := range all {
			if s.of != name || !j.usable(v, s.Query) {
				continue
			}
			if s.Filters {
				with[s.sees()] = s
				looks++
			} else {
				without[s.sees()] = s
			}
		}
		if len(with) == 0 || len(without) == 0 {
			continue
		}
		if strings.Contains(strings.Join(slices.Sorted(maps.Keys(with)), ""), "+") {
			v.Judged++
		}
		if slices.ContainsFunc(slices.Collect(maps.Keys(with)),
			func(found string) bool { _, both := without[found]; return both }) {
			continue
		}
		j.differs(v, first(with), first(without), looks)
	}
	return v.Otherwise(unfoundYet())
}

// first is the search that was made first.
func first(all map[string]search) search {
	return slices.MinFunc(slices.Collect(maps.Values(all)), func(a, b search) int { return int(a.Entry - b.Entry) })
}

func (j indexes) differs(v *verdict.Verdict, with, without search, looks int) {
	message, entries := "a search with an empty map of filters finds something else than a search without filters",
		[]record.Tick{without.Entry, with.Entry}
	if looks < looksAtMost {
		v.Doubtful(verdict.Settle{Stimulus: history.FiltersAgain, Of: with.Entry}, entries, message, without.Got, with.Got)
		return
	}
	v.Broken(entries, message, without.Got, with.Got)
}

// sees writes down which of the capabilities that are listed a search finds.
func (s search) sees() string {
	var signs strings.Builder
	for _, name := range names(s.listed) {
		sign := "-"
		if s.rank(name) >= 0 {
			sign = "+"
		}
		signs.WriteString(sign)
	}
	return signs.String()
}

// NothingFound judges each search for a word that stands nowhere. It is about a search that
// filters. A search that ranks by meaning always finds something, which shows where each word
// finds every capability.
func (j indexes) NothingFound() verdict.Verdict {
	listed, err := j.listed()
	v := &verdict.Verdict{Open: err}
	if err != nil {
		return *v
	}
	all := j.searches(listed)
	found := map[string]bool{}
	for _, s := range all {
		found[s.of] = found[s.of] || s.finds()
	}
	if len(found) == 0 || slices.Contains(slices.Collect(maps.Values(found)), false) {
		v.Open = unfoundYet()
		return *v
	}
	for _, q := range j.Queries(history.OpSearch) {
		if q.About[history.AboutUnknown] != history.UnknownWord || !j.usable(v, q) {
			continue
		}
		switch {
		case len(q.Hits) == 0 || q.SaysError():
			v.Judged++
		case ranks(all):
			v.Open = verdict.Undecided("the search ranks its results by meaning, so it always finds something")
		default:
			v.Broken([]record.Tick{q.Entry}, "a search for a word that occurs nowhere finds something",
				"an empty list, or an error", q.Got)
		}
	}
	return v.Otherwise(verdict.Undecided("no search used a word that occurs nowhere"))
}

// ranks tells a search that continues with others behind what it was asked for, for each capability at least
// once. How many it shows is its own, so that the versions of one may be all that it shows.
func ranks(all []search) bool {
	beyond := map[string]bool{}
	for _, s := range all {
		beyond[s.of] = beyond[s.of] || slices.ContainsFunc(s.Hits,
			func(hit history.Object) bool { return !history.HitOf(hit, s.of, s.listed) })
	}
	return len(all) > 1 && !slices.Contains(slices.Collect(maps.Values(beyond)), false)
}
