package judge

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

type descriptors struct{ *evidence }

var descriptorSentences = []verdict.Sentence[descriptors]{
	verdict.Say(`each capability URI consists of id and version`, descriptors.URIIsPair),
	verdict.Say(`each pair of id and version identifies one capability`, descriptors.PairsNameOne),
	verdict.Say(`each capability descriptor has the recommended members`, descriptors.Recommended),
	verdict.Say(`the host declares that it supports 0.1`, descriptors.SaysOldVersion),
	verdict.Say(`the evidence metadata state whether the store is append-only`, descriptors.SaysAppendOnly),
}

// distinct returns the first description of each group of equal answers.
func distinct(all []*history.Description) []*history.Description {
	seen := map[record.Tick]bool{}
	return slices.DeleteFunc(slices.Clone(all), func(d *history.Description) bool {
		again := seen[d.Same]
		seen[d.Same] = true
		return again
	})
}

// URIIsPair judges CHP-3-14: each capability URI consists of id and version.
func (j descriptors) URIIsPair() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, o := range j.descriptors() {
		if want, wrong := j.Forms.WrongURI(o.members); wrong {
			r.AddBreach([]record.Tick{o.entry}, "the URI of a capability is not its id, a colon and its version", want,
				printed(o.members["capability_uri"]))
		}
	}
	return r.Holds()
}

// PairsNameOne compares descriptors within one list only: the host descriptor may contain a
// summary of each.
func (j descriptors) PairsNameOne() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, d := range distinct(slices.Concat(j.Lists(), j.Hosts())) {
		first := map[string]history.Object{}
		for _, members := range d.Capabilities() {
			r.Judged++
			pair := history.Pair(members)
			if before, twice := first[pair]; twice && !jsonvalue.Equal(before, members) {
				r.AddBreach([]record.Tick{d.Entry}, "one pair of id and version has two descriptors", "one descriptor for "+pair,
					printed(before)+" and "+printed(members))
			}
			first[pair] = members
		}
	}
	return j.ofDeclared(r)
}

// SaysOldVersion judges CHP-4-10: the host declares that it supports 0.1.
func (j descriptors) SaysOldVersion() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, o := range j.hostDescriptors() {
		if o.members["protocol_version"] == nil {
			continue
		}
		r.Judged++
		if HidesOldVersion(o.members) {
			r.AddBreach([]record.Tick{o.entry},
				"a host that prefers a newer protocol version does not declare that it supports 0.1",
				"0.1 in supported_versions", printed(o.members["supported_versions"]))
		}
	}
	return r.OpenUnlessJudged(verdict.Undecided("the host descriptor has no protocol version: see CHP-4-03"))
}

// SaysAppendOnly judges CHP-4-07: the evidence metadata state whether the store is append-only.
func (j descriptors) SaysAppendOnly() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, o := range j.hostDescriptors() {
		evidence, isObject := o.members["evidence"].(history.Object)
		if !isObject {
			continue
		}
		r.Judged++
		if !StatesAppendOnly(evidence) {
			r.AddBreach([]record.Tick{o.entry}, "the evidence metadata do not state whether the store is append-only",
				"append_only, true or false", printed(evidence))
		}
	}
	return r.OpenUnlessJudged(verdict.Undecided("evidence is not an object: see CHP-4-06"))
}

// StatesAppendOnly reports whether metadata of a store state that it is append-only, or that it
// is not, in any words. A null value states nothing.
func StatesAppendOnly(v any) bool {
	switch v := v.(type) {
	case string:
		return aboutAppending(v)
	case []any:
		return slices.ContainsFunc(v, StatesAppendOnly)
	case history.Object:
		for name, item := range v {
			if item != nil && aboutAppending(name) || StatesAppendOnly(item) {
				return true
			}
		}
	}
	return false
}

func aboutAppending(text string) bool {
	return slices.ContainsFunc([]string{"append", "mutab", "writeonce", "worm"}, func(word string) bool {
		return strings.Contains(history.PlainName(text), word)
	})
}

// Recommended judges CHP-3-07: each capability descriptor has the recommended members.
func (j descriptors) Recommended() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, o := range j.descriptors() {
		r.Judged++
		for _, name := range NotRecommended(o.members) {
			r.AddBreach([]record.Tick{o.entry}, "a capability descriptor lacks the recommended member "+name, name,
				printed(o.members))
		}
	}
	return r.OpenUnlessJudged(j.undeclared())
}
