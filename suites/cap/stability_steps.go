package capsuite

import (
	"bytes"
	"context"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/instance"
)

var stabilitySentences = []sentence{
	say(`the capabilities are listed again`, func(w *world) any { return w.listAgain }),
	say(`the source is restarted and lists its capabilities`, func(w *world) any { return w.restartAndList }),
	say(`the same capabilities bear the same references`, func(w *world) any { return w.referencesStable }),
	say(`a pair is exchanged for another`, func(w *world) any { return w.exchangePair }),
	say(`what is listed no more is known no more`, func(w *world) any { return w.goneAreUnknown }),
	say(`the old pair is gone and the new one is validated by its own manifest`, func(w *world) any { return w.newContractHolds }),
}

// relist asks for the list anew.
func (w *world) relist(ctx context.Context) (*listing, error) {
	l := w.present(ctx)
	return l, l.err
}

// listAgain takes three more lists, once a run: a source may change while it is
// looked at, but a reference that comes and goes is not stable. What they show in
// another way than the first is judged as that is.
func (w *world) listAgain(ctx context.Context) error {
	if err := w.needList(); err != nil {
		return err
	}
	var failed error
	w.lists = w.later.Get(ctx, func() ([]*listing, bool) {
		var all []*listing
		for range 3 {
			l, err := w.relist(ctx)
			if err != nil {
				failed = err
				return nil, false
			}
			all = append(all, l)
		}
		return all, true
	})
	w.sc.Cite(w.list.answer, nil)
	for _, l := range w.lists {
		w.sc.Cite(l.answer, nil)
		for _, el := range l.elements {
			if first := w.list.find(ref{el.id, el.version}); first == nil || !bytes.Equal(first.raw, el.raw) {
				w.manifests = append(w.manifests, sheet{el.raw, el.kept, opList, el.pointer, l.answer})
			}
		}
	}
	return failed
}

// restartAndList compares what was there from the first list up to the restart: who
// came for a moment before it need not be there again.
func (w *world) restartAndList(ctx context.Context) error {
	if err := w.needList(); err != nil {
		return err
	}
	before, err := w.relist(ctx)
	if err != nil {
		return err
	}
	if err := w.sc.Restart(ctx); err != nil {
		return err
	}
	after, err := w.relist(ctx)
	if err != nil {
		return err
	}
	w.sc.Cite(before.answer, nil)
	w.sc.Cite(after.answer, nil)
	w.lists, w.restarted = []*listing{before, after}, true
	return nil
}

// referencesStable is CAP-FC-01. A source may gain and lose capabilities while
// it is looked at; what it keeps has to stay under its reference.
func (w *world) referencesStable(ctx context.Context) error {
	if w.restarted {
		return w.referencesSurvive(ctx)
	}
	for _, r := range w.flickering() {
		if w.sometimesHidden(ctx, r) {
			return suites.Violated("a reference comes and goes from one list to the next", "the same pairs in each list", r.String()+" is in some of the lists only")
		}
	}
	lists := append([]*listing{w.list}, w.lists...)
	renamings, was, now := 0, ref{}, ref{}
	for i := range lists[1:] {
		for _, r := range w.missing(lists[i], lists[i+1]) {
			if c := renamed(lists[i].find(r), lists[i], lists[i+1]); c != nil {
				renamings, was, now = renamings+1, r, c.ref()
				break
			}
		}
	}
	if renamings > 1 { // one is a release that took the place of the other
		return suites.Violated("a capability changes its reference during the run", was.String()+" as in the list before", now.String()+" with the same manifest otherwise")
	}
	if gone := w.missing(w.list, w.lists[len(w.lists)-1]); len(gone) > 0 {
		return suites.Undecided("the source changed during the run: %s is listed no more", gone[0])
	}
	return nil
}

// referencesSurvive compares the list after a restart with those before it.
func (w *world) referencesSurvive(ctx context.Context) error {
	before, after := w.lists[0], w.lists[1]
	for _, r := range w.missing(before, after) {
		if w.list.find(r) == nil || w.present(ctx).find(r) != nil {
			continue
		}
		return suites.Violated("a reference does not survive a restart", "every pair that was listed before", r.String()+" is listed no more")
	}
	return nil
}

