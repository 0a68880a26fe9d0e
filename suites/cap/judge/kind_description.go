package judge

import (
	"cmp"
	"slices"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// description is an answer to capability.describe.
type description struct {
	*history.Lookup
	in *evidence
}

func (j *evidence) descriptions() []description {
	return each(j.Lookups(), func(l *history.Lookup) description { return description{l, j} })
}

// NamesListedPair reports whether the list before contains the pair.
func (d description) NamesListedPair() bool {
	return !d.Settles() && d.in.rawManifest(d.Asked, d.Entry) != nil
}

// IsManifest reports whether the answer is a manifest, of whatever pair.
func (d description) IsManifest() bool { _, is := d.Manifest(); return is }

// UnlistedForm returns how the reference differs from the listed ones.
func (d description) UnlistedForm() string { form, _ := unlistedForm(&d.Call); return form }

// MissesListedPair reports whether an answer that is not the manifest of a listed pair shows that describe does not
// know the pair. It does not if the pair was removed, also if it was added again, or if a limit explains the answer.
func (d description) MissesListedPair() any {
	after, again := d.in.after(d.Done), d.in.LookupsConfirming(d.Entry)
	unknown := func(l *history.Lookup) bool { return !l.Unknown() }
	switch {
	case d.Absent:
		return blocked(verdict.Undecided("the source does not provide capability.describe: see CAP-DIS-03"))
	case d.Unanswered():
		return blocked(d.Lost)
	case d.Unknown() && after != nil && after.Find(d.Asked) == nil:
		return false
	case d.Unknown() && after == nil:
		return settledBy(history.ListNow, d.Entry)
	case d.Unknown() && len(again) == 0:
		return settledBy(history.DescribeAgain, d.Entry)
	case d.Unknown() && slices.ContainsFunc(again, (*history.Lookup).Own):
		return false
	case d.Unknown() && !slices.ContainsFunc(again, unknown):
		return true // a limit would have another code
	}
	return d.in.lasts(d.Lookup, (*history.Lookup).Own)
}

// NamesUnlistedPair reports whether the harness knows that no capability has the reference.
func (d description) NamesUnlistedPair() any {
	switch {
	case !slices.Contains([]string{history.UnlistedDescribed, history.Neighbours, history.Hidden}, d.Stimulus):
		return false
	case d.UnlistedForm() == "" || d.in.rawManifest(d.Asked, d.Entry) != nil:
		return false
	case d.Unanswered():
		return blocked(d.Lost)
	}
	return (d.Stimulus == history.Hidden || !d.Settles()) && d.in.unlistedAround(d.Asked, &d.Call)
}

// KnowsUnlistedPair reports whether a source answers an unlisted reference otherwise than with NOT_FOUND. Another
// user may have registered it since the list, unless it is random.
func (d description) KnowsUnlistedPair() any {
	_, random := unlistedForm(&d.Call)
	if d.Own() && d.Stimulus == history.Neighbours {
		return false // the list omits it
	}
	if d.Own() && !random {
		again := d.in.LookupsConfirming(d.Entry)
		if len(again) == 0 {
			return settledBy(history.DescribeAgain, d.Entry)
		}
		if slices.ContainsFunc(again, (*history.Lookup).Unknown) {
			return false
		}
	}
	return d.in.lasts(d.Lookup, (*history.Lookup).Unknown)
}

// unlistedForm returns how the reference of a call differs from the listed ones, and whether it is
// random, so that nobody else can have registered it. The form is empty if it is not such a call.
func unlistedForm(c *history.Call) (form string, random bool) {
	switch {
	case c.Stimulus == history.Neighbours:
		return cmp.Or(c.About[history.AboutForm], "a pair that may exist elsewhere"), false
	case c.Stimulus == history.Hidden && c.About[history.AboutStep] == history.StepControl:
		return "a known id in an unknown version", true
	case c.Stimulus == history.Hidden:
		return "", false
	default:
		return c.About[history.AboutForm], c.About[history.AboutRandom] != ""
	}
}

// lasts is true if no limit and no state of the source explains a description, as in unexplainedByLimit.
func (j *evidence) lasts(l *history.Lookup, valid func(*history.Lookup) bool) any {
	if !l.MayBeLimit() {
		return true
	}
	alike := slices.DeleteFunc(j.LookupsOf(l.Stimulus), func(b *history.Lookup) bool {
		return b.Entry >= l.Entry || !b.MayBeLimit() || valid(b)
	})
	return lasts(l.Asked, len(alike), settledBy(history.DescribeAgain, l.Entry), j.LookupsConfirming(l.Entry), valid,
		j.LookupControls(l.Entry), (*history.Lookup).Own)
}

// comparison is a description of a listed pair that is a manifest, beside the list.
type comparison struct{ description }

func (j *evidence) comparisons() []comparison {
	var all []comparison
	for _, d := range j.descriptions() {
		if d.IsManifest() && d.NamesListedPair() {
			all = append(all, comparison{d})
		}
	}
	return all
}

// Listed and Described return the member in which the two differ.
func (c comparison) Listed() any    { return c.listed().Manifest()[c.DifferingMember()] }
func (c comparison) Described() any { return c.Shown.Manifest()[c.DifferingMember()] }

// HasOtherVersions reports whether the list contains another version of the id.
func (c comparison) HasOtherVersions() bool {
	return slices.ContainsFunc(c.in.before(c.Entry).Capabilities,
		func(s *history.RawManifest) bool { return s.ID == c.Asked.ID && s.Version != c.Asked.Version })
}

func (c comparison) listed() *history.RawManifest { return c.in.rawManifest(c.Asked, c.Entry) }

// DifferingMember returns a member in which description and list differ, "" if there is none.
func (c comparison) DifferingMember() string {
	if member, differ := difference(c.listed().Manifest(), c.Shown.Manifest()); differ {
		return member
	}
	return ""
}

// Entries returns the entries that first showed two manifests of one pair. The first is that of
// the manifest that is invalid by itself, otherwise the description.
func (c comparison) Entries() []record.Tick {
	switch listed := c.listed(); {
	case !c.Own():
		return []record.Tick{c.Entry, c.in.before(c.Entry).Entry}
	case c.in.isInvalid(listed) && !c.in.isInvalid(c.Shown):
		return []record.Tick{listed.First, c.Shown.First}
	default:
		return []record.Tick{c.Shown.First, listed.First}
	}
}

// DiffersFromList is true if the lists before and after a description agree, so that describe is wrong. If the
// manifest changed between two lists, the description is compared with the later list, and otherwise made again
// between two lists.
func (c comparison) DiffersFromList() any {
	switch c.in.contractAround(c.Asked, &c.Call, history.ManifestMembers) {
	case contractSame:
		return true
	case contractUnknown:
		return settledBy(history.ListNow, c.Entry)
	}
	if !differs(c.Lookup, c.in.after(c.Done)) {
		return false
	}
	again := c.in.LookupsConfirming(c.Entry)
	if len(again) == 0 {
		return settledBy(history.Hidden, c.Entry)
	}
	for _, l := range again {
		before, after := c.in.before(l.Entry), c.in.after(l.Done)
		switch {
		case !l.Own() || after == nil:
		case !differs(l, before) || !differs(l, after):
			return false
		case c.in.contractAround(l.Asked, &l.Call, history.ManifestMembers) == contractSame:
			return true
		}
	}
	return blocked(verdict.Undecided("the manifest of %s changes with every answer", c.Asked))
}

// differs reports whether a description and a list differ. A pair that the list lacks was removed.
func differs(l *history.Lookup, list *history.Listing) bool {
	listed := list.Find(l.Asked)
	if listed == nil {
		return false
	}
	_, differ := difference(listed.Manifest(), l.Shown.Manifest())
	return differ
}

// OtherVersion returns the listed version of the id whose manifest a description is, with its
// version or with the requested one, "" if there is none.
func (c comparison) OtherVersion() string {
	described, _ := c.Manifest()
	if _, differ := difference(c.listed().Manifest(), described); !differ ||
		c.in.contractAround(c.Asked, &c.Call, history.ManifestMembers) == contractChanged {
		return ""
	}
	for _, other := range c.in.before(c.Entry).Capabilities {
		if other.ID != c.Asked.ID || other.Version == c.Asked.Version {
			continue
		}
		if member, differ := difference(other.Manifest(), described); !differ || member == history.MemberVersion {
			return other.Version
		}
	}
	return ""
}
