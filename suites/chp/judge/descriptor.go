package judge

import (
	"errors"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

var descriptorSentences = []verdict.Sentence[descriptors]{
	verdict.SayOf(`each capability descriptor has its ([a-z_]+)`, descriptors.CapabilitiesHave),
	verdict.SayOf(`each ([a-z_]+) that is present has its type`, descriptors.GivenHasType),
	verdict.SayOf(`each ([a-z_]+) that is present is a JSON Schema`, descriptors.GivenIsSchema),
	verdict.Say(`the modes of each capability include sync`, descriptors.ModesIncludeSync),
	verdict.Say(`each capability URI consists of id and version`, descriptors.URIIsPair),
	verdict.Say(`each pair of id and version identifies one capability`, descriptors.PairsNameOne),
	verdict.Say(`each capability descriptor has the recommended members`, descriptors.Recommended),
	verdict.SayOf(`the host descriptor has its ([a-z_]+)`, descriptors.HostHas),
	verdict.Say(`the host returns a host descriptor`, descriptors.HostDescribed),
	verdict.Say(`the host declares that it supports 0.1`, descriptors.SaysOldVersion),
	verdict.Say(`the evidence metadata state whether the store is append-only`, descriptors.SaysAppendOnly),
	verdict.Say(`the id of the host is the same each time`,
		func(j descriptors) verdict.Verdict { return j.SameHost(false) }),
	verdict.Say(`the id of the host is the same after a restart`,
		func(j descriptors) verdict.Verdict { return j.SameHost(true) }),
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

// HostDescribed is the positive control of section 4: a descriptor, whatever it contains.
func (j descriptors) HostDescribed() verdict.Verdict {
	r := &verdict.Verdict{}
	var lost error
	for _, d := range j.Hosts() {
		switch {
		case d.Lost != nil && !j.ClosedInsteadOfAnswer(&d.Call):
			lost = d.Lost
		case d.Result == nil:
			r.AddBreach([]record.Tick{d.Entry}, "the host returns no descriptor", "a HostDescriptor for chp.host", d.Got)
		default:
			r.Judged++
		}
	}
	return r.OpenUnlessJudged(lost)
}

// hasMember judges one member of objects.
func hasMember(r *verdict.Verdict, all []shown, part part) {
	for _, o := range all {
		r.Judged++
		if what, got, wrong := part.broken(o.members); wrong {
			r.AddBreach([]record.Tick{o.entry}, o.what+": "+what, part.Want, got+" in "+printed(o.members))
		}
	}
}

// HostHas judges a required member of host descriptors.
func (j descriptors) HostHas(name string) verdict.Verdict {
	described := j.HostDescribed()
	r := &described
	hasMember(r, j.hostDescriptors(), member(j.Forms.Host, name))
	return *r
}

// CapabilitiesHave judges a required member of capability descriptors.
func (j descriptors) CapabilitiesHave(name string) verdict.Verdict {
	r := &verdict.Verdict{}
	hasMember(r, j.descriptors(), member(j.Forms.Descriptor, name))
	return r.OpenUnlessJudged(j.undeclared())
}

// GivenHasType judges a member of capability descriptors, if it is present.
func (j descriptors) GivenHasType(name string) verdict.Verdict {
	r := &verdict.Verdict{}
	given := slices.DeleteFunc(j.descriptors(), func(o shown) bool { return o.members[name] == nil })
	hasMember(r, given, member(j.Forms.Descriptor, name))
	return r.Holds()
}

// GivenIsSchema judges a member whose value must be a JSON Schema.
func (j descriptors) GivenIsSchema(name string) verdict.Verdict {
	r := &verdict.Verdict{}
	for _, o := range j.descriptors() {
		if o.members[name] == nil {
			continue
		}
		_, err := j.Cache.Template(o.members[name])
		var invalid *schemas.InvalidSchema
		var undecidable *schemas.Undecidable
		switch {
		case errors.As(err, &invalid):
			r.AddBreach([]record.Tick{o.entry}, name+" is not a JSON Schema", "a schema that is valid in its dialect",
				invalid.Error()+", in "+printed(o.members[name]))
		case errors.As(err, &undecidable):
			r.Open = verdict.Undecided("the harness cannot decide about a schema: %s", undecidable.Message)
		}
	}
	return r.Holds()
}

// ModesIncludeSync judges CHP-3-05: the modes of each capability include sync.
func (j descriptors) ModesIncludeSync() verdict.Verdict {
	r, listed, sync := &verdict.Verdict{}, member(j.Forms.Descriptor, "modes"), member(j.Forms.Descriptor, "sync")
	for _, o := range j.descriptors() {
		r.Judged++
		modes := o.members["modes"]
		if listed.Fits(modes) && !sync.Fits(modes) {
			r.AddBreach([]record.Tick{o.entry}, "the modes of a capability do not include sync", sync.Want, printed(modes))
		}
	}
	return r.OpenUnlessJudged(j.undeclared())
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

// SameHost judges CHP-4-09: the host keeps its id. It compares the descriptions by one process,
// or also those after a restart.
func (j descriptors) SameHost(restarted bool) verdict.Verdict {
	r, id := &verdict.Verdict{}, member(j.Forms.Host, "id")
	own := j.host().Result["id"]
	if !id.Fits(own) {
		return r.OpenUnlessJudged(verdict.Undecided("the host descriptor has no id: see CHP-4-01"))
	}
	for _, d := range j.Hosts()[1:] {
		if d.Result == nil || (d.Stimulus == history.Restart) != restarted {
			continue
		}
		if !id.Fits(d.Result["id"]) {
			continue // CHP-4-01 judges that
		}
		r.Judged++
		if d.Result["id"] != own {
			r.AddBreach([]record.Tick{d.Entry, j.host().Entry}, "the id of the host changes", printed(own)+" each time",
				printed(d.Result["id"]))
		}
	}
	if restarted {
		return r.OpenUnlessJudged(j.Conclusion(history.Restart))
	}
	return r.OpenUnlessJudged(verdict.Undecided("the host did not describe itself again"))
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
