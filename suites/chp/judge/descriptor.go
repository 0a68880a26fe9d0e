package judge

import (
	"errors"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/record"
)

// shown is an object of the protocol and the answer that showed it.
type shown struct {
	members history.Object
	what    string // for messages: "a capability descriptor"
	entry   record.Tick
}

// once gives the first of the descriptions that are the same answer.
func once(all []*history.Description) []*history.Description {
	seen := map[record.Tick]bool{}
	return slices.DeleteFunc(slices.Clone(all), func(d *history.Description) bool {
		again := seen[d.Same]
		seen[d.Same] = true
		return again
	})
}

// descriptors are those of all capabilities in every answer.
func (j *Judge) descriptors() []shown {
	var all []shown
	for _, d := range once(slices.Concat(j.Lists(), j.Hosts())) {
		for _, members := range d.Capabilities() {
			all = append(all, shown{members, "a capability descriptor", d.Entry})
		}
	}
	return all
}

// hostDescriptors are the descriptions that the host gave of itself.
func (j *Judge) hostDescriptors() []shown {
	var all []shown
	for _, d := range once(j.Hosts()) {
		if d.Result != nil {
			all = append(all, shown{d.Result, "the host descriptor", d.Entry})
		}
	}
	return all
}

// undeclared says why no descriptor was seen.
func (j *Judge) undeclared() error {
	for _, d := range slices.Concat(j.Lists(), j.Hosts()) {
		if d.Lost != nil {
			return d.Lost
		}
	}
	return suites.Undecided("no capability is declared, so there is nothing to look at")
}

// HostDescribed is the positive control of section 4: a descriptor, whatever it holds.
func (j *Judge) HostDescribed() suites.Verdict {
	r := &suites.Verdict{}
	var lost error
	for _, d := range j.Hosts() {
		switch {
		case d.Lost != nil:
			lost = d.Lost
		case d.Result == nil:
			r.Broken([]record.Tick{d.Entry}, "the host returns no descriptor", "a HostDescriptor for chp.host", d.Got)
		default:
			r.Judged++
		}
	}
	return r.Otherwise(lost)
}

// hasMember judges one member of objects.
func hasMember(r *suites.Verdict, all []shown, part part) {
	for _, o := range all {
		r.Judged++
		if what, got, wrong := part.broken(o.members); wrong {
			r.Broken([]record.Tick{o.entry}, o.what+": "+what, part.Want, got+" in "+printed(o.members))
		}
	}
}

// HostHas judges a required member of host descriptors.
func (j *Judge) HostHas(name string) suites.Verdict {
	described := j.HostDescribed()
	r := &described
	hasMember(r, j.hostDescriptors(), member(j.Forms.Host, name))
	return *r
}

// CapabilitiesHave judges a required member of capability descriptors.
func (j *Judge) CapabilitiesHave(name string) suites.Verdict {
	r := &suites.Verdict{}
	hasMember(r, j.descriptors(), member(j.Forms.Descriptor, name))
	return r.Otherwise(j.undeclared())
}

// GivenHasType judges a member of capability descriptors where it is given.
func (j *Judge) GivenHasType(name string) suites.Verdict {
	r := &suites.Verdict{}
	given := slices.DeleteFunc(j.descriptors(), func(o shown) bool { return o.members[name] == nil })
	hasMember(r, given, member(j.Forms.Descriptor, name))
	return r.Holds()
}

// GivenIsSchema judges a member that is to be a JSON Schema.
func (j *Judge) GivenIsSchema(name string) suites.Verdict {
	r := &suites.Verdict{}
	for _, o := range j.descriptors() {
		if o.members[name] == nil {
			continue
		}
		_, err := j.Cache.Template(o.members[name])
		var invalid *schemas.InvalidSchema
		var undecidable *schemas.Undecidable
		switch {
		case errors.As(err, &invalid):
			r.Broken([]record.Tick{o.entry}, name+" is no JSON Schema", "a schema that is valid in its dialect",
				invalid.Error()+", in "+printed(o.members[name]))
		case errors.As(err, &undecidable):
			r.Open = suites.Undecided("a schema can't be decided here: %s", undecidable.Message)
		}
	}
	return r.Holds()
}

// ModesIncludeSync is CHP-3-05.
func (j *Judge) ModesIncludeSync() suites.Verdict {
	r, listed, sync := &suites.Verdict{}, member(j.Forms.Descriptor, "modes"), member(j.Forms.Descriptor, "sync")
	for _, o := range j.descriptors() {
		r.Judged++
		modes := o.members["modes"]
		if listed.Fits(modes) && !sync.Fits(modes) {
			r.Broken([]record.Tick{o.entry}, "the modes of a capability do not include sync", sync.Want, printed(modes))
		}
	}
	return r.Otherwise(j.undeclared())
}

