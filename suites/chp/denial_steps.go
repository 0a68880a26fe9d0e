package chpsuite

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites"
)

func (w *world) denialRecords() error {
	those, err := w.denied()
	if err != nil {
		return err
	}
	for _, a := range those {
		if what, got, wrong := anObject.flaw(a.result, "denial"); wrong {
			return w.blame(a, "a denied result: "+what, "a denial record", got+" in "+suites.Print(a.result))
		}
	}
	return nil
}

// eachDenial gives the records of results, and those of events where they have one.
// The place is the result or the type of the event.
func (w *world) eachDenial(judge func(place string, a *attempt, denial object) error) error {
	those, err := w.denied()
	if err != nil {
		return err
	}
	judged := 0
	for _, a := range those {
		places, records := []string{"result"}, []any{a.result["denial"]}
		for _, ev := range a.events() {
			places, records = append(places, ev.kind), append(records, ev.members()["denial"])
		}
		for i, r := range records {
			denial, ok := r.(object)
			if !ok {
				continue
			}
			judged++
			if err := judge(places[i], a, denial); err != nil {
				return err
			}
		}
	}
	if judged == 0 {
		return suites.Undecided("no denial record was seen: see CHP-9-07")
	}
	return nil
}

func (w *world) denialMember(name string) error {
	return w.eachDenial(func(_ string, a *attempt, denial object) error {
		if what, got, wrong := denialMembers[name].flaw(denial, name); wrong {
			return w.blame(a, "a denial record: "+what, denialMembers[name].want, got+" in "+suites.Print(denial))
		}
		return nil
	})
}

func (w *world) invariantNamed() error {
	return w.eachDenial(func(_ string, a *attempt, denial object) error {
		if denial["invariant_id"] == nil {
			return nil
		}
		if what, got, wrong := denialMembers["invariant_id"].flaw(denial, "invariant_id"); wrong {
			return w.blame(a, "a denial record: "+what, aText.want, got)
		}
		return nil
	})
}

// codesAgain is how often a denial is asked for whose code was another at first, and
// codesAlike how many of all answers show that the code is stable: a host may deny for
// another reason in between.
const (
	codesAgain = 4
	codesAlike = 4
)

// codesStable compares the code of a denial that was asked for twice. Result and
// event of one denial may each have words of their own.
func (w *world) codesStable(ctx context.Context) error {
	codes := map[string]any{}
	return w.eachDenial(func(place string, a *attempt, denial object) error {
		what := place + " " + a.kind + " " + a.capability + " " + a.mode
		code := denial["code"]
		if before, twice := codes[what]; twice && code != nil && before != code && !w.codeSettles(ctx, place, a, before, code) {
			return w.blame(a, "the same denial has another code when it is asked for again", suites.Print(before), suites.Print(code))
		}
		if code != nil {
			codes[what] = code
		}
		return nil
	})
}

// codeSettles asks for a denial again and again. A capability that comes and goes is
// denied for one of two reasons, each of which has its code every time.
func (w *world) codeSettles(ctx context.Context, place string, a *attempt, seen ...any) bool {
	counts := map[string]int{}
	for _, code := range seen {
		counts[suites.Print(code)]++
	}
	for range codesAgain {
		v := a.envelope
		v.id, v.correlation = "", caller()
		again := w.try(ctx, w.sc, v)
		denial, _ := again.result["denial"].(object)
		for _, ev := range again.events() {
			if ev.kind == place {
				denial, _ = ev.members()["denial"].(object)
			}
		}
		counts[suites.Print(denial["code"])]++
	}
	most, recurring := 0, true
	for _, n := range counts {
		most, recurring = max(most, n), recurring && n > 1
	}
	declared := slices.ContainsFunc(w.capabilities, func(c *capability) bool { return c.id == a.capability })
	return most >= codesAlike || declared && recurring && len(counts) == 2
}
