package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// reference is a pair of the first list of the run, or another one whose capability did not keep it.
type reference struct {
	Pair history.Ref
	over *course
}

// course is what the lists of a run show over its time.
type course struct {
	in       *evidence
	lists    []*history.Listing
	unstable []history.Ref // those whose presence changes more than once
	was, now history.Ref   // a capability that changed its reference
}

// Entries returns the last list and the first.
func (r *reference) Entries() []record.Tick {
	return []record.Tick{r.over.last().Entry, r.over.lists[0].Entry}
}

// NewPair returns the pair that the capability has now, "" if it keeps its reference.
func (r *reference) NewPair() string {
	if r.Pair != r.over.was {
		return ""
	}
	return r.over.now.String()
}

// IsKept is true unless the pair was removed.
func (r *reference) IsKept() any {
	if r.over.lists[0].Find(r.Pair) == nil || r.over.last().Find(r.Pair) != nil {
		return true
	}
	return blocked(verdict.Undecided("the source changed during the run: %s is no longer listed", r.Pair))
}

func (c *course) last() *history.Listing { return c.lists[len(c.lists)-1] }

// references returns the pairs of the first list, and those that did not stay. There are none if the source was
// listed only once.
func (j *evidence) references() []*reference {
	lists := slices.DeleteFunc(j.ListsOf(stimulusDiscovery, history.ListedAgain),
		func(l *history.Listing) bool { return !l.Readable() })
	if len(lists) < 2 {
		return nil
	}
	over := &course{in: j, lists: lists, unstable: unstablePairs(lists)}
	over.findRenaming()
	all := lists[0].Pairs()
	for _, of := range append(slices.Clone(over.unstable), over.was) {
		if of.ID != "" && !slices.Contains(all, of) {
			all = append(all, of)
		}
	}
	return each(all, func(of history.Ref) *reference { return &reference{of, over} })
}

// findRenaming finds a capability that changed its reference, if there are two such changes: one of them
// may be a new release that replaced the other.
func (c *course) findRenaming() {
	renamings, was, now := 0, history.Ref{}, history.Ref{}
	for i := range c.lists[1:] {
		for _, ref := range missing(c.lists[i], c.lists[i+1]) {
			if s := renamed(c.lists[i].Find(ref), c.lists[i], c.lists[i+1]); s != nil {
				renamings, was, now = renamings+1, ref, s.Ref()
				break
			}
		}
	}
	if renamings > 1 {
		c.was, c.now = was, now
	}
}

// Flickers distinguishes a reference that some lists omit although the source knows it at that
// time from a reference that is removed and added again.
func (r *reference) Flickers() any {
	const enough = 2
	if !slices.Contains(r.over.unstable, r.Pair) {
		return false
	}
	j, about := r.over.in, map[string]string{"id": r.Pair.ID, "version": r.Pair.Version}
	if !slices.ContainsFunc(j.ListsOf(history.Flickering), func(l *history.Listing) bool {
		return l.About["id"] == r.Pair.ID && l.About["version"] == r.Pair.Version
	}) {
		gap := settledBy(history.Flickering, r.over.last().Entry)
		gap.Settle.About = about
		return gap
	}
	seen := 0
	for _, l := range j.LookupsOf(history.Flickering) {
		if before := j.before(l.Entry); l.Asked == r.Pair && l.Own() && before != nil && before.Find(r.Pair) == nil {
			seen++
		}
	}
	return seen >= enough
}

// survivor is a pair that was listed before a restart.
type survivor struct {
	Pair          history.Ref
	in            *evidence
	before, after []*history.Listing
}

func (j *evidence) survivors() []*survivor {
	step := func(name string) []*history.Listing {
		return slices.DeleteFunc(j.ListsOf(history.Restart), func(l *history.Listing) bool {
			return l.About[history.AboutStep] != name || !l.Readable()
		})
	}
	before, after := step(history.StepBefore), step(history.StepAfter)
	if len(before) == 0 || len(after) == 0 {
		return nil
	}
	return each(before[0].Pairs(), func(of history.Ref) *survivor { return &survivor{of, j, before, after} })
}

// Entries returns the lists after and before the restart.
func (s *survivor) Entries() []record.Tick { return []record.Tick{s.after[0].Entry, s.before[0].Entry} }

// IsNew reports whether the pair was added during the run.
func (s *survivor) IsNew() bool { return s.in.First().Find(s.Pair) == nil }

// IsListedAfter reports whether a list after the restart contains the pair.
func (s *survivor) IsListedAfter() bool {
	return slices.ContainsFunc(s.after, func(l *history.Listing) bool { return l.Find(s.Pair) != nil })
}

func lostLists(all []*history.Listing) error {
	for _, l := range all {
		if l.Unanswered() {
			return l.Lost
		}
	}
	return nil
}

// unstablePairs returns the pairs whose presence changes more than once.
func unstablePairs(lists []*history.Listing) []history.Ref {
	var found []history.Ref
	seen := map[record.Tick]bool{}
	for _, l := range lists {
		if seen[l.Same] {
			continue
		}
		seen[l.Same] = true
		for _, ref := range l.Pairs() {
			changes := 0
			for i := range lists[1:] {
				if lists[i].Same != lists[i+1].Same && (lists[i].Find(ref) == nil) != (lists[i+1].Find(ref) == nil) {
					changes++
				}
			}
			if changes > 1 && !slices.Contains(found, ref) {
				found = append(found, ref)
			}
		}
	}
	return found
}

// missing returns the pairs of a list that a later one lacks.
func missing(before, after *history.Listing) []history.Ref {
	if before.Same == after.Same {
		return nil
	}
	return slices.DeleteFunc(before.Pairs(), func(ref history.Ref) bool { return after.Find(ref) != nil })
}

// renamed finds the capability in the later list that equals the given one except for its
// reference.
func renamed(was *history.RawManifest, before, after *history.Listing) *history.RawManifest {
	old := was.Manifest()
	for _, candidate := range after.Capabilities {
		if before.Find(candidate.Ref()) != nil {
			continue
		}
		if is := candidate.Manifest(); sameApartFromRef(old, is) && sameApartFromRef(is, old) {
			return candidate
		}
	}
	return nil
}

// sameApartFromRef reports whether each member of one manifest except its reference is the same in
// another. A name that is the id belongs to the reference.
func sameApartFromRef(a, b history.Manifest) bool {
	named := func(m history.Manifest) bool { return m[history.MemberName] == m[history.MemberID] }
	for member := range a {
		if member == history.MemberName && named(a) && named(b) {
			continue
		}
		if member != history.MemberID && member != history.MemberVersion && !jsonvalue.Equal(a[member], b[member]) {
			return false
		}
	}
	return true
}
