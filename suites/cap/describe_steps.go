package capsuite

import (
	"cmp"
	"context"
	"errors"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

var describeSentences = []sentence{
	say(`each capability with one version is described`, func(w *world) any { return w.describeSingle }),
	say(`each capability with several versions is described in each of them`, func(w *world) any { return w.describeSeveral }),
	say(`each answer is the manifest of the pair that was asked for`, func(w *world) any { return w.answersArePairs }),
	say(`each answer equals the manifest in the list`, func(w *world) any { return w.answersEqualList }),
	say(`no answer is the manifest of another version`, func(w *world) any { return w.versionsApart }),
	say(`references that nobody lists are described`, func(w *world) any { return w.describeUnlisted }),
	say(`each of them is unknown: NOT_FOUND`, func(w *world) any { return w.lookupsNotFound }),
}

// manifest gives the answer where it is one object, and no Capability with its
// manifest inside.
func (l lookup) manifest() (manifest, bool) {
	if l.err != nil || l.answer.Outcome != driver.Returned {
		return nil, false
	}
	m := l.kept
	if m == nil {
		m = readManifest(l.answer.Result)
	}
	if m == nil {
		return nil, false
	}
	_, wrapper := m[memberWrapped].(map[string]any)
	return m, !wrapper || m[memberInput] != nil
}

// own gives the manifest where it is that of the pair that was asked for.
func (l lookup) own() (manifest, bool) {
	m, ok := l.manifest()
	return m, ok && m[memberID] == l.asked.ID && m[memberVersion] == l.asked.Version
}

func (w *world) describeSingle(ctx context.Context) error {
	several := map[string]bool{}
	for _, c := range w.several() {
		several[c.id] = true
	}
	all := len(several) > 0 && len(w.several()) == len(w.list.capabilities) // no id has one version alone
	return w.describeAll(ctx, func(c *capability) bool { return all || !several[c.id] })
}

func (w *world) describeSeveral(ctx context.Context) error {
	several := map[*capability]bool{}
	for _, c := range w.several() {
		several[c] = true
	}
	return w.describeAll(ctx, func(c *capability) bool { return several[c] })
}

func (w *world) describeAll(ctx context.Context, wanted func(*capability) bool) error {
	if err := w.needList(); err != nil {
		return err
	}
	for _, c := range w.list.capabilities {
		if wanted(c) && len(w.lookups) < describedAtMost {
			w.lookups = append(w.lookups, w.describeListed(ctx, w.sc, c))
		}
	}
	if len(w.lookups) == 0 {
		return suites.Undecided("no capability of that kind is listed")
	}
	return nil
}

// answersArePairs is CAP-DIS-02, for what describe says at first and once more: what
// is remembered may be another thing than what was told first.
func (w *world) answersArePairs(ctx context.Context) error {
	judged := 0
	var open error
	for i := range w.lookups {
		for _, l := range []lookup{w.lookups[i], w.describedAgain(ctx, i)} {
			if l.answer.Outcome == driver.NotProvided {
				return suites.Undecided("the source does not provide capability.describe: see CAP-DIS-03")
			}
			if l.err != nil && !suites.ClosedInFace(l.err) {
				return l.err
			}
			if _, own := l.own(); !own && w.gone(ctx, l) {
				continue
			}
			if err := w.isOwn(l); err != nil {
				if unclear := w.limitedLookup(ctx, l, func(again lookup) bool { _, own := again.own(); return own }); unclear != nil {
					open = unclear
					continue
				}
				return err
			}
			judged++
		}
	}
	if judged == 0 && open == nil {
		return undecidedBy(w.lookups[0].asked)
	}
	return open
}

func (w *world) isOwn(l lookup) error {
	m, ok := l.manifest()
	switch {
	case !ok:
		return w.violation("describe does not give the manifest of a listed pair", "one manifest, that of "+l.asked.String(), l.answer, l.err)
	case m[memberID] != l.asked.ID || m[memberVersion] != l.asked.Version:
		return w.violation("describe gives the manifest of another pair", "the manifest of "+l.asked.String(), l.answer, l.err)
	}
	return nil
}

// describedAgain asks once more for a pair, of the first ones.
func (w *world) describedAgain(ctx context.Context, i int) lookup {
	const asked = 30
	l := w.lookups[i]
	c := w.list.find(l.asked)
	if i >= asked || c == nil {
		return l
	}
	return c.done().next.Get(ctx, func() (lookup, bool) {
		next := w.describe(ctx, w.sc, l.asked)
		return next, ctx.Err() == nil
	})
}

// answersEqualList compares all but the pair itself, which is CAP-DIS-02's.
func (w *world) answersEqualList(ctx context.Context) error {
	compared := 0
	var open error
	for i, l := range w.lookups {
		if _, ok := l.own(); !ok {
			continue
		}
		compared++
		for _, l := range []lookup{l, w.describedAgain(ctx, i)} {
			err := w.equalsList(ctx, l)
			if _, unsettled := errors.AsType[*suites.Inconclusive](err); err != nil && !unsettled {
				return err
			}
			open = cmp.Or(open, err)
		}
	}
	if compared == 0 {
		return suites.Undecided("no listed capability could be described: see CAP-DIS-02")
	}
	return open
}

// equalsList compares what describe says with the list. Where they differ the list
// is asked again: describe is to blame if it stands as it did, else both are compared
// anew.
func (w *world) equalsList(ctx context.Context, l lookup) error {
	from, listed := w.list, w.list.find(l.asked)
	for range settledAfter {
		described, ok := l.own()
		if !ok || listed == nil {
			return nil // it was taken away, or is CAP-DIS-02's
		}
		member, differ := difference(listed.manifest(), described)
		if !differ {
			return nil
		}
		now := w.present(ctx)
		if then := now.find(l.asked); then != nil && agree(listed.manifest(), then.manifest(), manifestMembers) {
			w.sc.Cite(from.answer, nil)
			w.sc.Cite(l.answer, nil)
			return suites.Violated("describe and list disagree on a manifest",
				member+" of "+l.asked.String()+" as listed: "+suites.Print(listed.manifest()[member]), suites.Print(described[member])+" as described")
		}
		from, listed = now, now.find(l.asked)
		l = w.describe(ctx, w.sc, l.asked)
	}
	return suites.Undecided("the manifest of %s changes with every answer", l.asked)
}

// versionsApart is CAP-CAP-05: a manifest that bears the version asked for, and
// is otherwise that of another version of the id, is not this one's.
func (w *world) versionsApart(ctx context.Context) error {
	for _, l := range w.lookups {
		described, ok := l.own()
		if !ok {
			continue
		}
		if _, differ := difference(w.list.find(l.asked).manifest(), described); !differ {
			continue
		}
		for _, other := range w.several() {
			if other.id != l.asked.ID || other.version == l.asked.Version {
				continue
			}
			if member, differ := difference(other.manifest(), described); (!differ || member == memberVersion) && !w.moved(ctx, l.asked, manifestMembers) {
				w.sc.Cite(w.list.answer, nil)
				return w.violation("describe gives one version of a capability for another", "the manifest of "+l.asked.String()+" and not that of "+other.version, l.answer, nil)
			}
		}
	}
	return nil
}

// difference names the first member of the text in which two manifests differ,
// the version last of all. A custom member is free to, such as a time of day.
func difference(a, b manifest) (string, bool) {
	for _, member := range manifestMembers {
		if member != memberVersion && !suites.EqualJSON(a[member], b[member]) {
			return member, true
		}
	}
	return memberVersion, !suites.EqualJSON(a[memberVersion], b[memberVersion])
}

func union(a, b manifest) manifest {
	all := manifest{}
	for name := range a {
		all[name] = nil
	}
	for name := range b {
		all[name] = nil
	}
	return all
}

func (w *world) describeUnlisted(ctx context.Context) error {
	if err := w.needList(); err != nil {
		return err
	}
	if err := w.describesSomething(ctx); err != nil {
		return err
	}
	w.lookups = w.describeStrangers(ctx, w.sc)
	return nil
}

// describesSomething is the positive control of every refusal of describe.
func (w *world) describesSomething(ctx context.Context) error {
	const tried = 10
	for _, c := range w.list.capabilities[:min(len(w.list.capabilities), tried)] {
		l := w.describeListed(ctx, w.sc, c)
		if _, ok := l.own(); ok {
			w.sc.Cite(l.answer, l.err)
			return nil
		}
	}
	return suites.Undecided("the source describes no listed capability, so a refusal shows nothing: see CAP-DIS-02 and CAP-DIS-03")
}

// cameSince tells a pair that somebody registered since it was listed by nobody: it is
// listed by now, or gone again.
func (w *world) cameSince(ctx context.Context, l lookup) bool {
	if _, own := l.own(); !own || l.random {
		return false
	}
	return w.present(ctx).find(l.asked) != nil || w.describe(ctx, w.sc, l.asked).unknown()
}

func (w *world) lookupsNotFound(ctx context.Context) error {
	var open error
	for _, l := range w.lookups {
		if l.err != nil && !suites.ClosedInFace(l.err) {
			return l.err
		}
		if l.unknown() || w.declaresCompatible(l.asked) || w.cameSince(ctx, l) {
			continue
		}
		if unclear := w.limitedLookup(ctx, l, lookup.unknown); unclear != nil {
			open = unclear
			continue
		}
		w.sc.Cite(l.answer, l.err)
		v := suites.Violated("describe does not answer NOT_FOUND for "+l.kind, "the code NOT_FOUND, as an error or as the result, for "+l.asked.String(), suites.Received(l.answer, l.err))
		v.Hint = "the code of a protocol error travels as error.data.code"
		return v
	}
	return open
}
