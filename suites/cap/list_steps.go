package capsuite

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

var listSentences = []sentence{
	say(`the capabilities are listed`, func(w *world) any { return w.listCapabilities }),
	say(`the answer is a list of manifests, complete in itself`, func(w *world) any { return w.isListOfManifests }),
	say(`the source knows no other version of a listed capability`, func(w *world) any { return w.knowsNothingUnlisted }),
	say(`no two manifests share their pair of id and version`, func(w *world) any { return w.pairsAreUnique }),
}

func (w *world) listCapabilities() error {
	if w.list.err != nil {
		return w.list.err
	}
	w.sc.Cite(w.list.answer, nil)
	for _, el := range w.list.elements {
		w.manifests = append(w.manifests, sheet{el.raw, el.kept, opList, el.pointer, w.list.answer})
	}
	return nil
}

func (w *world) isListOfManifests() error {
	for _, l := range append([]*listing{w.list}, w.lists...) {
		if err := isList(l); err != nil {
			return err
		}
	}
	return w.needList()
}

func isList(l *listing) error {
	answer := l.answer
	switch {
	case answer.Outcome == driver.NotProvided:
		return suites.Undecided("the source does not provide capability.list: see CAP-DIS-03")
	case answer.Outcome != driver.Returned:
		return suites.Violated("capability.list gives no list", "an array of manifests", suites.Received(answer, nil))
	}
	for _, d := range l.defects {
		return suites.Violated(d.Message, d.Want, d.Got)
	}
	if l.more != "" {
		v := suites.Violated("the list says that more follows", "every manifest in one answer", "the member "+l.more+" beside the list")
		v.Hint = "list() takes no parameter that could ask for the next page"
		return v
	}
	return nil
}

// knowsNothingUnlisted asks describe and invoke for versions next to the listed ones: a
// pair that one of them knows has to be listed. A source that answers for any version at
// all shows nothing here.
func (w *world) knowsNothingUnlisted(ctx context.Context) error {
	if err := w.needList(); err != nil {
		return err
	}
	const asked = 10
	for _, c := range w.list.capabilities[:min(len(w.list.capabilities), asked)] {
		for _, version := range neighbours(c.version) {
			err := w.unlisted(ctx, ref{c.id, version})
			if err != nil && !w.describesAny(ctx, c.id) {
				return err
			}
		}
	}
	if err := w.unlistedFixtures(ctx); err != nil {
		return err
	}
	return w.runsNothingUnlisted(ctx)
}

// describesAny tells a source that has a manifest for any version of an id, or gives no
// answer about them.
func (w *world) describesAny(ctx context.Context, id string) bool {
	fresh := w.describe(ctx, w.sc, ref{id, freshVersion()})
	return fresh.err != nil || fresh.answer.Outcome == driver.Returned && !fresh.unknown()
}

// runsNothingUnlisted asks invoke for versions next to those of capabilities that may be
// invoked. The control is that references that nobody has are NOT_FOUND.
func (w *world) runsNothingUnlisted(ctx context.Context) error {
	const asked = 5
	for _, a := range w.invokeStrangers(ctx, w.sc) {
		if !a.notFound() {
			return nil // it knows what nobody has: CAP-ERR-01's
		}
	}
	for _, c := range w.pool[:min(len(w.pool), asked)] {
		for _, version := range neighbours(c.version) {
			r := ref{c.id, version}
			if w.list.find(r) != nil || w.declaresCompatible(r) || !w.invokeEmpty(ctx, r).knows() || w.present(ctx).find(r) != nil {
				continue
			}
			again := w.invokeEmpty(ctx, r)
			if !again.knows() || w.present(ctx).find(r) != nil {
				continue // it was there for a moment
			}
			return w.violation("invoke knows a pair that the list leaves out", "every capability of the source in the list, or NOT_FOUND for "+r.String(), again.answer, nil)
		}
	}
	return nil
}

// invokeEmpty invokes a pair with the input {}, which most capabilities refuse.
func (w *world) invokeEmpty(ctx context.Context, r ref) attempt {
	return w.invoke(ctx, w.sc, invocation{asked: r, input: json.RawMessage("{}")})
}

// knows is true for a result that only a source gives which has the pair.
func (a attempt) knows() bool { return a.judged() && !a.notFound() }

// unlistedFixtures asks for the fixture profile and for the roles of the target
// file: whatever of it is described has to be listed.
func (w *world) unlistedFixtures(ctx context.Context) error {
	wanted := []ref{{"conformance.echo", "2.0.0"}}
	for _, r := range roles() {
		wanted = append(wanted, ref{r.Capability, "1.0.0"})
	}
	for _, named := range w.subject.Roles["cap"] {
		if named.Version != "" {
			wanted = append(wanted, ref{named.Capability, named.Version})
		}
	}
	for _, c := range w.skills() {
		reduction, _ := c.manifest().witness()
		for _, item := range listOf(reduction["tools"]) {
			tool, _ := item.(map[string]any)
			id, _ := manifest(tool).text(memberID)
			version, _ := manifest(tool).text(memberVersion)
			wanted = append(wanted, ref{id, version})
		}
	}
	stranger := ref{"capconform-" + uuid.NewString(), freshVersion()}
	if l := w.describe(ctx, w.sc, stranger); l.answer.Outcome == driver.Returned && !l.unknown() {
		return nil // it has a manifest for anything: CAP-DIS-04's
	}
	for _, r := range wanted {
		if err := w.unlisted(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// unlisted is a violation where describe knows a pair that the list leaves out.
func (w *world) unlisted(ctx context.Context, r ref) error {
	if w.list.find(r) != nil || w.declaresCompatible(r) {
		return nil
	}
	return w.leftOut(ctx, r)
}

func (w *world) leftOut(ctx context.Context, r ref) error {
	if _, known := w.describe(ctx, w.sc, r).own(); !known {
		return nil
	}
	l, hidden := w.hidden(ctx, r)
	if !hidden {
		return nil
	}
	w.sc.Cite(l.answer, nil)
	return suites.Violated("describe knows a pair that the list leaves out", "every capability of the source in the list", r.String()+" is described and not listed")
}

// neighbours are versions that a registry with this one may hold too: the first, and the
// next ones.
func neighbours(version string) []string {
	core, _, _ := strings.Cut(version, "-")
	parts := strings.Split(core, ".")
	all := []string{"1.0.0"}
	if len(parts) != 3 {
		return append(all, "2.0.0")
	}
	for i := range parts {
		n, err := strconv.Atoi(parts[i])
		if err != nil {
			return append(all, "2.0.0")
		}
		moved := slices.Clone(parts)
		moved[i] = strconv.Itoa(n + 1)
		for j := i + 1; j < len(moved); j++ {
			moved[j] = "0"
		}
		all = append(all, strings.Join(moved, "."))
	}
	return all
}

func (w *world) pairsAreUnique() error {
	if err := w.needList(); err != nil {
		return err
	}
	for _, l := range append([]*listing{w.list}, w.lists...) {
		places := map[ref]string{}
		for _, el := range l.elements {
			r := ref{el.id, el.version}
			if r.ID == "" || r.Version == "" {
				continue
			}
			if first, twice := places[r]; twice {
				return suites.Violated("a pair of id and version is listed twice", "each pair once", fmt.Sprintf("%s at %s and at %s of the list", r, first, el.pointer))
			}
			places[r] = el.pointer
		}
	}
	return nil
}
