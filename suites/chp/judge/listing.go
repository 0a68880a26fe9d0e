package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

var listingSentences = []verdict.Sentence[descriptors]{
	verdict.Say(`later answers declare the same pairs of id and version`, descriptors.PairsStay),
	verdict.Say(`the host descriptor and discovery show the same capabilities`, descriptors.SameCapabilities),
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

// SameCapabilities compares the pairs that are always listed: other users may register and
// remove capabilities during the run.
func (j descriptors) SameCapabilities() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, d := range j.Lists() {
		if _, ok := d.Result["capabilities"].([]any); !ok && (d.Lost == nil || j.ClosedInsteadOfAnswer(&d.Call)) {
			r.AddBreach([]record.Tick{d.Entry}, "discovery shows no list of capabilities",
				"{capabilities: [...]} for chp.capabilities", d.Got)
		}
	}
	if len(r.Breaches) > 0 {
		return *r
	}
	for _, d := range slices.Concat(j.Hosts(), j.Lists()) {
		if d.Lost != nil && !j.ClosedInsteadOfAnswer(&d.Call) {
			return r.OpenUnlessJudged(d.Lost)
		}
	}
	if !member(j.Forms.Host, "capabilities").Fits(j.host().Result["capabilities"]) {
		return r.OpenUnlessJudged(verdict.Undecided("the host descriptor contains no capability descriptors: see CHP-4-05"))
	}
	hosts, lists := listings(j.Hosts()), listings(j.Lists())
	entries := []record.Tick{j.Lists()[0].Entry, j.host().Entry}
	if !j.nameless(j.Lists()[0]) && j.nameless(j.host()) {
		slices.Reverse(entries)
	}
	for name, two := range map[string][2][]history.Listing{history.OpHost: {hosts, lists},
		history.OpCapabilities: {lists, hosts}} {
		if alone := pairsOfOneSide(two[0], two[1]); len(alone) > 0 {
			r.AddBreach(entries, "the host descriptor and discovery show different capabilities",
				"the same pairs of id and version in both",
				fmt.Sprintf("%v for %s alone", alone, name))
		}
	}
	for _, c := range j.contradictions(hosts, lists) {
		r.AddBreach(entries, "the host descriptor and discovery contradict each other in "+c.member,
			c.member+" of "+c.pair+" as discovery states it: "+printed(c.list), printed(c.host))
	}
	r.Judged = len(pairsInAll(hosts))
	return r.OpenUnlessJudged(verdict.Undecided("no capability is declared in every answer, so there is nothing to compare"))
}

// nameless reports whether a description contains a descriptor without an id or a version.
func (j descriptors) nameless(d *history.Description) bool {
	id, version := member(j.Forms.Descriptor, "id"), member(j.Forms.Descriptor, "version")
	return slices.ContainsFunc(d.Capabilities(), func(of history.Object) bool {
		return !id.Fits(of["id"]) ||
			!version.Fits(of["version"])
	})
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

// trial counts invocations of one group of capabilities: those that were executed, and those
// that were denied.
type trial struct{ came, went int }

// trials counts the invocations of the pairs of a step.
func (j descriptors) trials(step string) trial {
	var t trial
	for _, a := range j.Of(history.ListedAgain) {
		if a.About[history.AboutStep] != step {
			continue
		}
		switch a.Outcome() {
		case history.Success, history.Failure:
			t.came++
		case history.Denied:
			t.went++
		}
	}
	return t
}

// PairsStay judges CHP-3-15 over the run: later answers declare the same pairs of id and
// version. A capability that another user removed no longer serves. One that is only renamed or
// omitted still serves, or is listed under another name each time.
func (j descriptors) PairsStay() verdict.Verdict {
	r := &verdict.Verdict{}
	all := listings(j.Lists())
	if len(all) < 2 {
		return j.ofDeclared(r)
	}
	r.Judged = len(all[0])
	entries := []record.Tick{j.Lists()[len(j.Lists())-1].Entry, j.Lists()[0].Entry}
	for _, l := range all[1:] {
		if p, q := swapped(all[0], l); p != "" {
			r.AddBreach(entries,
				"a pair of id and version identifies the capability that another pair identified before", "the descriptor that "+p+" had",
				"that of "+q)
			return *r
		}
	}
	unlisted, fresh := j.trials(history.StepUnlisted), j.trials(history.StepDuplicate)
	switch changing := alwaysOther(all); {
	case len(changing) > 0:
		r.AddBreach(entries, "the declared capabilities change with each discovery",
			"one version of a capability as long as nothing else changes", strings.Join(changing, ", "))
	case unlisted.came > 1 && unlisted.went == 0:
		r.AddBreach(entries, "a capability is missing from some answers of discovery although it serves",
			"a capability that serves in every answer", "a capability that serves in only some of the answers")
	case fresh.went > 2 && fresh.came == 0:
		r.AddBreach(entries, "the declared capabilities change with each discovery",
			"a capability under the name by which it serves", "another name each time, none of which serves")
	}
	return j.ofDeclared(r)
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
