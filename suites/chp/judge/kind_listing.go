package judge

import (
	"fmt"
	"slices"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/rule"
)

// comparison compares the descriptors in host descriptors with those of discovery. It includes only pairs that are
// always listed: other users may register and remove capabilities during the run.
type comparison struct {
	j            *evidence
	hosts, lists []history.Listing
}

func comparisonKind() *rule.Kind {
	list := func(j *evidence) []*comparison {
		if len(j.Hosts()) == 0 || len(j.Lists()) == 0 {
			return nil
		}
		return []*comparison{{j, listings(j.Hosts()), listings(j.Lists())}}
	}
	k := rule.NewKind(
		"comparison",
		list,
		(*comparison).entries,
		rule.Value("common_pairs", func(c *comparison) any { return texts(pairsInAll(c.hosts)) }).InAnswer(),
		rule.Value("pairs_of_host_alone", func(c *comparison) any { return texts(pairsOfOneSide(c.hosts, c.lists)) }).
			InAnswer(),
		rule.Value("pairs_of_discovery_alone", func(c *comparison) any {
			return texts(pairsOfOneSide(c.lists, c.hosts))
		}).InAnswer(),
		rule.Value("contradictions", (*comparison).contradictions).InAnswer(),
	)
	return rule.Losing(k, (*comparison).lost)
}

// entries returns the answers of chp.host and chp.capabilities, beginning with the one that lacks a name.
func (c *comparison) entries() []record.Tick {
	j := c.j
	entries := []record.Tick{j.Lists()[0].Entry, j.host().Entry}
	if !j.nameless(j.Lists()[0]) && j.nameless(j.host()) {
		slices.Reverse(entries)
	}
	return entries
}

// lost returns why the two cannot be compared, or nil.
func (c *comparison) lost() *rule.Gap {
	j := c.j
	for _, d := range append(j.hostAnswers(), j.discoveryAnswers()...) {
		if d.Lost != nil && !j.ClosedInsteadOfAnswer(&d.Call) {
			return &rule.Gap{Reason: d.Lost, Blocks: true}
		}
		if _, is := d.Result["capabilities"].([]any); !is && d.operation == history.OpCapabilities {
			return &rule.Gap{Reason: undecided("discovery shows no list of capabilities"), Blocks: true}
		}
	}
	if !member(j.Forms.Host, "capabilities").Fits(j.host().Result["capabilities"]) {
		return &rule.Gap{Reason: undecided("the host descriptor contains no capability descriptors"), Blocks: true}
	}
	return nil
}

func (c *comparison) contradictions() any {
	var all []any
	for _, one := range c.j.contradictions(c.hosts, c.lists) {
		all = append(all, history.Object{"pair": one.pair, "member": one.member, "host": one.host, "discovery": one.list})
	}
	return all
}

// nameless reports whether a description contains a descriptor without an id or a version.
func (j *evidence) nameless(d *history.Description) bool {
	id, version := member(j.Forms.Descriptor, "id"), member(j.Forms.Descriptor, "version")
	return slices.ContainsFunc(d.Capabilities(), func(of history.Object) bool {
		return !id.Fits(of["id"]) ||
			!version.Fits(of["version"])
	})
}

// discovery is what the answers of chp.capabilities declared over the run.
type discovery struct {
	j   *evidence
	all []history.Listing
}

func discoveryKind() *rule.Kind {
	list := func(j *evidence) []*discovery {
		if len(j.descriptors()) == 0 {
			return nil
		}
		return []*discovery{{j, listings(j.Lists())}}
	}
	entries := func(d *discovery) []record.Tick {
		all := d.j.Lists()
		return []record.Tick{all[len(all)-1].Entry, all[0].Entry}
	}
	return rule.NewKind("discovery", list, entries,
		rule.Flag("was_repeated", func(d *discovery) bool { return len(d.all) > 1 }),
		rule.Value("exchanged_pairs", (*discovery).exchangedPairs),
		rule.Value("always_renamed", func(d *discovery) any { return texts(alwaysOther(d.all)) }),
		rule.Value("unlisted", func(d *discovery) any { return d.j.trials(history.StepUnlisted) }),
		rule.Value("renamed", func(d *discovery) any { return d.j.trials(history.StepDuplicate) }),
	)
}

// exchangedPairs returns two pairs of which the first now has the descriptor that the second had, or nothing.
func (d *discovery) exchangedPairs() any {
	for _, l := range d.all {
		if p, q := swapped(d.all[0], l); p != "" {
			return []any{p, q}
		}
	}
	return []any{}
}

// trials counts the invocations of the pairs of a step: those that were executed, and those that were denied.
func (j *evidence) trials(step string) history.Object {
	executed, denied := 0, 0
	for _, a := range j.Of(history.ListedAgain) {
		switch {
		case a.About[history.AboutStep] != step:
		case a.Outcome() == history.Success, a.Outcome() == history.Failure:
			executed++
		case a.Outcome() == history.Denied:
			denied++
		}
	}
	return history.Object{"executed": executed, "denied": denied}
}

func texts(all []string) any {
	list := []any{}
	for _, text := range all {
		list = append(list, text)
	}
	return list
}

// listings returns the descriptors that each answer declares.
func listings(all []*history.Description) []history.Listing {
	var some []history.Listing
	for _, d := range all {
		if d.Result != nil && d.Stimulus != history.Restart {
			some = append(some, d.Listing())
		}
	}
	return some
}

// pairsInAll returns the pairs that each listing contains.
func pairsInAll(all []history.Listing) []string {
	pairs := all[0].Pairs()
	for _, l := range all[1:] {
		pairs = slices.DeleteFunc(pairs, func(p string) bool { return l[p] == nil })
	}
	return pairs
}

// pairsOfOneSide returns the pairs that are in all listings of one side and in none of the other.
func pairsOfOneSide(some, others []history.Listing) []string {
	pairs := pairsInAll(some)
	for _, l := range others {
		pairs = l.Missing(pairs)
	}
	return pairs
}

// swapped returns a pair that now has the descriptor that another pair had before.
func swapped(before, now history.Listing) (pair, other string) {
	for _, p := range before.Pairs() {
		if now[p] == nil || jsonvalue.Equal(history.Nameless(now[p]), history.Nameless(before[p])) {
			continue
		}
		for _, q := range before.Pairs() {
			if q != p && jsonvalue.Equal(history.Nameless(now[p]), history.Nameless(before[q])) {
				return p, q
			}
		}
	}
	return "", ""
}

// alwaysOther returns the pairs of the first listing whose capability has another version in
// each of the others, and only one version.
func alwaysOther(all []history.Listing) []string {
	return slices.DeleteFunc(all[0].Pairs(), func(p string) bool {
		versions, of := map[string]bool{}, all[0][p]
		for _, l := range all {
			here := 0
			for _, d := range l {
				if jsonvalue.Equal(d["id"], of["id"]) && jsonvalue.Equal(history.Nameless(d), history.Nameless(of)) {
					here++
					versions[fmt.Sprint(d["version"])] = true
				}
			}
			if here != 1 {
				return true
			}
		}
		return len(versions) < len(all)
	})
}
