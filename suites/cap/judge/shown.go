package judge

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// shown is a manifest and the answer that first contained it.
type shown struct {
	history.Manifest
	by    string // the operation
	at    string // where in the answer
	entry record.Tick
	own   bool // not attached by the harness
}

// manifests returns the manifests of all lists, and of the descriptions of requested pairs, each
// text once. They are decoded one at a time: a source may list 10,000.
func (j manifests) manifests() iter.Seq[shown] {
	return func(yield func(shown) bool) {
		seen := map[*history.RawManifest]bool{}
		same := map[record.Tick]bool{}
		for _, l := range j.Lists() {
			if l.Same != 0 && same[l.Same] {
				continue
			}
			same[l.Same] = true
			for _, el := range l.Elements {
				if !seen[el.RawManifest] && !yield(shown{el.Manifest(), history.OpList, el.Pointer(), el.First,
					j.own(el.RawManifest, &l.Call)}) {
					return
				}
				seen[el.RawManifest] = true
			}
		}
		for _, l := range j.Lookups() {
			if !l.Own() || seen[l.Shown] {
				continue
			}
			seen[l.Shown] = true
			listed := j.rawManifest(l.Asked, l.Entry)
			if listed == nil {
				continue // CAP-DIS-01 or CAP-DIS-04 judges it
			}
			if equalManifests(listed.Manifest(), l.Shown.Manifest()) {
				continue // the same manifest, written in another way
			}
			if !yield(shown{l.Shown.Manifest(), history.OpDescribe, "", l.Shown.First, j.own(l.Shown, &l.Call)}) {
				return
			}
		}
	}
}

// own reports whether a manifest does not belong to what the harness attached.
func (j manifests) own(s *history.RawManifest, c *history.Call) bool {
	return !attaching(c) || j.First().Find(s.Ref()) != nil
}

// skills returns the manifests of skills that the harness did not attach.
func (j manifests) skills() iter.Seq[shown] {
	return func(yield func(shown) bool) {
		for s := range j.manifests() {
			if s.own && s.IsSkill() && !yield(s) {
				return
			}
		}
	}
}

// attaching reports whether a call examines what the harness attached.
func attaching(c *history.Call) bool {
	return c.Stimulus == history.AttachedTools || c.Stimulus == history.AttachedSkills
}

// addDefect adds a defect of a manifest.
func (r *pendingVerdict) addDefect(s shown, d Defect) {
	worse := 1
	if d.isMissing() {
		worse = 0
	}
	r.Breaches = append(r.Breaches, verdict.Breach{
		Message: d.Message, Want: d.Want, Worse: worse, Entries: []record.Tick{s.entry},
		Got: strings.TrimSpace(d.Got + " in the manifest of " + s.Ref().String() + ", by " + s.by + " " + s.at),
	})
}

// judgeByRule judges every manifest, or those for which wanted is true, by one rule.
func (j manifests) judgeByRule(rule Rule, wanted ...func(shown) bool) verdict.Verdict {
	r := j.newVerdict()
	var open error
	for s := range j.manifests() {
		if len(wanted) > 0 && !wanted[0](s) {
			continue
		}
		r.Judged++
		defects, err := rule(j.Cache, s.Manifest)
		for _, d := range defects {
			r.addDefect(s, d)
		}
		open = cmp.Or(open, err)
	}
	if open != nil {
		r.open = undecided(open)
	}
	return r.conclude(j.listed())
}

// equalManifests reports whether two manifests have the same members; null equals absent.
func equalManifests(a, b history.Manifest) bool {
	for _, name := range slices.Concat(history.ManifestMembers, a.Custom(), b.Custom()) {
		if !jsonvalue.Equal(a[name], b[name]) {
			return false
		}
	}
	return true
}

// difference returns the first member of the text in which two manifests differ, the version
// last. Custom members may differ, such as a time of day.
func difference(a, b history.Manifest) (string, bool) {
	for _, member := range history.ManifestMembers {
		if member != history.MemberVersion && !jsonvalue.Equal(a[member], b[member]) {
			return member, true
		}
	}
	return history.MemberVersion, !jsonvalue.Equal(a[history.MemberVersion], b[history.MemberVersion])
}
