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

// search is one answer to a search for a word of a listed capability.
type search struct {
	*history.Query
	capability string // the name of the capability
	listed     []*history.Release
}

// searches returns the answers to searches for words of listed capabilities.
func (j indexes) searches(listed []*history.Release) []search {
	var all []search
	for _, q := range j.Queries(history.OpSearch) {
		if q.About[history.AboutWait] != "" || q.About[history.AboutUnknown] != "" {
			continue
		}
		if of := j.capabilityOf(q, listed); of != "" {
			all = append(all, search{q, of, listed})
		}
	}
	return all
}

// capabilityOf returns the name of the capability whose word was searched for: the one that a search for
// the word must find, or the one from whose metadata the word was taken; "" if there is none.
func (j indexes) capabilityOf(q *history.Query, listed []*history.Release) string {
	for _, r := range listed {
		if r.FoundBy(q.Word) {
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

// rank returns the position of a capability among the hits, -1 if it is not among them.
func (s search) rank(name string) int { return s.Rank(name, s.listed) }

// findsCapability reports whether the search finds its own capability.
func (s search) findsCapability() bool { return s.HasList && s.rank(s.capability) >= 0 }

// versions returns the known versions of the capability.
func (s search) versions() []*history.Release {
	return slices.DeleteFunc(slices.Clone(s.listed), func(r *history.Release) bool { return r.Name != s.capability })
}

// hasMetadata reports whether the harness knows the metadata of the capability.
func (s search) hasMetadata() bool { return s.versions()[0].Metadata != nil }

// isTriggerWord reports whether only the triggers contain the word. A search by meaning may treat such a
// word in any way.
func (s search) isTriggerWord() bool { return s.versions()[0].OnlyTriggersContain(s.Word) }

// capabilityNames returns the names of the listed capabilities, each once.
func capabilityNames(listed []*history.Release) []string {
	var all []string
	for _, r := range listed {
		if !slices.Contains(all, r.Name) {
			all = append(all, r.Name)
		}
	}
	return all
}

// WordsFind judges whether each search finds its capability before any other. A search by meaning may
// continue with less similar ones. FiltersOptional judges the effect of an empty map of filters.
func (j indexes) WordsFind() verdict.Verdict {
	listed, err := j.listedReleases()
	v := &verdict.Verdict{Open: err}
	if err != nil {
		return *v
	}
	all := j.searches(listed)
	for _, s := range all {
		if !j.isUsable(v, s.Query) {
			continue
		}
		if !s.findsCapability() {
			j.judgeUnfound(v, s, all)
			continue
		}
		v.Judged++
		at := s.rank(s.capability)
		cid, _ := s.Hits[at]["ipfs_cid"].(string)
		isVersion := func(r *history.Release) bool { return r.IsCID(cid) }
		if cid != "" && s.hasMetadata() && !slices.ContainsFunc(s.versions(), isVersion) {
			v.AddBreach([]record.Tick{s.Entry}, "a result of a search has the CID of another file",
				"the CID of a version of "+uriWithoutVersion(s.capability), jsonvalue.Print(s.Hits[at]))
		}
		for _, other := range capabilityNames(listed) {
			if ahead := s.rank(other); s.hasMetadata() && !s.isTriggerWord() && other != s.capability && ahead >= 0 &&
				ahead < at {
				v.AddBreach([]record.Tick{s.Entry}, "a search finds another capability before the one that contains the word",
					uriWithoutVersion(s.capability)+" for "+s.Word, s.Got())
			}
		}
	}
	return v.OpenUnlessJudged(verdict.Undecided("no search used a word of a listed capability"))
}

func uriWithoutVersion(name string) string { return history.CapabilityPrefix + name }

// judgeUnfound judges a search that did not find its capability.
func (j indexes) judgeUnfound(v *verdict.Verdict, s search, all []search) {
	someSearch := func(filters bool, holds func(search) bool) bool {
		return slices.ContainsFunc(all, func(other search) bool {
			return other.Word == s.Word && other.HasFilters == filters && holds(other)
		})
	}
	isList := func(other search) bool { return other.HasList }
	requiresFilters := !slices.ContainsFunc(all, func(other search) bool { return !other.HasFilters && other.HasList })
	switch {
	case s.HasFilters && someSearch(false, isList), requiresFilters && !s.HasFilters && someSearch(true, isList):
		return // the service may require filters; FiltersOptional judges that it must not
	}
	if s.isTriggerWord() && s.HasList && ranksByMeaning(all) {
		v.Open = verdict.Undecided("the search ranks its results by meaning, so it may find others by a trigger")
		return
	}
	hasNames := slices.ContainsFunc(s.Hits,
		func(hit history.Object) bool { return hit["acp_metadata"] != nil || hit["ipfs_cid"] != nil })
	var values []string
	for _, r := range s.versions() {
		values = append(values, r.URI, r.CID)
	}
	if open := j.otherNamesError(s.Query, !hasNames, values...); open != nil {
		v.Open = open
		return
	}
	if !s.HasList {
		v.AddBreach([]record.Tick{s.Entry}, "a search does not return a list of results",
			"list_of_results: [{acp_metadata, ipfs_cid}]", s.Got())
		return
	}
	v.AddBreach([]record.Tick{s.Entry}, "a search for a word of its metadata does not find a capability",
		uriWithoutVersion(s.capability)+" for "+s.Word, s.Got())
}

// errNothingFound returns the error that states that no search finds what it should.
func errNothingFound() error {
	return verdict.Undecided("a search for a word does not find its capability: see ACP-INDEX-02")
}

// maxSearchesWithFilters is the number of searches for a word with filters after which a difference
// counts as a breach. The searches are repeated because other capabilities may be listed or removed at
// any time, and because a list of results has a limit.
const maxSearchesWithFilters = 3

// FiltersOptional compares what a word finds with an empty map of filters and without filters.
func (j indexes) FiltersOptional() verdict.Verdict {
	listed, err := j.listedReleases()
	v := &verdict.Verdict{Open: err}
	if err != nil {
		return *v
	}
	all := j.searches(listed)
	for _, name := range capabilityNames(listed) {
		with, without := map[string]search{}, map[string]search{}
		repetitions := 0
		for _, s := range all {
			if s.capability != name || !j.isUsable(v, s.Query) {
				continue
			}
			if s.HasFilters {
				with[s.foundCapabilities()] = s
				repetitions++
			} else {
				without[s.foundCapabilities()] = s
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
		j.judgeDifference(v, earliest(with), earliest(without), repetitions)
	}
	return v.OpenUnlessJudged(errNothingFound())
}

// earliest returns the earliest search.
func earliest(all map[string]search) search {
	return slices.MinFunc(slices.Collect(maps.Values(all)), func(a, b search) int { return int(a.Entry - b.Entry) })
}

func (j indexes) judgeDifference(v *verdict.Verdict, with, without search, repetitions int) {
	message, entries := "a search with an empty map of filters finds something else than a search without filters",
		[]record.Tick{without.Entry, with.Entry}
	if repetitions < maxSearchesWithFilters {
		v.AddDoubt(verdict.Settle{Stimulus: history.FiltersRepeated, Of: with.Entry}, entries, message, without.Got(), with.Got())
		return
	}
	v.AddBreach(entries, message, without.Got(), with.Got())
}

// foundCapabilities returns a text that shows which of the listed capabilities a search finds.
func (s search) foundCapabilities() string {
	var result strings.Builder
	for _, name := range capabilityNames(s.listed) {
		sign := "-"
		if s.rank(name) >= 0 {
			sign = "+"
		}
		result.WriteString(sign)
	}
	return result.String()
}

// NothingFound judges each search for a word that occurs nowhere. It applies to a search that selects
// its results. A search that ranks by meaning always finds something; it is recognised by the fact that
// words of every capability also find others.
func (j indexes) NothingFound() verdict.Verdict {
	listed, err := j.listedReleases()
	v := &verdict.Verdict{Open: err}
	if err != nil {
		return *v
	}
	all := j.searches(listed)
	found := map[string]bool{}
	for _, s := range all {
		found[s.capability] = found[s.capability] || s.findsCapability()
	}
	if len(found) == 0 || slices.Contains(slices.Collect(maps.Values(found)), false) {
		v.Open = errNothingFound()
		return *v
	}
	for _, q := range j.Queries(history.OpSearch) {
		if q.About[history.AboutUnknown] != history.UnknownWord || !j.isUsable(v, q) {
			continue
		}
		switch {
		case len(q.Hits) == 0 || q.ReportsError():
			v.Judged++
		case ranksByMeaning(all):
			v.Open = verdict.Undecided("the search ranks its results by meaning, so it always finds something")
		default:
			v.AddBreach([]record.Tick{q.Entry}, "a search for a word that occurs nowhere finds something",
				"an empty list, or an error", q.Got())
		}
	}
	return v.OpenUnlessJudged(verdict.Undecided("no search used a word that occurs nowhere"))
}

// ranksByMeaning reports whether the search also returns other capabilities than the one searched for,
// at least once for each capability. One such result is sufficient, because the number of results is
// free, and the versions of one capability may fill the list.
func ranksByMeaning(all []search) bool {
	findsOthers := map[string]bool{}
	for _, s := range all {
		findsOthers[s.capability] = findsOthers[s.capability] || slices.ContainsFunc(s.Hits,
			func(hit history.Object) bool { return !history.IsHitOf(hit, s.capability, s.listed) })
	}
	return len(all) > 1 && !slices.Contains(slices.Collect(maps.Values(findsOthers)), false)
}
