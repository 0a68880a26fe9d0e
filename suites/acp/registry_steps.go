package acpsuite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/act"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/driver"
)

// registrySentences are those about publishing in a registry.
var registrySentences = []sentence{
	say(`an author publishes a package`, func(w *world) any { return w.authorPublishes }),
	say(`the registry gives back its (cap_uri|semver|cid|sha256)`, func(w *world) any { return w.recordHolds }),
	say(`exactly one event tells of it`, func(w *world) any { return w.oneEvent }),
	say(`its event holds its (cap_uri|semver|cid|sha256)`, func(w *world) any { return w.eventHolds }),
	say(`publications are tried that a registry may refuse`, func(w *world) any { return w.tryRefusable }),
	say(`those that it refused left no event`, func(w *world) any { return w.refusedWithoutEvent }),
	say(`another version of it and another package are published`, func(w *world) any { return w.publishBeside }),
	say(`the registry gives back the first as it did before`, func(w *world) any { return w.recordUnchanged }),
	say(`another author publishes a version of it`, func(w *world) any { return w.strangerPublishes }),
	say(`the other author is refused`, func(w *world) any { return w.strangerRefused }),
	say(`the author's own next version is taken`, func(w *world) any { return w.nextTaken }),
	say(`nobody publishes another package`, func(w *world) any { return w.nobodyPublishes }),
	say(`somebody publishes another package by a key that is not its author's`, func(w *world) any { return w.wrongKeyPublishes }),
	say(`that is refused until its author publishes it`, func(w *world) any { return w.refusedUntilAuthor }),
	say(`neither the record nor the event holds the text of the file`, func(w *world) any { return w.fileNotOnChain }),
}

// chain is what a scenario about a registry knows.
type chain struct {
	first  *registration // published by its author, with success
	before object        // what was stored of it then
	tried  []*registration
}

func (w *world) authorPublishes(ctx context.Context) error {
	r, err := w.registrable(w.Author)
	if err != nil {
		return err
	}
	w.chain.first = r
	if err := w.registered(ctx, r); err != nil {
		return err
	}
	return w.discerns(ctx)
}

// eachVersion judges what was published, and then a further version of it. That it is
// taken is for ACP-TERM-03 to say.
func (w *world) eachVersion(ctx context.Context, judge func(r *registration) error) error {
	if err := judge(w.chain.first); err != nil {
		return err
	}
	for _, version := range []string{"2.30.4-rc.1+b7", "2.3.4"} {
		r, err := w.next(w.chain.first, version, w.Author)
		if err != nil {
			return err
		}
		err = w.registered(ctx, r)
		if open := (*suites.Inconclusive)(nil); errors.As(err, &open) {
			continue // not every registry takes every version
		}
		if err != nil {
			return err
		}
		return judge(r)
	}
	return nil
}

// discerns is the control for all that is given back: a registry that gives back
// what nobody published shows nothing by giving back what somebody did.
func (w *world) discerns(ctx context.Context) error {
	nobodys := w.Sample().ID
	record, answer, err := w.record(ctx, nobodys)
	if open := (*suites.Inconclusive)(nil); errors.As(err, &open) {
		return nil // who gives nothing back can still tell of it in events
	}
	if err != nil {
		return err
	}
	if record[memberURI] == nobodys {
		return suites.Undecided("the registry gives back a version that nobody published: %s", suites.Received(answer, nil))
	}
	return nil
}

// holdsAny tells whether a record has to do with a registration at all.
func (r *registration) holdsAny(record object) bool {
	for name := range r.values {
		if got, isText := record[name].(string); isText && r.same(name, got) {
			return true
		}
	}
	return false
}

func (w *world) recordHolds(ctx context.Context, name string) error {
	return w.eachVersion(ctx, func(r *registration) error { return w.recordOf(ctx, r, name) })
}

func (w *world) recordOf(ctx context.Context, r *registration, name string) error {
	record, answer, err := w.record(ctx, r.ID)
	switch {
	case err != nil:
		return err
	case record == nil && name == memberURI:
		return suites.Violated("what was published is not given back", "the four values of what was published", suites.Received(answer, nil))
	case record == nil:
		return suites.Undecided("the registry gives nothing back: see %s", seeStored)
	}
	return r.holds(record, "the record", name)
}

// holds looks at one of the four values.
func (r *registration) holds(in object, what, name string) error {
	got, isText := in[name].(string)
	if !isText || !r.same(name, got) {
		return suites.Violated(fmt.Sprintf("%s of a published version does not hold its %s", what, name), suites.Print(r.values[name]), suites.Print(in[name])+" in "+suites.Print(in))
	}
	return nil
}

// eventsOf gives the events of what was published.
func (w *world) eventsOf(ctx context.Context, r *registration) ([]object, driver.Answer, error) {
	all, answer, err := w.events(ctx)
	if err != nil {
		return nil, answer, err
	}
	return r.tells(all), answer, nil
}

// oneEvent looks at the first event again when there is a second one.
func (w *world) oneEvent(ctx context.Context) error {
	err := w.eachVersion(ctx, func(r *registration) error { return w.oneEventOf(ctx, r) })
	if err != nil {
		return err
	}
	return w.oneEventOf(ctx, w.chain.first)
}

