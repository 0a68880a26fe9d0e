package chpsuite

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// pair is the identity of a descriptor.
func pair(o object) string { return fmt.Sprintf("%v:%v", o["id"], o["version"]) }

// listing is what one answer declares, by pair.
type listing map[string]object

func listed(a answered) listing {
	l := listing{}
	all, _ := a.result["capabilities"].([]any)
	for _, item := range all {
		if members, ok := item.(object); ok {
			l[pair(members)] = members
		}
	}
	return l
}

// lacking gives what of some pairs a listing lacks.
func (l listing) lacking(pairs []string) []string {
	return slices.DeleteFunc(slices.Clone(pairs), func(p string) bool { return l[p] != nil })
}

// again asks for a list once more.
func (w *world) again(ctx context.Context, op string) (answered, error) {
	answer, err := w.sc.Call(ctx, driver.Operation{Name: op, List: true})
	return readAnswer(answer, err), err
}

// listsCompared is how often both lists are asked for when they differ at first.
const listsCompared = 4

// sameCapabilities compares what stays: other people may register and remove
// capabilities meanwhile. The order of the two calls changes, so that a host that
// moves with every call is not taken for one that shows two things.
func (w *world) sameCapabilities(ctx context.Context) error {
	if !objects.fits(w.host.result["capabilities"]) {
		return suites.Undecided("the host descriptor holds no capability descriptors: see CHP-4-05")
	}
	seen := map[string][]listing{opHost: {listed(w.host)}, opCapabilities: {listed(w.discovery)}}
	order := []string{opCapabilities, opHost}
	for range listsCompared - 1 {
		latest := len(seen[opHost]) - 1
		if maps.EqualFunc(seen[opHost][latest], seen[opCapabilities][latest], func(object, object) bool { return true }) {
			break
		}
		for _, op := range order {
			a, err := w.again(ctx, op)
			if err != nil {
				return err
			}
			seen[op] = append(seen[op], listed(a))
		}
		slices.Reverse(order)
	}
	for _, two := range [][2]string{{opHost, opCapabilities}, {opCapabilities, opHost}} {
		if alone := oneSided(seen[two[0]], seen[two[1]]); len(alone) > 0 {
			return suites.Violated("the host descriptor and discovery show different capabilities", "the same pairs of id and version in both",
				fmt.Sprintf("%v for %s alone", alone, two[0]))
		}
	}
	if len(steady(seen[opHost])) == 0 {
		return suites.Undecided("no capability stays declared, so there is nothing to compare")
	}
	return nil
}

// steady are the pairs that each listing holds.
func steady(all []listing) []string {
	pairs := sortedNames(all[0])
	for _, l := range all[1:] {
		pairs = slices.DeleteFunc(pairs, func(p string) bool { return l[p] == nil })
	}
	return pairs
}

// oneSided are the pairs that each of some listings holds and none of others.
func oneSided(some, others []listing) []string {
	pairs := steady(some)
	for _, l := range others {
		pairs = l.lacking(pairs)
	}
	return pairs
}

// stayRounds is how often a capability that came or went is looked at again.
const stayRounds = 4

// pairsStay looks closer where the same pairs are not declared again. A capability
// that other people remove is gone, and serves no more; one that has only lost its
// name, or is left out, still serves, or is there under another name each time.
func (w *world) pairsStay(ctx context.Context) error {
	all := []listing{listed(w.discovery)}
	look := func() (listing, error) {
		a, err := w.again(ctx, opCapabilities)
		all = append(all, listed(a))
		return all[len(all)-1], err
	}
	for range 2 {
		if _, err := look(); err != nil {
			return err
		}
	}
	if p, q := swapped(all[0], all[2]); p != "" {
		return suites.Violated("a pair of id and version names what another one named before", "the descriptor that "+p+" had", "that of "+q)
	}
	before := sortedNames(all[0])
	if len(all[1].lacking(before))+len(all[2].lacking(before)) == 0 {
		return nil
	}
	unlisted, fresh := trial{}, trial{}
	for range stayRounds {
		l, err := look()
		if err != nil {
			return err
		}
		for _, p := range some(l.lacking(before)) {
			unlisted.add(w.servesPair(ctx, all[0][p]))
		}
		for _, p := range some(twins(all[0], l)) {
			fresh.add(w.servesPair(ctx, l[p]))
		}
	}
	switch changing := alwaysOther(all); {
	case len(changing) > 0:
		return suites.Violated("what is declared is another at each discovery", "one version of a capability as long as it is the same", strings.Join(changing, ", "))
	case unlisted.came > 1 && unlisted.went == 0:
		return suites.Violated("a capability comes and goes from one discovery to the next", "a capability that serves in each of them", "what serves is in some of them only")
	case fresh.went > 2 && fresh.came == 0:
		return suites.Violated("what is declared is another at each discovery", "a capability under the name by which it serves", "another name each time, and none that serves")
	}
	return nil
}

// swapped gives a pair whose descriptor says what another's said, and no more what it
// said itself.
func swapped(before, now listing) (pair, other string) {
	for _, p := range sortedNames(before) {
		if now[p] == nil || suites.EqualJSON(nameless(now[p]), nameless(before[p])) {
			continue
		}
		for _, q := range sortedNames(before) {
			if q != p && suites.EqualJSON(nameless(now[p]), nameless(before[q])) {
				return p, q
			}
		}
	}
	return "", ""
}

// trial counts invocations of one sort of capability.
type trial struct{ came, went int }

func (t *trial) add(outcome string) {
	switch outcome {
	case outcomeSuccess, outcomeFailure:
		t.came++
	case outcomeDenied:
		t.went++
	}
}

// some of many pairs are enough.
func some(pairs []string) []string { return pairs[:min(len(pairs), candidatesAtMost)] }

// servesPair gives the outcome of a capability under its name, "" where it may not
// be invoked.
func (w *world) servesPair(ctx context.Context, descriptor object) string {
	for _, c := range w.readCapabilities([]any{descriptor}) {
		payloads := w.payloads(c)
		if w.offer(c) == "" && w.reasonAgainst(c) == "" && slices.Contains(c.modes, modeSync) && len(payloads) > 0 {
			return w.invoke(ctx, w.sc, w.of("an invocation", c, payloads[0])).outcome()
		}
	}
	return ""
}

// twins are pairs that a list did not have before, and that say the same of a
// capability as a pair which is missing now.
func twins(before, now listing) []string {
	missing := now.lacking(sortedNames(before))
	return slices.DeleteFunc(before.lacking(sortedNames(now)), func(p string) bool {
		return !slices.ContainsFunc(missing, func(gone string) bool { return suites.EqualJSON(nameless(before[gone]), nameless(now[p])) })
	})
}

// nameless is what a descriptor says beside the name of the capability.
func nameless(descriptor object) object {
	rest := maps.Clone(descriptor)
	for _, name := range []string{"id", "version", "capability_uri"} {
		delete(rest, name)
	}
	return rest
}

// alwaysOther are the pairs of the first listing whose capability has another
// version in each of the others, and only one.
func alwaysOther(all []listing) []string {
	return slices.DeleteFunc(sortedNames(all[0]), func(p string) bool {
		versions, of := map[string]bool{}, all[0][p]
		for _, l := range all {
			here := 0
			for _, d := range l {
				if d["id"] == of["id"] && suites.EqualJSON(nameless(d), nameless(of)) {
					here++
					versions[fmt.Sprint(d["version"])] = true
				}
			}
			if here != 1 {
				return true
			}
		}
		return len(versions) < len(all)
	})
}
