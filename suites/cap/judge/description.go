package judge

import (
	"cmp"
	"slices"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

var descriptionSentences = []verdict.Sentence[manifests]{
	verdict.Say(`no description is the manifest of another version`, manifests.VersionsApart),
	verdict.Say(`each description is the manifest of the requested pair`, manifests.PairsDescribed),
	verdict.Say(`each describe of an unlisted pair is answered with NOT_FOUND`, manifests.UnlistedUnknown),
	verdict.Say(`each description equals the manifest in the list`, manifests.SameAsListed),
}

// ofListed returns the descriptions of listed pairs.
func (j manifests) ofListed() []*history.Lookup {
	return slices.DeleteFunc(j.Lookups(), func(l *history.Lookup) bool {
		return l.Settles() ||
			j.rawManifest(l.Asked, l.Entry) == nil
	})
}

// PairsDescribed judges CAP-DIS-02: each description is the manifest of the requested pair.
func (j manifests) PairsDescribed() verdict.Verdict {
	r := j.newVerdict()
	var last *history.Lookup
	for _, l := range j.ofListed() {
		last = l
		m, ok := l.Manifest()
		switch {
		case l.Absent:
			r.open = verdict.Undecided("the source does not provide capability.describe: see CAP-DIS-03")
		case l.Unanswered():
			r.open = l.Lost
		case l.Own():
			r.Judged++
		case !ok:
			j.addMisdescribed(r, l, "describe does not return the manifest of a listed pair",
				"one manifest, that of "+l.Asked.String())
		case m.Ref() != l.Asked:
			j.addMisdescribed(r, l, "describe returns the manifest of another pair", "the manifest of "+l.Asked.String())
		}
	}
	if last == nil {
		return r.conclude(firstOf(j.listed(), verdict.Undecided("no listed capability was described")))
	}
	return r.conclude(changed(last.Asked))
}

// addMisdescribed adds an answer that does not describe a listed pair, unless the pair was removed or
// a limit explains the answer.
func (j manifests) addMisdescribed(r *pendingVerdict, l *history.Lookup, message, want string) {
	b := verdict.Breach{Message: message, Want: want, Got: l.Got, Entries: []record.Tick{l.Entry}}
	after, again := j.after(l.Done), j.LookupsConfirming(l.Entry)
	own := slices.ContainsFunc(again, (*history.Lookup).Own)
	switch {
	case l.Unknown() && after != nil && after.Find(l.Asked) == nil:
		// The pair was removed.
	case l.Unknown() && after == nil:
		r.addDoubt(b, history.ListNow)
	case l.Unknown() && len(again) == 0:
		r.addDoubt(b, history.DescribeAgain)
	case l.Unknown() && own:
		// The pair was removed and added again.
	case l.Unknown() && !slices.ContainsFunc(again, func(l *history.Lookup) bool { return !l.Unknown() }):
		r.Breaches = append(r.Breaches, b) // a limit would have another code
	default:
		r.addUnlessLimited(b, l, (*history.Lookup).Own)
	}
}

// addUnlessLimited adds a breach by a description unless a limit explains the answer: see
// unexplainedByLimit.
func (r *pendingVerdict) addUnlessLimited(b verdict.Breach, l *history.Lookup, valid func(*history.Lookup) bool) {
	if !l.MayBeLimit() {
		r.Breaches = append(r.Breaches, b)
		return
	}
	again, controls := r.judge.LookupsConfirming(l.Entry), r.judge.LookupControls(l.Entry)
	r.limits++
	switch {
	case r.limits > maxLimits:
		r.open = limited(l.Asked, "is refused in too many ways to repeat each")
	case len(again) == 0:
		r.addDoubt(b, history.DescribeAgain)
	case slices.ContainsFunc(again, valid):
		r.open = limited(l.Asked, "is described differently when the harness asks again")
	case slices.ContainsFunc(controls, func(c *history.Lookup) bool { return !c.Own() }):
		r.open = limited(controls[0].Asked, "was described before and is not described now")
	default:
		r.Breaches = append(r.Breaches, b)
	}
}

// SameAsListed judges CAP-DIS-07: each description equals the manifest in the list. It compares
// everything except the pair itself, which CAP-DIS-02 judges. If the manifests differ, describe is
// wrong if the lists before and after agree.
func (j manifests) SameAsListed() verdict.Verdict {
	r := j.newVerdict()
	for _, l := range j.ofListed() {
		if !l.Own() {
			continue
		}
		r.Judged++
		listed, described := j.rawManifest(l.Asked, l.Entry), l.Shown
		if listed == described {
			continue
		}
		member, differ := difference(listed.Manifest(), described.Manifest())
		if !differ {
			continue
		}
		b := verdict.Breach{
			Message: "describe and list disagree on a manifest",
			Want:    member + " of " + l.Asked.String() + " as listed: " + jsonvalue.Print(listed.Manifest()[member]),
			Got:     jsonvalue.Print(described.Manifest()[member]) + " as described",
			Entries: j.differingEntries(listed, described),
		}
		switch j.contractAround(l.Asked, &l.Call, history.ManifestMembers) {
		case contractSame:
			r.Breaches = append(r.Breaches, b)
		case contractUnknown:
			r.addDoubt(b, history.ListNow)
		default:
			j.judgeChanging(r, l, b)
		}
	}
	return r.conclude(firstOf(j.listed(), verdict.Undecided("no listed capability could be described: see CAP-DIS-02")))
}

// judgeChanging judges a description whose manifest changed between two lists. It is compared with the
// later list, and otherwise described again between two lists.
func (j manifests) judgeChanging(r *pendingVerdict, l *history.Lookup, b verdict.Breach) {
	differs := func(l *history.Lookup, list *history.Listing) bool {
		listed := list.Find(l.Asked)
		if listed == nil {
			return false // it was removed
		}
		_, differ := difference(listed.Manifest(), l.Shown.Manifest())
		return differ
	}
	if !differs(l, j.after(l.Done)) {
		return
	}
	again := j.LookupsConfirming(l.Entry)
	if len(again) == 0 {
		r.addDoubt(b, history.Hidden)
		return
	}
	for _, c := range again {
		before, after := j.before(c.Entry), j.after(c.Done)
		switch {
		case !c.Own() || after == nil:
		case !differs(c, before) || !differs(c, after):
			return
		case j.contractAround(c.Asked, &c.Call, history.ManifestMembers) == contractSame:
			b.Entries = append(b.Entries, c.Entry)
			r.Breaches = append(r.Breaches, b)
			return
		}
	}
	r.open = verdict.Undecided("the manifest of %s changes with every answer", l.Asked)
}

// differingEntries returns the entries that first showed two manifests of one pair. The breach belongs to
// the manifest that is invalid by itself, otherwise to the description.
func (j manifests) differingEntries(listed, described *history.RawManifest) []record.Tick {
	if j.isInvalid(listed) && !j.isInvalid(described) {
		return []record.Tick{listed.First, described.First}
	}
	return []record.Tick{described.First, listed.First}
}

// isInvalid reports whether a manifest breaks a requirement on a single manifest.
func (j manifests) isInvalid(s *history.RawManifest) bool {
	m := s.Manifest()
	for _, rule := range []Rule{TypesRule, KindRule, InputSchemaRule} {
		if defects, _ := rule(j.Cache, m); len(defects) > 0 {
			return true
		}
	}
	witness, shows := m.Witness()
	_, wrong := WitnessDefect(m, witness)
	lacks := slices.ContainsFunc(SkillMembers,
		func(member string) bool { return lacksMember(m, member) && j.supported(member) })
	return m.IsSkill() && (shows && wrong || lacks)
}

// VersionsApart judges CAP-CAP-05: a description must not be the manifest of another version of
// the id, even if it states the requested version. CAP-DIS-02 and CAP-DIS-07 judge other defects.
func (j manifests) VersionsApart() verdict.Verdict {
	r := j.newVerdict()
	for _, l := range j.ofListed() {
		before := j.before(l.Entry)
		m, ok := l.Manifest()
		if !ok || !slices.ContainsFunc(before.Capabilities,
			func(s *history.RawManifest) bool { return s.ID == l.Asked.ID && s.Version != l.Asked.Version }) {
			continue
		}
		r.Judged++
		other := otherVersion(before, l.Asked, m)
		if other != "" && j.contractAround(l.Asked, &l.Call, history.ManifestMembers) != contractChanged {
			r.AddBreach([]record.Tick{shownAt(l), before.Entry}, "describe returns the manifest of another version",
				"the manifest of "+l.Asked.String()+" and not that of "+other, l.Got)
		}
	}
	return r.conclude(firstOf(j.listed(),
		verdict.Undecided("no version of an id that is listed in several was described: see CAP-DIS-02")))
}

// otherVersion returns the listed version of the id whose manifest a description is, with its
// version or with the requested one, "" if there is none.
func otherVersion(list *history.Listing, asked history.Ref, described history.Manifest) string {
	if _, differ := difference(list.Find(asked).Manifest(), described); !differ {
		return ""
	}
	for _, other := range list.Capabilities {
		if other.ID != asked.ID || other.Version == asked.Version {
			continue
		}
		if member, differ := difference(other.Manifest(), described); !differ || member == history.MemberVersion {
			return other.Version
		}
	}
	return ""
}

// UnlistedUnknown judges CAP-DIS-04: each describe of an unlisted pair is answered with NOT_FOUND.
func (j manifests) UnlistedUnknown() verdict.Verdict {
	r := j.newVerdict()
	if !j.describes() {
		return r.conclude(j.noDescription())
	}
	for _, l := range j.LookupsOf(history.UnlistedDescribed, history.Neighbours, history.Hidden) {
		form, random := unlistedForm(&l.Call)
		switch {
		case form == "" || j.rawManifest(l.Asked, l.Entry) != nil:
			continue
		case l.Unanswered():
			r.open = l.Lost
			continue
		case l.Stimulus != history.Hidden && l.Settles() || !j.unlistedAround(l.Asked, &l.Call):
			continue
		case l.Unknown():
			r.Judged++
			continue
		case l.Stimulus == history.Neighbours && l.Own():
			continue // CAP-DIS-01 judges it
		}
		b := verdict.Breach{
			Message: "describe does not answer NOT_FOUND for " + form,
			Want:    "the code NOT_FOUND, as an error or as the result, for " + l.Asked.String(), Got: l.Got,
			Hint: "the code of a protocol error travels as error.data.code", Entries: []record.Tick{l.Entry},
		}
		if l.Own() && !random { // another user may have registered it since the list
			again := j.LookupsConfirming(l.Entry)
			if len(again) == 0 {
				r.addDoubt(b, history.DescribeAgain)
				continue
			}
			if slices.ContainsFunc(again, (*history.Lookup).Unknown) {
				continue
			}
		}
		r.addUnlessLimited(b, l, (*history.Lookup).Unknown)
	}
	return r.conclude(j.noDescription())
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