func (w *world) oneEventOf(ctx context.Context, r *registration) error {
	those, answer, err := w.eventsOf(ctx, r)
	switch {
	case err != nil:
		return err
	case len(those) == 0:
		return suites.Violated("no event tells of what was published", "one event of "+r.ID, suites.Received(answer, nil))
	case len(r.publications(those)) > 1:
		return suites.Violated("more than one event tells of one publication", "one event of "+r.ID, suites.Print(those))
	}
	return nil
}

func (w *world) eventHolds(ctx context.Context, name string) error {
	return w.eachVersion(ctx, func(r *registration) error {
		those, _, err := w.eventsOf(ctx, r)
		if err != nil {
			return err
		}
		if len(those) == 0 {
			return suites.Undecided("no event tells of what was published: see %s", seeEvent)
		}
		return r.holds(those[0], "the event", name)
	})
}

// tryRefusable tries what a registry has reason to refuse. None has to: what it
// takes shows nothing here.
func (w *world) tryRefusable(ctx context.Context) error {
	those, _, err := w.eventsOf(ctx, w.chain.first)
	if err != nil {
		return err
	}
	if len(those) == 0 {
		return suites.Undecided("no event tells of what was published: see %s", seeEvent)
	}
	edits := []func(*registration){
		func(r *registration) { r.values[memberVersion] = "9.9.9" },
		func(r *registration) { r.values[memberCID] = "" },
		func(r *registration) { r.values[memberDigest] = "" },
		func(r *registration) { r.values[memberURI] = strings.TrimPrefix(r.ID, "did:nuwa:cap:") },
	}
	for _, edit := range edits {
		r, err := w.registrable(w.Author)
		if err != nil {
			return err
		}
		edit(r)
		if err := w.attempt(ctx, r, w.Author.Credentials()); err != nil {
			return err
		}
	}
	if !w.Supports[act.SupportsAuthors] {
		return nil
	}
	foreign, err := w.next(w.chain.first, "1.0.1", w.Stranger)
	if err != nil {
		return err
	}
	nobodys, err := w.registrable(w.Author)
	if err != nil {
		return err
	}
	if err := w.attempt(ctx, foreign, w.Stranger.Credentials()); err != nil {
		return err
	}
	return w.attempt(ctx, nobodys, nil)
}

// attempt submits what may be refused.
func (w *world) attempt(ctx context.Context, r *registration, by map[string]string) error {
	w.chain.tried = append(w.chain.tried, r)
	return w.submit(ctx, r, by)
}

func (r *registration) refused() bool { return r.answer.Outcome == driver.Refused }

func (w *world) refusedWithoutEvent(ctx context.Context) error {
	all, _, err := w.events(ctx)
	if err != nil {
		return err
	}
	judged := 0
	for _, r := range w.chain.tried {
		if !r.refused() {
			continue
		}
		judged++
		those := slices.DeleteFunc(r.publications(r.tells(all)), func(event object) bool { return history.TellsFault(event) })
		if len(those) > 0 {
			return suites.Violated("an event tells of a publication that was refused", "no event of it", suites.Print(those[0]))
		}
	}
	if judged == 0 {
		return suites.Undecided("the registry takes whatever it is given, so that there is no refusal to look at")
	}
	return nil
}

func (w *world) publishBeside(ctx context.Context) error {
	var answer driver.Answer
	var err error
	if w.chain.before, answer, err = w.record(ctx, w.chain.first.ID); err != nil {
		return err
	}
	if !w.chain.first.holdsAny(w.chain.before) {
		return suites.Undecided("the registry gives nothing back: %s: see %s", suites.Received(answer, nil), seeStored)
	}
	newer, err := w.next(w.chain.first, "1.1.0", w.Author)
	if err != nil {
		return err
	}
	other, err := w.registrable(w.Author)
	if err != nil {
		return err
	}
	for _, r := range []*registration{newer, other} {
		if err := w.registered(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) recordUnchanged(ctx context.Context) error {
	after, answer, err := w.record(ctx, w.chain.first.ID)
	if err != nil {
		return err
	}
	for name := range w.chain.first.values {
		before, _ := w.chain.before[name].(string)
		now, _ := after[name].(string)
		if w.chain.first.same(name, before) && w.chain.first.same(name, now) {
			continue // perhaps in another notation
		}
		if !suites.EqualJSON(w.chain.before[name], after[name]) {
			return suites.Violated("a published version is another after something else was published", suites.Print(w.chain.before), suites.Received(answer, nil))
		}
	}
	return nil
}

// fileNotOnChain looks for the mark, which stands in prompt and tools, and for
// words of the schema.
func (w *world) fileNotOnChain(ctx context.Context) error {
	r := w.chain.first
	record, answer, err := w.record(ctx, r.ID)
	if err != nil {
		return err
	}
	if !r.holdsAny(record) {
		return suites.Undecided("the registry gives nothing back: %s: see %s", suites.Received(answer, nil), seeStored)
	}
	those, _, err := w.eventsOf(ctx, r)
	if err != nil {
		return err
	}
	for _, kept := range append(those, record) {
		text := string(suites.Encode(kept))
		for _, part := range []string{r.Mark, "lww_register"} {
			if strings.Contains(text, part) {
				return suites.Violated("the text of the file is kept on the chain", "the four values, and the file on IPFS", suites.Clip(text))
			}
		}
	}
	return nil
}