// goneAreUnknown is CAP-DIS-01 for what was listed at first and is no more. What bears
// another reference now is CAP-FC-01's.
func (w *world) goneAreUnknown(ctx context.Context) error {
	last := w.lists[len(w.lists)-1]
	for _, r := range w.missing(w.list, last) {
		if renamed(w.list.find(r), w.list, last) != nil {
			continue
		}
		if err := w.leftOut(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// flickering are the pairs whose presence changes more than once.
func (w *world) flickering() []ref {
	lists := append([]*listing{w.list}, w.lists...)
	var found []ref
	for _, l := range lists {
		for _, r := range l.pairs() {
			changes := 0
			for i := range lists[1:] {
				if (lists[i].find(r) == nil) != (lists[i+1].find(r) == nil) {
					changes++
				}
			}
			if changes > 1 && !w.wasExchanged(r) && !slices.Contains(found, r) {
				found = append(found, r)
			}
		}
	}
	return found
}

// missing are the pairs of a list that a later one lacks, without those that we
// had exchanged ourselves.
func (w *world) missing(before, after *listing) []ref {
	var gone []ref
	for _, r := range before.pairs() {
		if after.find(r) == nil && !w.wasExchanged(r) {
			gone = append(gone, r)
		}
	}
	return gone
}

// renamed finds the capability in the later list that is the given one but for
// its reference.
func renamed(c *capability, before, after *listing) *capability {
	was := c.manifest()
	for _, candidate := range after.capabilities {
		if before.find(candidate.ref()) != nil {
			continue
		}
		same := true
		is := candidate.manifest()
		for member := range union(was, is) {
			same = same && (member == memberID || member == memberVersion || suites.EqualJSON(was[member], is[member]))
		}
		if same {
			return candidate
		}
	}
	return nil
}

func (e *examination) wasExchanged(r ref) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.exchanged[r]
}

// exchangePair invokes the instrument and sees from the list what it did, so
// that its own output may have any form. What a cache can hold it holds by then:
// exclusive scenarios come last. Two lists before and two after tell what others
// bring and take away meanwhile.
func (w *world) exchangePair(ctx context.Context) error {
	var before, after [2]*listing
	for i := range before {
		var err error
		if before[i], err = w.relist(ctx); err != nil {
			return err
		}
	}
	a, err := w.examination.invokeRole(ctx, w.sc, roleReplace)
	if err != nil {
		return err
	}
	for i := range after {
		if after[i], err = w.relist(ctx); err != nil {
			return err
		}
	}
	w.sc.Cite(before[1].answer, nil)
	w.sc.Cite(a.answer, a.err)
	w.sc.Cite(after[1].answer, nil)
	w.list, w.old = before[1], exchangedFor(before, after)
	come := exchangedFor(after, before)
	if len(w.old) == 0 || len(come) == 0 {
		return suites.Undecided("the role replace exchanged no pair for another: %s", a.received())
	}
	w.examination.mu.Lock()
	defer w.examination.mu.Unlock()
	for _, r := range append(slices.Clone(w.old), come...) {
		w.exchanged[r] = true
	}
	for _, r := range come {
		c := after[1].find(r)
		w.offerManifest(r, c.manifest())
		w.fresh = append(w.fresh, c)
	}
	return nil
}

// exchangedFor are the pairs that both lists of one time have and none of the other.
func exchangedFor(there, elsewhere [2]*listing) []ref {
	return slices.DeleteFunc(there[0].pairs(), func(r ref) bool {
		return there[1].find(r) == nil || elsewhere[0].find(r) != nil || elsewhere[1].find(r) != nil
	})
}

// newContractHolds is CAP-DIS-06: whatever was cached, an invocation is
// validated by the manifest that now stands.
func (w *world) newContractHolds(ctx context.Context) error {
	for _, r := range w.old {
		if err := w.oldIsGone(ctx, r); err != nil {
			return err
		}
	}
	checked := 0
	for _, c := range w.fresh {
		n, err := w.validatedByNew(ctx, c)
		if err != nil {
			return err
		}
		checked += n
	}
	if checked == 0 {
		return suites.Undecided("no input tells the old manifest from the new one, or nothing is validated: see CAP-INV-02")
	}
	return nil
}

// oldIsGone looks for the old contract. A describe from a cache is permitted, by
// CAP-DIS-05; an invocation is not. A source that answers for any version of the
// id shows nothing here: that is CAP-ERR-01's.
func (w *world) oldIsGone(ctx context.Context, r ref) error {
	stranger := ref{r.ID, freshVersion()}
	for _, input := range w.soundInputs(w.list.find(r)) {
		a := w.invoke(ctx, w.sc, invocation{asked: r, input: input.Text})
		if !a.succeeded() || w.invoke(ctx, w.sc, invocation{asked: stranger, input: input.Text}).succeeded() {
			continue
		}
		if w.present(ctx).find(r) != nil {
			continue // it was registered again
		}
		return w.violation("a pair that was exchanged can still be invoked", "NOT_FOUND for "+r.String(), a.answer, a.err)
	}
	return nil
}

// othersValidate is the control: some capability turned down whatever was unsound.
func (w *world) othersValidate(ctx context.Context, but *capability) bool {
	return slices.ContainsFunc(w.pool, func(c *capability) bool {
		all := w.invokeUnsound(ctx, w.sc, c)
		return c.ref() != but.ref() && len(all) > 0 && !slices.ContainsFunc(all, attempt.succeeded)
	})
}

// validatedByNew invokes a new pair with what its own manifest takes, and with
// what only an old one took.
func (w *world) validatedByNew(ctx context.Context, c *capability) (int, error) {
	sound := w.invokeSound(ctx, w.sc, c)
	for _, a := range sound {
		if a.refused() && a.result.code() == codeInvalidInput && !a.doubted() && !w.excused(ctx, a) {
			return 0, w.violation("an input that the new manifest takes is refused", "a success of "+c.ref().String()+" for "+suites.Clip(string(a.input)), a.answer, a.err)
		}
	}
	checked := 0
	for _, r := range w.old {
		for _, input := range w.soundInputs(w.list.find(r)) {
			if _, breaks := invalidity(c.compiled().input.Validate(decoded(input.Text))); !breaks {
				continue
			}
			a := w.invoke(ctx, w.sc, invocation{asked: c.ref(), of: c, input: input.Text, fault: &instance.Sample{Text: input.Text}})
			if a.succeeded() && (!w.othersValidate(ctx, c) || w.excused(ctx, a)) {
				return 0, nil
			}
			if a.succeeded() {
				return 0, w.violation("an input that only the old manifest takes is accepted", "INVALID_INPUT of "+c.ref().String()+" for "+suites.Clip(string(input.Text)), a.answer, a.err)
			}
			if a.turnedDown() {
				checked++
			}
		}
	}
	return checked, nil
}