// URIIsPair is CHP-3-14.
func (j *Judge) URIIsPair() suites.Verdict {
	r := &suites.Verdict{}
	for _, o := range j.descriptors() {
		if want, wrong := j.Forms.WrongURI(o.members); wrong {
			r.Broken([]record.Tick{o.entry}, "the URI of a capability is not its id, a colon and its version", want,
				printed(o.members["capability_uri"]))
		}
	}
	return r.Holds()
}

// PairsNameOne compares descriptors of one list: the host may show a summary.
func (j *Judge) PairsNameOne() suites.Verdict {
	r := &suites.Verdict{}
	for _, d := range once(slices.Concat(j.Lists(), j.Hosts())) {
		first := map[string]history.Object{}
		for _, members := range d.Capabilities() {
			r.Judged++
			pair := history.Pair(members)
			if before, twice := first[pair]; twice && !suites.EqualJSON(before, members) {
				r.Broken([]record.Tick{d.Entry}, "one pair of id and version has two descriptors", "one descriptor for "+pair,
					printed(before)+" and "+printed(members))
			}
			first[pair] = members
		}
	}
	return j.ofDeclared(r)
}

// ofDeclared gives a verdict about lists: one of them at least declares something.
func (j *Judge) ofDeclared(r *suites.Verdict) suites.Verdict {
	if len(j.descriptors()) == 0 {
		return r.Otherwise(j.undeclared())
	}
	return r.Holds()
}

// SaysOldVersion is CHP-4-10.
func (j *Judge) SaysOldVersion() suites.Verdict {
	r := &suites.Verdict{}
	for _, o := range j.hostDescriptors() {
		if o.members["protocol_version"] == nil {
			continue
		}
		r.Judged++
		if HidesOldVersion(o.members) {
			r.Broken([]record.Tick{o.entry}, "a host that prefers a newer protocol version does not say that it speaks 0.1",
				"0.1 in supported_versions", printed(o.members["supported_versions"]))
		}
	}
	return r.Otherwise(suites.Undecided("the host tells no protocol version: see CHP-4-03"))
}

// SaysAppendOnly is CHP-4-07.
func (j *Judge) SaysAppendOnly() suites.Verdict {
	r := &suites.Verdict{}
	for _, o := range j.hostDescriptors() {
		evidence, isObject := o.members["evidence"].(history.Object)
		if !isObject {
			continue
		}
		r.Judged++
		if !TellsAppendOnly(evidence) {
			r.Broken([]record.Tick{o.entry}, "the evidence metadata do not say whether the store is append-only",
				"append_only, true or false", printed(evidence))
		}
	}
	return r.Otherwise(suites.Undecided("evidence is no object: see CHP-4-06"))
}

// TellsAppendOnly tells whether metadata of a store say that it is append-only, or that it is
// not, in whatever words. A null says nothing.
func TellsAppendOnly(v any) bool {
	switch v := v.(type) {
	case string:
		return aboutAppending(v)
	case []any:
		return slices.ContainsFunc(v, TellsAppendOnly)
	case history.Object:
		for name, item := range v {
			if item != nil && aboutAppending(name) || TellsAppendOnly(item) {
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

// SameHost is CHP-4-09: of descriptions by one process, or of those behind a restart too.
func (j *Judge) SameHost(restarted bool) suites.Verdict {
	r, id := &suites.Verdict{}, member(j.Forms.Host, "id")
	own := j.host().Result["id"]
	if !id.Fits(own) {
		return r.Otherwise(suites.Undecided("the host tells no id: see CHP-4-01"))
	}
	for _, d := range j.Hosts()[1:] {
		if d.Result == nil || (d.Stimulus == history.Restart) != restarted {
			continue
		}
		if !id.Fits(d.Result["id"]) {
			continue // CHP-4-01's
		}
		r.Judged++
		if d.Result["id"] != own {
			r.Broken([]record.Tick{d.Entry, j.host().Entry}, "the id of the host changes", printed(own)+" each time",
				printed(d.Result["id"]))
		}
	}
	if restarted {
		return r.Otherwise(j.Conclusion(history.Restart))
	}
	return r.Otherwise(suites.Undecided("the host did not describe itself again"))
}

// Recommended is CHP-3-07.
func (j *Judge) Recommended() suites.Verdict {
	r := &suites.Verdict{}
	for _, o := range j.descriptors() {
		r.Judged++
		for _, name := range NotRecommended(o.members) {
			r.Broken([]record.Tick{o.entry}, "a capability descriptor lacks the recommended member "+name, name,
				printed(o.members))
		}
	}
	return r.Otherwise(j.undeclared())
}
